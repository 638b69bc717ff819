package kvrank.machine;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.scenario.CpuList;
import kvrank.scenario.Isolation;

/**
 * Which CPUs client and server run on.
 *
 * @param client the worker's; empty for all
 * @param server the server's; empty for all
 * @param reason why there are no sets; empty if there are
 */
public record CpuSets(Optional<CpuList> client, Optional<CpuList> server, String reason) {

  /** With fewer CPUs, a half is less than client or server can use. */
  private static final int FEWEST = 4;

  /** Client and server share what there is. */
  public static CpuSets none(String reason) {
    return new CpuSets(Optional.empty(), Optional.empty(), reason);
  }

  /** Returns the sets of this machine. */
  public static CpuSets of(Isolation asked) {
    return of(asked, Path.of("/proc"), Path.of("/sys"));
  }

  static CpuSets of(Isolation asked, Path proc, Path sys) {
    if (asked instanceof Isolation.Sets sets) {
      return new CpuSets(Optional.of(sets.client()), Optional.of(sets.server()), "");
    }
    if (asked instanceof Isolation.None) {
      return none("the scenario asks for none");
    }
    Optional<CpuList> allowed = allowed(proc);
    if (allowed.isEmpty()) {
      return none("what CPUs there are is not known here");
    }
    int cpus = allowed.get().numbers().size();
    if (cpus < FEWEST) {
      return none("%d CPUs are too few for two sets; %d would do".formatted(cpus, FEWEST));
    }
    return tasksetMissing() ? none("taskset is not installed") : halves(allowed.get(), sys);
  }

  /** Returns why sets that were asked for are not available here, with the next step. */
  public Optional<String> problem() {
    if (client.isEmpty() || server.isEmpty()) {
      return Optional.empty();
    }
    Optional<CpuList> allowed = allowed(Path.of("/proc"));
    NavigableSet<Integer> here = allowed.map(CpuList::numbers).orElseGet(TreeSet::new);
    CpuList missing = client.get().and(server.get()).without(here);
    if (!missing.numbers().isEmpty()) {
      return Optional.of(
          "there is no CPU '%s' for this process; those here are %s"
              .formatted(missing.label(), allowed.map(CpuList::label).orElse("not known")));
    }
    return tasksetMissing()
        ? Optional.of(
            "taskset, which gives a process its CPUs, is not installed; it is in util-linux")
        : Optional.empty();
  }

  /** Returns what a worker runs on; one that holds the engine does the work of both. */
  public Optional<CpuList> worker(boolean embedded) {
    return embedded && server.isPresent() ? client.map(own -> own.and(server.get())) : client;
  }

  /** Returns the sets of a harness without an engine, which has to do with the client's. */
  public CpuSets ofHarness() {
    return new CpuSets(client, Optional.empty(), reason);
  }

  /** Returns how many CPUs the worker has, and the server if it has others. */
  public Facts counts() {
    Facts counts = new Facts();
    int all = Runtime.getRuntime().availableProcessors();
    int own = client.map(list -> list.numbers().size()).orElse(all);
    counts.put(Fact.CLIENT_CPUS, own);
    server.ifPresent(list -> counts.put(Fact.SERVER_CPUS, list.numbers().size()));
    return counts;
  }

  /** Returns which CPUs client and server have. */
  public Facts facts() {
    Facts facts = new Facts();
    facts.put(Fact.ISOLATION, reason.isEmpty() ? "CPU sets" : "none: " + reason);
    client.ifPresent(list -> facts.put(Fact.ISOLATION_CLIENT_CPUS, list.label()));
    server.ifPresent(list -> facts.put(Fact.ISOLATION_SERVER_CPUS, list.label()));
    return facts;
  }

  /** Whole cores: two threads of one core share what makes it fast. */
  private static CpuSets halves(CpuList allowed, Path sys) {
    Set<CpuList> cores = new LinkedHashSet<>();
    for (Integer cpu : allowed.numbers()) {
      Path file = sys.resolve("devices/system/cpu/cpu" + cpu + "/topology/thread_siblings_list");
      NavigableSet<Integer> siblings = new TreeSet<>(Set.of(cpu));
      SystemFile.text(file)
          .flatMap(CpuList::parse)
          .ifPresent(found -> siblings.addAll(found.numbers()));
      siblings.retainAll(allowed.numbers());
      cores.add(new CpuList(siblings));
    }
    if (cores.size() < 2) {
      return none("one core is too few for two sets");
    }
    int half = cores.size() / 2;
    return new CpuSets(
        cores.stream().limit(half).reduce(CpuList::and),
        cores.stream().skip(half).reduce(CpuList::and),
        "");
  }

  private static Optional<CpuList> allowed(Path proc) {
    return SystemFile.text(proc.resolve("self/status"))
        .flatMap(status -> SystemFile.find(status, "Cpus_allowed_list:\\s*(\\S+)"))
        .flatMap(CpuList::parse);
  }

  private static boolean tasksetMissing() {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
        .noneMatch(folder -> Files.isExecutable(Path.of(folder).resolve("taskset")));
  }
}

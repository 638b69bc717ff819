package kvrank.machine;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.scenario.CpuList;
import kvrank.scenario.Isolation;

/**
 * The CPUs of client and server.
 *
 * @param client the worker's; empty for all
 * @param server the server's; empty for all
 * @param reason the reason why there are no sets; empty if there are
 */
public record CpuSets(Optional<CpuList> client, Optional<CpuList> server, String reason) {

  /** With fewer CPUs, half of them is too few for client or server. */
  private static final int FEWEST = 4;

  /** Returns no sets: client and server share all CPUs. */
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
      return none("the CPUs of this machine are unknown");
    }
    int cpus = allowed.get().numbers().size();
    if (cpus < FEWEST) {
      return none(
          "%d CPUs are too few for two sets; at least %d are needed".formatted(cpus, FEWEST));
    }
    return tasksetMissing() ? none("taskset is not installed") : halves(allowed.get(), sys);
  }

  /** Returns the reason if the requested sets are not available here, with the next step. */
  public Optional<String> problem() {
    if (client.isEmpty() || server.isEmpty()) {
      return Optional.empty();
    }
    Optional<CpuList> allowed = allowed(Path.of("/proc"));
    NavigableSet<Integer> here = allowed.map(CpuList::numbers).orElseGet(TreeSet::new);
    CpuList missing = client.get().and(server.get()).without(here);
    if (!missing.numbers().isEmpty()) {
      return Optional.of(
          "CPU '%s' is not available to this process; available: %s"
              .formatted(missing.label(), allowed.map(CpuList::label).orElse("unknown")));
    }
    return tasksetMissing()
        ? Optional.of(
            "taskset, which binds a process to CPUs, is not installed; install util-linux")
        : Optional.empty();
  }

  /** Returns the worker's CPUs; a worker with an embedded engine has both sets. */
  public Optional<CpuList> worker(boolean embedded) {
    return embedded && server.isPresent() ? client.map(own -> own.and(server.get())) : client;
  }

  /** Returns the sets of a harness without an engine, which has only the client's CPUs. */
  public CpuSets ofHarness() {
    return new CpuSets(client, Optional.empty(), reason);
  }

  /** Returns the number of CPUs of the worker, and of the server if it has others. */
  public Facts counts() {
    Facts counts = new Facts();
    int all = Runtime.getRuntime().availableProcessors();
    int own = client.map(list -> list.numbers().size()).orElse(all);
    counts.put(Fact.CLIENT_CPUS, own);
    server.ifPresent(list -> counts.put(Fact.SERVER_CPUS, list.numbers().size()));
    return counts;
  }

  /** Returns the CPUs of client and server as facts. */
  public Facts facts() {
    return facts(Path.of("/proc"), Path.of("/sys"));
  }

  Facts facts(Path proc, Path sys) {
    Facts facts = new Facts();
    facts.put(Fact.ISOLATION, reason.isEmpty() ? "CPU sets" : "none: " + reason);
    allowed(proc).ifPresent(list -> facts.put(Fact.CPU_NODES, nodes(list, sys)));
    client.ifPresent(
        list -> {
          facts.put(Fact.ISOLATION_CLIENT_CPUS, list.label());
          facts.put(Fact.ISOLATION_CLIENT_NODES, nodes(list, sys));
        });
    server.ifPresent(
        list -> {
          facts.put(Fact.ISOLATION_SERVER_CPUS, list.label());
          facts.put(Fact.ISOLATION_SERVER_NODES, nodes(list, sys));
        });
    return facts;
  }

  private static String nodes(CpuList cpus, Path sys) {
    return new CpuList(
            cpus.numbers().stream()
                .map(cpu -> node(cpu, sys))
                .collect(Collectors.toCollection(TreeSet::new)))
        .label();
  }

  /** Returns the number of the memory node of a CPU; 0 on a kernel without nodes. */
  private static int node(int cpu, Path sys) {
    Path folder = sys.resolve("devices/system/cpu/cpu" + cpu);
    try (DirectoryStream<Path> links = Files.newDirectoryStream(folder, "node[0-9]*")) {
      for (Path link : links) {
        return Integer.parseInt(link.getFileName().toString().substring("node".length()));
      }
    } catch (IOException | NumberFormatException e) {
      // As on a kernel without nodes.
    }
    return 0;
  }

  /**
   * Divides whole cores, because two threads of a core share its execution units, and memory nodes
   * if there are several, because Linux gives a thread memory of the node that it runs on.
   */
  private static CpuSets halves(CpuList allowed, Path sys) {
    Set<CpuList> found = new LinkedHashSet<>();
    for (Integer cpu : allowed.numbers()) {
      Path file = sys.resolve("devices/system/cpu/cpu" + cpu + "/topology/thread_siblings_list");
      NavigableSet<Integer> siblings = new TreeSet<>(Set.of(cpu));
      SystemFile.text(file)
          .flatMap(CpuList::parse)
          .ifPresent(list -> siblings.addAll(list.numbers()));
      siblings.retainAll(allowed.numbers());
      found.add(new CpuList(siblings));
    }
    List<CpuList> cores =
        found.stream()
            .sorted(Comparator.comparing(core -> node(core.numbers().first(), sys)))
            .toList();
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

package kvrank.scenario.read;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import kvrank.engine.Fsync;
import kvrank.input.Located;
import kvrank.input.SourceLocation;
import kvrank.scenario.FactorPoints;
import kvrank.scenario.GroupSpec;
import kvrank.scenario.Medium;
import kvrank.scenario.MemoryLimit;
import kvrank.scenario.PhaseSpec;
import kvrank.scenario.Setting;
import kvrank.scenario.Shapes;
import kvrank.workload.Workload;
import kvrank.workload.key.KeyShape;
import kvrank.workload.pace.ArrivalProcess;
import kvrank.workload.pace.Pacing;
import kvrank.workload.request.Limits;
import kvrank.workload.request.Operation;
import kvrank.workload.trace.Replay;
import kvrank.workload.value.Ttl;
import kvrank.workload.value.ValueShape;
import kvrank.workload.value.ValueSizes;

/** Reports values that are valid each but impossible together. */
record CrossFieldChecks(
    SourceLocation root,
    List<Located<PhaseSpec>> phases,
    SortedMap<Setting, Located<List<String>>> stated,
    String keyPrefix) {

  /** Keys must have room for this many times the loaded records if a phase inserts. */
  private static final long ROOM_FOR_INSERTS = 10;

  /** Checks everything; with {@code crash}, a crash test must recognise each value. */
  void check(Medium medium, boolean crash) {
    for (String fsync : values(Setting.FSYNC)) {
      if (medium == Medium.MEMORY
          && Fsync.atLeast(fsync).orElseGet(() -> Fsync.of(fsync)).promises()) {
        place(Setting.FSYNC)
            .report("'%s' has no effect on storage in memory; use medium ssd or hdd", fsync);
      }
    }
    checkSame("keys of %s bytes", Setting.KEY_BYTES, w -> w.keyShape().map(KeyShape::bytes));
    checkSame(
        "%s records under a prefix",
        Setting.PREFIX_RECORDS, w -> w.keyShape().map(KeyShape::perPrefix));
    checkSame("%s keys", null, w -> w.keyShape().map(CrossFieldChecks::order));
    checkSame(
        "values of %s bytes",
        Setting.VALUE_BYTES, w -> w.valueShape().map(CrossFieldChecks::sizes));
    checkSame("values of %s", null, w -> w.valueShape().map(CrossFieldChecks::contents));
    checkSame("a ttl of %s", null, w -> w.ttl().map(CrossFieldChecks::ttl));
    checkKeyDigits();
    checkValueBytes(crash || values(Setting.VERIFY).contains("values"));
    checkArrivals();
    checkMachines(crash);
    if (crash && values(Setting.MAXMEMORY).stream().anyMatch(v -> MemoryLimit.of(v).isPresent())) {
      place(Setting.MAXMEMORY)
          .report(
              "a crash test cannot distinguish lost records from evicted ones; set 'maxmemory:"
                  + " none' or remove the crash test");
    }
    for (Located<PhaseSpec> phase : phases) {
      checkRequests(phase);
      checkThreads(phase);
      checkCold(phase);
      checkSteady(phase);
      checkErrors(phase);
      checkGroups(phase);
    }
  }

  /** Groups of different speeds do not end together after a number of operations. */
  private void checkGroups(Located<PhaseSpec> phase) {
    if (!phase.value().groups().isEmpty() && !of(phase, Setting.OPERATIONS).equals(List.of(""))) {
      phase.report("phase '%s' has groups, which need a 'duration'", phase.value().name());
    }
  }

  private List<PhaseSpec> specs() {
    return phases.stream().map(Located::value).toList();
  }

  /** Reports workloads that differ in {@code part}, unless {@code setting} overrides them. */
  private void checkSame(String form, Setting setting, Function<Workload, Optional<?>> part) {
    if (setting != null && stated.containsKey(setting)) {
      return;
    }
    String firstName = null;
    String first = "";
    for (Located<PhaseSpec> phase : phases) {
      for (Workload workload : phase.value().workloads()) {
        String value = part.apply(workload).map(form::formatted).orElse(first);
        if (firstName == null && !value.isEmpty()) {
          firstName = workload.name();
          first = value;
        } else if (!value.equals(first)) {
          phase.report(
              "workload '%s' states %s, but '%s' states %s; %s",
              workload.name(),
              value,
              firstName,
              first,
              setting == null
                  ? "a run has one shape, so use two scenarios"
                  : "set '%s' to override both".formatted(setting.label()));
        }
      }
    }
  }

  private static Object order(KeyShape shape) {
    return shape.hashed() ? WorkloadReader.HASHED : "ordered";
  }

  private static Object sizes(ValueShape shape) {
    return sizes(shape.sizes());
  }

  private static String sizes(ValueSizes sizes) {
    if (sizes.fields() > 1) {
      return sizes(sizes.times(1)) + " in each of " + sizes.fields() + " fields";
    }
    if (!sizes.parts().isEmpty()) {
      return sizes.parts().stream()
          .map(part -> "%s for %s of the keys".formatted(sizes(part.sizes()), part.records()))
          .collect(
              Collectors.joining(", ", "", sizes.newest() ? ", newest first" : ", by popularity"));
    }
    return sizes.min() == sizes.max()
        ? String.valueOf(sizes.min())
        : "%d to %d (%s)"
            .formatted(
                sizes.min(),
                sizes.max(),
                sizes.bins().size() == 1
                    ? sizes.spread().name().toLowerCase(Locale.ROOT)
                    : "histogram with a mean of %.0f".formatted(sizes.mean()));
  }

  private static Object contents(ValueShape shape) {
    return shape.kind() == ValueShape.Kind.JSON
        ? "kind json"
        : "kind random, compressibility " + shape.compressibility();
  }

  private static Object ttl(Ttl ttl) {
    return "%d s for a share of %s".formatted(ttl.seconds(), ttl.share());
  }

  private void checkKeyDigits() {
    boolean inserts =
        specs().stream()
            .anyMatch(p -> !p.load() && p.workload().operations().contains(Operation.INSERT));
    String prefix =
        keyPrefix.isEmpty()
            ? ""
            : " and kvrank's prefix of %d bytes on a shared server".formatted(keyPrefix.length());
    SortedMap<Setting, List<String>> shapes = new TreeMap<>();
    shapes.put(Setting.KEY_BYTES, values(Setting.KEY_BYTES));
    shapes.put(Setting.PREFIX_RECORDS, values(Setting.PREFIX_RECORDS));
    for (String records : values(Setting.RECORDS)) {
      long room = Long.parseLong(records) * (inserts ? ROOM_FOR_INSERTS : 1);
      for (SortedMap<Setting, String> point : FactorPoints.of(shapes)) {
        KeyShape shape = Shapes.keys(specs(), point);
        if (shape.hashed()) {
          checkHashed(shape, room);
          continue;
        }
        int least = keyPrefix.length() + Shapes.keyDigits(room, shape.perPrefix());
        if (shape.bytes() < least) {
          place(Setting.KEY_BYTES, phase -> phase.keyShape().isPresent(), Setting.RECORDS)
              .report(
                  "keys of '%d' bytes are too short for %s records%s with %d under each prefix%s;"
                      + " they must be at least %d",
                  shape.bytes(),
                  records,
                  inserts ? " and room for inserts" : "",
                  shape.perPrefix(),
                  prefix,
                  least);
          return;
        }
      }
    }
  }

  private void checkHashed(KeyShape shape, long room) {
    if (shape.under(keyPrefix).capacity() < room) {
      place(Setting.KEY_BYTES, phase -> phase.keyShape().isPresent(), Setting.RECORDS)
          .report(
              "hashed keys of '%d' bytes are too short for %d records; they need 19 digits at"
                  + " most",
              shape.bytes(), room);
    }
    if (stated.containsKey(Setting.PREFIX_RECORDS)) {
      place(Setting.PREFIX_RECORDS).report("hashed keys have no prefixes; remove it");
    }
    phases.stream()
        .filter(phase -> phase.value().workload().operations().contains(Operation.PREFIX_SCAN))
        .forEach(phase -> phase.report("prefix-scan needs ordered keys, not hashed ones"));
  }

  private void checkValueBytes(boolean verified) {
    for (String bytes : values(Setting.VALUE_BYTES)) {
      ValueShape shape = Shapes.values(specs(), Map.of(Setting.VALUE_BYTES, bytes));
      boolean json = shape.kind() == ValueShape.Kind.JSON;
      int least =
          verified ? shape.kind().smallestVerifiable() : Math.max(1, shape.kind().smallest());
      if (shape.sizes().min() < least) {
        Setting setting = json ? Setting.VALUE_BYTES : Setting.VERIFY;
        place(setting, phase -> phase.valueShape().isPresent(), Setting.VALUE_BYTES)
            .report(
                "values of '%d' bytes are too short %s; they must be at least %d",
                shape.sizes().min(), json ? "for JSON" : "to be verified", least);
        return;
      }
    }
  }

  /** Returns the place of {@code setting}, or of the first matching phase, or of the other one. */
  private SourceLocation place(Setting setting, Predicate<Workload> matches, Setting otherwise) {
    return phases.stream()
        .filter(phase -> !stated.containsKey(setting) && matches.test(phase.value().workload()))
        .findFirst()
        .map(Located::place)
        .orElseGet(() -> place(stated.containsKey(setting) ? setting : otherwise));
  }

  private void checkRequests(Located<PhaseSpec> phase) {
    long batch = most(phase, Setting.BATCH);
    long pipeline = most(phase, Setting.PIPELINE);
    long connections = most(phase, Setting.CONNECTIONS);
    Workload workload = phase.value().workload();
    String name = phase.value().name();
    if (transactions(phase) && Math.max(batch, Math.max(pipeline, connections)) > 1) {
      Setting setting =
          batch > 1 ? Setting.BATCH : pipeline > 1 ? Setting.PIPELINE : Setting.CONNECTIONS;
      place(phase, setting)
          .report(
              "phase '%s' has a transaction, whose requests are sent one after the other; set '%s' to 1",
              name, setting.label());
    } else if (workload.hosted().isPresent() && Math.max(batch, pipeline) > 1) {
      place(phase, Setting.BATCH, Setting.PIPELINE)
          .report(
              "phase '%s' is a YCSB workload, which sends single requests; batch '%d' and pipeline"
                  + " '%d' must be 1",
              name, batch, pipeline);
    } else if (connections > 1 && !multiplexed(workload, batch)) {
      place(phase, Setting.CONNECTIONS, Setting.BATCH)
          .report(
              "phase '%s' has connections '%d', which support only single reads, inserts, updates"
                  + " and deletes, not scans, batches or YCSB workloads; use threads instead",
              name, connections);
    } else if (workload.trace().isPresent() && batch > 1) {
      place(phase, Setting.BATCH, Setting.BATCH)
          .report("phase '%s' is a trace, which has single requests; batch must be 1", name);
    } else if (workload.trace().filter(Replay::paced).isPresent() && pipeline > 1) {
      place(phase, Setting.PIPELINE, Setting.PIPELINE)
          .report(
              "phase '%s' follows the clock of a trace, in which each request has its own time;"
                  + " set pipeline to 1, or 'clock: none'",
              name);
    } else if (batch > 1 && pipeline > 1) {
      place(phase, Setting.BATCH, Setting.PIPELINE)
          .report(
              "phase '%s' has batch '%d' and pipeline '%d'; one of them must be 1",
              name, batch, pipeline);
    }
  }

  private static boolean transactions(Located<PhaseSpec> phase) {
    return phase.value().workloads().stream().anyMatch(one -> !one.mix().transaction().isEmpty());
  }

  private static boolean multiplexed(Workload workload, long batch) {
    return batch == 1
        && workload.hosted().isEmpty()
        && workload.operations().stream().allMatch(Operation::pipelined);
  }

  private void checkArrivals() {
    String random = ArrivalProcess.POISSON.label();
    boolean any = phases.stream().anyMatch(phase -> of(phase, Setting.ARRIVALS).contains(random));
    boolean rated =
        phases.stream()
            .anyMatch(
                phase ->
                    phase.value().sweep().isPresent()
                        || phase.value().groups().stream()
                            .anyMatch(group -> !group.rate().equals(Pacing.UNLIMITED))
                        || !of(phase, Setting.RATE).equals(List.of(Pacing.UNLIMITED)));
    if (any && !rated) {
      phases.stream()
          .filter(phase -> random.equals(phase.value().settings().get(Setting.ARRIVALS)))
          .findFirst()
          .map(Located::place)
          .orElseGet(() -> place(Setting.ARRIVALS))
          .report("'" + random + "' has no effect without a rate; set 'rate'");
    }
  }

  /** Every machine needs a thread in every phase, and workloads that can be divided. */
  private void checkMachines(boolean crash) {
    long machines = numbers(values(Setting.MACHINES)).max().orElse(1);
    if (machines == 1) {
      return;
    }
    if (crash) {
      place(Setting.MACHINES).report("a crash test uses '1' machine, not '%d'", machines);
    }
    for (Located<PhaseSpec> phase : phases) {
      String name = phase.value().name();
      long threads = numbers(of(phase, Setting.THREADS)).min().orElseThrow();
      if (phase.value().workload().hosted().isPresent()) {
        phase.report("phase '%s' is a YCSB workload, which runs on '1' machine", name);
      } else if (phase.value().workload().trace().isPresent()) {
        phase.report("phase '%s' is a trace, which runs on '1' machine", name);
      } else if (!phase.value().groups().isEmpty()) {
        phase.report("phase '%s' has groups, which run on '1' machine", name);
      } else if (threads < machines) {
        place(phase, Setting.THREADS, Setting.MACHINES)
            .report(
                "phase '%s' has '%d' threads for '%d' machines; each machine needs one",
                name, threads, machines);
      }
    }
  }

  /** A warm-up would fill the page cache that was dropped. */
  private void checkCold(Located<PhaseSpec> phase) {
    if (phase.value().load() || !of(phase, Setting.COLD).contains("true")) {
      return;
    }
    for (String warmup : of(phase, Setting.WARMUP)) {
      if (!Limits.of(warmup, "", "").warmup().isZero()) {
        place(phase, Setting.COLD)
            .report(
                "phase '%s' is cold, but its warm-up of '%s' would fill the cache; set 'warmup:"
                    + " 0s'",
                phase.value().name(), warmup);
        return;
      }
    }
  }

  /** Returns whether a rate decides the whole throughput of {@code phase}. */
  private boolean rated(Located<PhaseSpec> phase) {
    List<GroupSpec> groups = phase.value().groups();
    return groups.isEmpty()
        ? !of(phase, Setting.RATE).equals(List.of(Pacing.UNLIMITED))
        : groups.stream().noneMatch(group -> group.rate().equals(Pacing.UNLIMITED));
  }

  /** Throughput says nothing about the store if a rate or a recording decides it. */
  private void checkSteady(Located<PhaseSpec> phase) {
    boolean steady =
        of(phase, Setting.WARMUP).stream().anyMatch(text -> Limits.of(text, "", "").untilSteady());
    Workload workload = phase.value().workload();
    if (phase.value().load() || !steady) {
      return;
    }
    Optional<String> why =
        workload.trace().isPresent()
            ? Optional.of("a trace")
            : phase.value().sweep().isPresent()
                ? Optional.of("a 'curve' or a 'search'")
                : workload.mix().drain()
                    ? Optional.of("a workload that drains the store")
                    : rated(phase)
                        ? Optional.of("a 'rate', which decides the throughput")
                        : Optional.empty();
    why.ifPresent(
        text ->
            place(phase, Setting.WARMUP)
                .report(
                    "phase '%s' warms up until it is steady, which does not apply to %s; state a time",
                    phase.value().name(), text));
  }

  /** A failed request is repeated while its phase lasts, and before another one is sent. */
  private void checkErrors(Located<PhaseSpec> phase) {
    if (phase.value().load() || !of(phase, Setting.ERRORS).contains("allowed")) {
      return;
    }
    Workload workload = phase.value().workload();
    boolean single = most(phase, Setting.PIPELINE) == 1 && most(phase, Setting.CONNECTIONS) == 1;
    Optional<String> problem =
        workload.hosted().isPresent() || workload.trace().isPresent()
            ? Optional.of("a YCSB workload or a trace")
            : phase.value().sweep().isPresent()
                ? Optional.of("a 'curve' or a 'search'")
                : !of(phase, Setting.OPERATIONS).equals(List.of(""))
                    ? Optional.of("'operations'; set 'duration'")
                    : transactions(phase)
                        ? Optional.of("a transaction")
                        : single
                            ? Optional.empty()
                            : Optional.of("'pipeline' or 'connections' over 1; use threads");
    problem.ifPresent(
        why ->
            place(phase, Setting.ERRORS)
                .report(
                    "phase '%s' allows errors, which is impossible with %s",
                    phase.value().name(), why));
  }

  private List<String> of(Located<PhaseSpec> phase, Setting setting) {
    String ofPhase = phase.value().settings().get(setting);
    return ofPhase == null ? values(setting) : List.of(ofPhase);
  }

  private void checkThreads(Located<PhaseSpec> phase) {
    long connections = most(phase, Setting.CONNECTIONS);
    long each = most(phase, Setting.THREADS);
    long inGroups =
        phase.value().groups().stream().mapToLong(g -> g.threads().orElse((int) each)).sum();
    long threads = (phase.value().groups().isEmpty() ? each : inGroups) * connections;
    long records = numbers(values(Setting.RECORDS)).min().orElseThrow();
    if (threads > records) {
      place(phase, Setting.THREADS, Setting.CONNECTIONS)
          .report(
              "'%d' %s are more than '%d' records",
              threads, connections == 1 ? "threads" : "connections of all threads", records);
    } else if (threads * deletes(phase) > records) {
      phase.report(
          "the transactions of phase '%s' delete '%d' records at a time, more than all '%d'; use fewer"
              + " threads or deletes",
          phase.value().name(), threads * deletes(phase), records);
    }
  }

  /**
   * Returns the largest number of deletes in a transaction, which end before records are restored.
   */
  private static long deletes(Located<PhaseSpec> phase) {
    return phase.value().workloads().stream()
        .filter(workload -> !workload.mix().transaction().isEmpty())
        .mapToLong(workload -> workload.mix().weights().getOrDefault(Operation.DELETE, 0))
        .max()
        .orElse(0);
  }

  private long most(Located<PhaseSpec> phase, Setting setting) {
    return numbers(of(phase, setting)).max().orElseThrow();
  }

  private static LongStream numbers(List<String> values) {
    return values.stream().filter(value -> !value.isEmpty()).mapToLong(Long::parseLong);
  }

  private List<String> values(Setting setting) {
    return stated.containsKey(setting)
        ? stated.get(setting).value()
        : List.of(setting.defaultValue());
  }

  private SourceLocation place(Setting setting) {
    return stated.containsKey(setting) ? stated.get(setting).place() : root;
  }

  /** Returns the place of the phase if it states one of {@code settings}, else the scenario's. */
  private SourceLocation place(Located<PhaseSpec> phase, Setting... settings) {
    boolean inPhase =
        Stream.of(settings).anyMatch(setting -> phase.value().settings().containsKey(setting));
    return Stream.of(settings)
        .filter(setting -> !inPhase && stated.containsKey(setting))
        .findFirst()
        .map(this::place)
        .orElse(phase.place());
  }
}

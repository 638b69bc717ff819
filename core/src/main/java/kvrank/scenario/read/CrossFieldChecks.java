package kvrank.scenario.read;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import kvrank.engine.Fsync;
import kvrank.input.Located;
import kvrank.input.SourceLocation;
import kvrank.scenario.FactorPoints;
import kvrank.scenario.Medium;
import kvrank.scenario.MemoryLimit;
import kvrank.scenario.PhaseSpec;
import kvrank.scenario.Setting;
import kvrank.scenario.Shapes;
import kvrank.workload.Workload;
import kvrank.workload.key.KeyShape;
import kvrank.workload.pace.ArrivalProcess;
import kvrank.workload.pace.Pacing;
import kvrank.workload.request.DurationFormat;
import kvrank.workload.request.Operation;
import kvrank.workload.trace.Replay;
import kvrank.workload.value.Ttl;
import kvrank.workload.value.ValueShape;
import kvrank.workload.value.ValueSizes;

/**
 * Refuses values that are right one by one and impossible together; {@code stated} has settings.
 */
record CrossFieldChecks(
    SourceLocation root,
    List<Located<PhaseSpec>> phases,
    SortedMap<Setting, Located<List<String>>> stated,
    String keyPrefix) {

  /** A phase that inserts may bring this many times the records that were loaded. */
  private static final long ROOM_FOR_INSERTS = 10;

  /** {@code crash} says whether there is a crash test, which has to know each value again. */
  void check(Medium medium, boolean crash) {
    for (String fsync : values(Setting.FSYNC)) {
      if (medium == Medium.MEMORY && Fsync.of(fsync).promises()) {
        place(Setting.FSYNC)
            .report("'%s' has no meaning on storage in memory; ask for ssd or hdd", fsync);
      }
    }
    checkOne("keys of %s bytes", Setting.KEY_BYTES, each -> each.keyShape().map(KeyShape::bytes));
    checkOne(
        "%s records under a prefix",
        Setting.PREFIX_RECORDS, each -> each.keyShape().map(KeyShape::perPrefix));
    checkOne(
        "values of %s bytes",
        Setting.VALUE_BYTES, each -> each.valueShape().map(CrossFieldChecks::sizes));
    checkOne("values of %s", null, each -> each.valueShape().map(CrossFieldChecks::contents));
    checkOne("a ttl of %s", null, each -> each.ttl().map(CrossFieldChecks::ttl));
    checkKeyDigits();
    checkValueBytes(crash || values(Setting.VERIFY).contains("values"));
    checkArrivals();
    checkMachines(crash);
    if (crash
        && values(Setting.MAXMEMORY).stream().anyMatch(each -> MemoryLimit.of(each).isPresent())) {
      place(Setting.MAXMEMORY)
          .report("a crash test cannot tell what is lost from what was given up for 'maxmemory'");
    }
    for (Located<PhaseSpec> phase : phases) {
      checkRequests(phase);
      checkThreads(phase);
      checkCold(phase);
    }
  }

  private List<PhaseSpec> specs() {
    return phases.stream().map(Located::value).toList();
  }

  /**
   * Refuses a second answer to one question, unless {@code setting}, if not null, overrides them.
   */
  private void checkOne(String form, Setting setting, Function<Workload, Optional<?>> question) {
    if (setting != null && stated.containsKey(setting)) {
      return;
    }
    String first = null;
    String said = "";
    for (Located<PhaseSpec> phase : phases) {
      Workload workload = phase.value().workload();
      String answer = question.apply(workload).map(each -> form.formatted(each)).orElse(said);
      if (first == null && !answer.isEmpty()) {
        first = workload.name();
        said = answer;
      } else if (!answer.equals(said)) {
        phase.report(
            "workload '%s' states %s, but '%s' states %s; %s",
            workload.name(),
            answer,
            first,
            said,
            setting == null
                ? "a run has one shape, so ask in two scenarios"
                : "set '%s' to decide".formatted(setting.label()));
      }
    }
  }

  private static Object sizes(ValueShape shape) {
    ValueSizes sizes = shape.sizes();
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
    String behind =
        keyPrefix.isEmpty()
            ? ""
            : ", behind the %d of kvrank's own on a server that is shared"
                .formatted(keyPrefix.length());
    SortedMap<Setting, List<String>> shapes = new TreeMap<>();
    for (Setting each : List.of(Setting.KEY_BYTES, Setting.PREFIX_RECORDS)) {
      shapes.put(each, values(each));
    }
    for (String records : values(Setting.RECORDS)) {
      long room = Long.parseLong(records) * (inserts ? ROOM_FOR_INSERTS : 1);
      for (SortedMap<Setting, String> point : FactorPoints.of(shapes)) {
        KeyShape shape = Shapes.keys(specs(), point);
        int least = keyPrefix.length() + Shapes.keyDigits(room, shape.perPrefix());
        if (shape.bytes() < least) {
          place(Setting.KEY_BYTES, phase -> phase.keyShape().isPresent(), Setting.RECORDS)
              .report(
                  "'%d' bytes are too few for the keys of %s records%s, %d under a prefix%s;"
                      + " they must be at least %d",
                  shape.bytes(),
                  records,
                  inserts ? " and room for inserts" : "",
                  shape.perPrefix(),
                  behind,
                  least);
          return;
        }
      }
    }
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

  /** Returns the setting, or the first phase whose workload is meant, or another setting. */
  private SourceLocation place(Setting setting, Predicate<Workload> meant, Setting otherwise) {
    return phases.stream()
        .filter(phase -> !stated.containsKey(setting) && meant.test(phase.value().workload()))
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
    if (workload.hosted().isPresent() && Math.max(batch, pipeline) > 1) {
      place(phase, Setting.BATCH, Setting.PIPELINE)
          .report(
              "phase '%s' is a workload of YCSB, which makes single requests; batch '%d' and"
                  + " pipeline '%d' must be 1",
              name, batch, pipeline);
    } else if (connections > 1 && !multiplexed(workload, batch)) {
      place(phase, Setting.CONNECTIONS, Setting.BATCH)
          .report(
              "phase '%s' has connections '%d', which take reads, inserts, updates and deletes one"
                  + " at a time, no scans, batches or workloads of YCSB; use threads instead",
              name, connections);
    } else if (workload.trace().isPresent() && batch > 1) {
      place(phase, Setting.BATCH, Setting.BATCH)
          .report("phase '%s' is a trace, whose requests are single; batch must be 1", name);
    } else if (workload.trace().filter(Replay::paced).isPresent() && pipeline > 1) {
      place(phase, Setting.PIPELINE, Setting.PIPELINE)
          .report(
              "phase '%s' has the clock of a trace, by which each request has a time of its own;"
                  + " pipeline must be 1, or 'clock: none'",
              name);
    } else if (batch > 1 && pipeline > 1) {
      place(phase, Setting.BATCH, Setting.PIPELINE)
          .report(
              "phase '%s' has batch '%d' and pipeline '%d'; one of them must be 1",
              name, batch, pipeline);
    }
  }

  private static boolean multiplexed(Workload workload, long batch) {
    return batch == 1
        && workload.hosted().isEmpty()
        && workload.operations().stream().allMatch(Operation::pipelined);
  }

  /** A parameter of something that is nowhere. */
  private void checkArrivals() {
    String random = ArrivalProcess.POISSON.label();
    boolean any = phases.stream().anyMatch(each -> of(each, Setting.ARRIVALS).contains(random));
    boolean rated =
        phases.stream()
            .anyMatch(
                each ->
                    each.value().sweep().isPresent()
                        || !of(each, Setting.RATE).equals(List.of(Pacing.UNLIMITED)));
    if (any && !rated) {
      phases.stream()
          .filter(phase -> random.equals(phase.value().settings().get(Setting.ARRIVALS)))
          .findFirst()
          .map(Located::place)
          .orElseGet(() -> place(Setting.ARRIVALS))
          .report("'" + random + "' has no meaning without a rate; set 'rate'");
    }
  }

  /** Every machine needs a thread in every phase, and a part of a workload that can be shared. */
  private void checkMachines(boolean crash) {
    long machines = numbers(values(Setting.MACHINES)).max().orElse(1);
    if (machines == 1) {
      return;
    }
    if (crash) {
      place(Setting.MACHINES).report("a crash test has '1' machine, not '%d'", machines);
    }
    for (Located<PhaseSpec> phase : phases) {
      String name = phase.value().name();
      long threads = numbers(of(phase, Setting.THREADS)).min().orElseThrow();
      if (phase.value().workload().hosted().isPresent()) {
        phase.report("phase '%s' is a workload of YCSB, which has '1' machine", name);
      } else if (phase.value().workload().trace().isPresent()) {
        phase.report("phase '%s' is a trace, which is a file of '1' machine", name);
      } else if (threads < machines) {
        place(phase, Setting.THREADS, Setting.MACHINES)
            .report(
                "phase '%s' has '%d' threads for '%d' machines; each needs one",
                name, threads, machines);
      }
    }
  }

  /** A warm-up would read what was dropped before it. */
  private void checkCold(Located<PhaseSpec> phase) {
    if (phase.value().load() || !of(phase, Setting.COLD).contains("true")) {
      return;
    }
    for (String warmup : of(phase, Setting.WARMUP)) {
      if (!DurationFormat.parse(warmup).orElseThrow().isZero()) {
        place(phase, Setting.COLD)
            .report(
                "phase '%s' is cold and has a warm-up of '%s', which would warm it; set 'warmup:"
                    + " 0s'",
                phase.value().name(), warmup);
        return;
      }
    }
  }

  private List<String> of(Located<PhaseSpec> phase, Setting setting) {
    String own = phase.value().settings().get(setting);
    return own == null ? values(setting) : List.of(own);
  }

  private void checkThreads(Located<PhaseSpec> phase) {
    long connections = most(phase, Setting.CONNECTIONS);
    long threads = most(phase, Setting.THREADS) * connections;
    long records = numbers(values(Setting.RECORDS)).min().orElseThrow();
    if (threads > records) {
      place(phase, Setting.THREADS, Setting.CONNECTIONS)
          .report(
              "'%d' %s are more than '%d' records",
              threads, connections == 1 ? "threads" : "connections of all threads", records);
    }
  }

  private long most(Located<PhaseSpec> phase, Setting setting) {
    return numbers(of(phase, setting)).max().orElseThrow();
  }

  private static LongStream numbers(List<String> values) {
    return values.stream().filter(each -> !each.isEmpty()).mapToLong(Long::parseLong);
  }

  private List<String> values(Setting setting) {
    return stated.containsKey(setting)
        ? stated.get(setting).value()
        : List.of(setting.defaultValue());
  }

  private SourceLocation place(Setting setting) {
    return stated.containsKey(setting) ? stated.get(setting).place() : root;
  }

  /** Returns the phase if it states one of {@code settings}, else where the scenario does. */
  private SourceLocation place(Located<PhaseSpec> phase, Setting... settings) {
    boolean own = Stream.of(settings).anyMatch(each -> phase.value().settings().containsKey(each));
    return Stream.of(settings)
        .filter(setting -> !own && stated.containsKey(setting))
        .findFirst()
        .map(this::place)
        .orElse(phase.place());
  }
}

package kvrank.scenario;

import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import kvrank.workload.Arrivals;
import kvrank.workload.DurationFormat;
import kvrank.workload.KeyShape;
import kvrank.workload.Operation;
import kvrank.workload.Pacing;
import kvrank.workload.ValueShape;
import kvrank.workload.Workload;

/** Refuses values that are right one by one and impossible together. */
final class CrossFieldChecks {

  /** What a value needs to carry its record's number and its version. */
  private static final int LEAST_VERIFIED_BYTES = 16;

  /** What the smallest JSON document that names its record needs. */
  private static final int LEAST_JSON_BYTES = 96;

  /** A phase that inserts may bring this many times the records that were loaded. */
  private static final long ROOM_FOR_INSERTS = 10;

  private final SourceLocation root;
  private final List<Located<PhaseSpec>> phases;
  private final SortedMap<Setting, Located<List<String>>> stated;
  private final boolean crash;

  /**
   * @param crash whether there is a crash test, which has to know each value again
   */
  CrossFieldChecks(
      SourceLocation root,
      List<Located<PhaseSpec>> phases,
      SortedMap<Setting, Located<List<String>>> stated,
      boolean crash) {
    this.crash = crash;
    this.root = root;
    this.phases = List.copyOf(phases);
    this.stated = stated;
  }

  void check(Medium medium) {
    if (medium == Medium.MEMORY && values(Setting.FSYNC).contains(Fsync.ON.label())) {
      place(Setting.FSYNC).report("'on' has no meaning on storage in memory; ask for ssd or hdd");
    }
    checkOneShape();
    checkKeyDigits();
    checkValueBytes();
    checkArrivals();
    for (Located<PhaseSpec> phase : phases) {
      checkRequests(phase);
      checkThreads(phase);
      checkCold(phase);
    }
  }

  private void checkOneShape() {
    if (!stated.containsKey(Setting.KEY_BYTES)) {
      checkOne("keys of %s bytes", Setting.KEY_BYTES, keys(KeyShape::bytes));
    }
    if (!stated.containsKey(Setting.PREFIX_RECORDS)) {
      checkOne("%s records under a prefix", Setting.PREFIX_RECORDS, keys(KeyShape::perPrefix));
    }
    if (!stated.containsKey(Setting.VALUE_BYTES)) {
      checkOne("values of %s bytes", Setting.VALUE_BYTES, values(CrossFieldChecks::sizes));
    }
    checkOne("values of %s", null, values(CrossFieldChecks::contents));
  }

  /**
   * Refuses a second answer to one question.
   *
   * @param setting what would override the workloads, or null
   */
  private void checkOne(
      String form, Setting setting, Function<Workload, Optional<Object>> question) {
    PhaseSpec first = null;
    for (Located<PhaseSpec> phase : phases) {
      Optional<Object> answer = question.apply(phase.value().workload());
      if (answer.isEmpty()) {
        continue;
      }
      if (first == null) {
        first = phase.value();
        continue;
      }
      Object before = question.apply(first.workload()).orElseThrow();
      if (!answer.get().equals(before)) {
        phase
            .place()
            .report(
                "workload '%s' states %s, but '%s' states %s; %s"
                    .formatted(
                        phase.value().workload().name(),
                        form.formatted(answer.get()),
                        first.workload().name(),
                        form.formatted(before),
                        setting == null
                            ? "a run has one shape, so ask in two scenarios"
                            : "set '%s' to decide".formatted(setting.label())));
      }
    }
  }

  private static Function<Workload, Optional<Object>> keys(Function<KeyShape, Object> part) {
    return workload -> workload.keyShape().map(part);
  }

  private static Function<Workload, Optional<Object>> values(Function<ValueShape, Object> part) {
    return workload -> workload.valueShape().map(part);
  }

  private static Object sizes(ValueShape shape) {
    return shape.minBytes() == shape.maxBytes()
        ? String.valueOf(shape.minBytes())
        : "%d to %d (%s)"
            .formatted(
                shape.minBytes(), shape.maxBytes(), shape.sizes().name().toLowerCase(Locale.ROOT));
  }

  private static Object contents(ValueShape shape) {
    return shape.kind() == ValueShape.Kind.JSON
        ? "kind json"
        : "kind random, compressibility " + shape.compressibility();
  }

  private void checkKeyDigits() {
    boolean inserts =
        phases.stream()
            .map(Located::value)
            .anyMatch(p -> !p.load() && p.workload().operations().contains(Operation.INSERT));
    for (String records : values(Setting.RECORDS)) {
      for (String bytes : values(Setting.KEY_BYTES)) {
        for (String perPrefix : values(Setting.PREFIX_RECORDS)) {
          long room = Long.parseLong(records) * (inserts ? ROOM_FOR_INSERTS : 1);
          KeyShape shape = shape(bytes, perPrefix);
          int least = Shapes.keyDigits(room, shape.perPrefix());
          if (shape.bytes() < least) {
            keyPlace()
                .report(
                    ("'%d' bytes are too few for the keys of %s records%s, %d under a prefix;"
                            + " they must be at least %d")
                        .formatted(
                            shape.bytes(),
                            records,
                            inserts ? " and room for inserts" : "",
                            shape.perPrefix(),
                            least));
            return;
          }
        }
      }
    }
  }

  private KeyShape shape(String keyBytes, String perPrefix) {
    Map<Setting, String> settings = new EnumMap<>(Setting.class);
    settings.put(Setting.KEY_BYTES, keyBytes);
    settings.put(Setting.PREFIX_RECORDS, perPrefix);
    return Shapes.keys(specs(), settings);
  }

  /** Returns the setting, or the phase whose workload states the keys, or the number of records. */
  private SourceLocation keyPlace() {
    if (stated.containsKey(Setting.KEY_BYTES)) {
      return place(Setting.KEY_BYTES);
    }
    return firstPlace(phase -> phase.workload().keyShape().isPresent(), Setting.RECORDS);
  }

  private SourceLocation firstPlace(Predicate<PhaseSpec> condition, Setting otherwise) {
    return phases.stream()
        .filter(phase -> condition.test(phase.value()))
        .map(Located::place)
        .findFirst()
        .orElseGet(() -> place(otherwise));
  }

  private void checkValueBytes() {
    boolean verified = crash || values(Setting.VERIFY).contains("values");
    for (String bytes : values(Setting.VALUE_BYTES)) {
      ValueShape shape = Shapes.values(specs(), Map.of(Setting.VALUE_BYTES, bytes));
      boolean json = shape.kind() == ValueShape.Kind.JSON;
      int least = json ? LEAST_JSON_BYTES : verified ? LEAST_VERIFIED_BYTES : 1;
      if (shape.minBytes() < least) {
        valuePlace(json ? Setting.VALUE_BYTES : Setting.VERIFY)
            .report(
                "values of '%d' bytes are too short %s; they must be at least %d"
                    .formatted(shape.minBytes(), json ? "for JSON" : "to be verified", least));
        return;
      }
    }
  }

  private SourceLocation valuePlace(Setting setting) {
    return stated.containsKey(setting)
        ? place(setting)
        : firstPlace(phase -> phase.workload().valueShape().isPresent(), Setting.VALUE_BYTES);
  }

  private void checkRequests(Located<PhaseSpec> phase) {
    long batch = most(phase.value(), Setting.BATCH);
    long pipeline = most(phase.value(), Setting.PIPELINE);
    long connections = most(phase.value(), Setting.CONNECTIONS);
    if (phase.value().workload().hosted().isPresent() && Math.max(batch, pipeline) > 1) {
      place(phase, Setting.BATCH, Setting.PIPELINE)
          .report(
              "phase '%s' is a workload of YCSB, which makes single requests; batch '%d' and pipeline '%d' must be 1"
                  .formatted(phase.value().name(), batch, pipeline));
      return;
    }
    if (connections > 1 && !multiplexed(phase.value().workload(), batch)) {
      place(phase, Setting.CONNECTIONS, Setting.BATCH)
          .report(
              "phase '%s' has connections '%d', which take reads, inserts, updates and deletes one at a time, no scans, batches or workloads of YCSB; use threads instead"
                  .formatted(phase.value().name(), connections));
      return;
    }
    if (batch > 1 && pipeline > 1) {
      place(phase, Setting.BATCH, Setting.PIPELINE)
          .report(
              "phase '%s' has batch '%d' and pipeline '%d'; one of them must be 1"
                  .formatted(phase.value().name(), batch, pipeline));
    }
  }

  private static boolean multiplexed(Workload workload, long batch) {
    return batch == 1
        && workload.hosted().isEmpty()
        && workload.operations().stream().allMatch(Operation::pipelined);
  }

  /** A parameter of something that is nowhere. */
  private void checkArrivals() {
    String random = Arrivals.POISSON.label();
    if (phases.stream().noneMatch(phase -> phase.value().sweep().isPresent())
        && everywhere(Setting.RATE).allMatch(Pacing.UNLIMITED::equals)
        && everywhere(Setting.ARRIVALS).anyMatch(random::equals)) {
      Optional<Located<PhaseSpec>> own =
          phases.stream()
              .filter(phase -> random.equals(phase.value().settings().get(Setting.ARRIVALS)))
              .findFirst();
      own.map(Located::place)
          .orElseGet(() -> place(Setting.ARRIVALS))
          .report("'" + random + "' has no meaning without a rate; set 'rate'");
    }
  }

  /** Returns every value that a setting has in any phase. */
  private Stream<String> everywhere(Setting setting) {
    return phases.stream()
        .map(phase -> phase.value().settings().get(setting))
        .flatMap(own -> own == null ? values(setting).stream() : Stream.of(own));
  }

  /** A warm-up would read what was dropped before it. */
  private void checkCold(Located<PhaseSpec> phase) {
    if (phase.value().load() || !of(phase, Setting.COLD).contains("true")) {
      return;
    }
    of(phase, Setting.WARMUP).stream()
        .filter(warmup -> !DurationFormat.parse(warmup).orElseThrow().isZero())
        .findFirst()
        .ifPresent(
            warmup ->
                place(phase, Setting.COLD)
                    .report(
                        "phase '%s' is cold and has a warm-up of '%s', which would warm it; set 'warmup: 0s'"
                            .formatted(phase.value().name(), warmup)));
  }

  private List<String> of(Located<PhaseSpec> phase, Setting setting) {
    String own = phase.value().settings().get(setting);
    return own == null ? values(setting) : List.of(own);
  }

  private void checkThreads(Located<PhaseSpec> phase) {
    long connections = most(phase.value(), Setting.CONNECTIONS);
    long threads = most(phase.value(), Setting.THREADS) * connections;
    long records = values(Setting.RECORDS).stream().mapToLong(Long::parseLong).min().orElseThrow();
    if (threads > records) {
      place(phase, Setting.THREADS, Setting.CONNECTIONS)
          .report(
              connections == 1
                  ? "'%d' threads are more than '%d' records".formatted(threads, records)
                  : "'%d' connections of all threads are more than '%d' records"
                      .formatted(threads, records));
    }
  }

  private long most(PhaseSpec phase, Setting setting) {
    String own = phase.settings().get(setting);
    return own != null
        ? Long.parseLong(own)
        : values(setting).stream().mapToLong(Long::parseLong).max().orElseThrow();
  }

  private List<String> values(Setting setting) {
    return stated.containsKey(setting)
        ? stated.get(setting).value()
        : List.of(setting.defaultValue());
  }

  private List<PhaseSpec> specs() {
    return phases.stream().map(Located::value).toList();
  }

  private SourceLocation place(Setting setting) {
    return stated.containsKey(setting) ? stated.get(setting).place() : root;
  }

  /**
   * Returns the phase if it states one of {@code settings} itself, else where the scenario does.
   */
  private SourceLocation place(Located<PhaseSpec> phase, Setting... settings) {
    for (Setting setting : settings) {
      if (phase.value().settings().containsKey(setting)) {
        return phase.place();
      }
    }
    for (Setting setting : settings) {
      if (stated.containsKey(setting)) {
        return place(setting);
      }
    }
    return phase.place();
  }
}

package kvrank.scenario;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import kvrank.engine.Fsync;
import kvrank.input.YamlValue;
import kvrank.workload.key.KeyShape;
import kvrank.workload.pace.ArrivalProcess;
import kvrank.workload.pace.Pacing;
import kvrank.workload.request.DurationFormat;
import kvrank.workload.request.Labelled;
import kvrank.workload.request.Limits;
import kvrank.workload.value.ValueSizes;

/** A setting of a scenario: one value, several as a factor, or one for a single phase. */
public enum Setting implements Labelled {
  FSYNC(""),
  RECORDS("100000"),
  THREADS("1"),
  /** Machines that run the threads; empty means the one that kvrank runs on. */
  MACHINES(""),
  /** Connections per thread, each with its own requests in flight. */
  CONNECTIONS("1"),
  /** Records per request. */
  BATCH("1"),
  /** Requests in flight per connection. */
  PIPELINE("1"),
  /** Operations per second of all threads, or {@code max}. */
  RATE("max"),
  /** Distribution over time of the operations at a rate: {@code constant} or {@code poisson}. */
  ARRIVALS("constant"),
  /** Length of keys; empty means as the workloads state. */
  KEY_BYTES(""),
  /** Length of values; empty means as the workloads state. */
  VALUE_BYTES(""),
  /** Records under one prefix; empty means as the workloads state. */
  PREFIX_RECORDS(""),
  /** Memory limit of an engine and its client; empty means none. */
  MEMORY(""),
  /** Size beyond which an engine evicts records; empty means never. */
  MAXMEMORY(""),
  WARMUP("2s"),
  DURATION("10s"),
  /** Counted operations per phase instead of a duration; empty means a duration. */
  OPERATIONS(""),
  /** Whether the page cache is dropped before each phase; empty means no. */
  COLD(""),
  /** Wait after a phase: {@code until-idle} or a time; empty means none. */
  SETTLE(""),
  /** Time after which a phase fails; empty means none. */
  TIME_LIMIT(""),
  /** Whether failed requests are repeated, and the phase counts; empty means that it fails. */
  ERRORS(""),
  /**
   * Whether each value read is checked against its key: {@code values} or {@code none}. The crash
   * test has the same key but is not a setting: it does not change the measurements before it.
   */
  VERIFY("none");

  /** The value of {@link #SETTLE} that waits for the end of background work. */
  public static final String UNTIL_IDLE = "until-idle";

  private static final String AT_LEAST = "at-least";

  private final String defaultValue;

  Setting(String defaultValue) {
    this.defaultValue = defaultValue;
  }

  /** Returns the value of a scenario that states none; may be empty. */
  public String defaultValue() {
    return defaultValue;
  }

  /** Returns whether a phase may have its own value; other settings are for the whole run. */
  public boolean perPhase() {
    return switch (this) {
      case FSYNC, RECORDS, MACHINES, MEMORY, MAXMEMORY, VERIFY -> false;
      case KEY_BYTES, VALUE_BYTES, PREFIX_RECORDS -> false;
      default -> true;
    };
  }

  /** Returns the largest whole number that is probably intended. */
  public long most() {
    return switch (this) {
      case THREADS, CONNECTIONS -> 10_000;
      case MACHINES -> 1_000;
      case BATCH, PIPELINE -> 1_000_000;
      case KEY_BYTES -> KeyShape.MOST_BYTES;
      case VALUE_BYTES -> ValueSizes.MOST_BYTES;
      default -> 1_000_000_000_000L;
    };
  }

  public static Optional<Setting> of(String label) {
    return Labelled.of(Setting.class, label);
  }

  public static List<String> labels() {
    return Arrays.stream(values()).map(Setting::label).toList();
  }

  /** Returns a value in its canonical form; reports a problem if it is invalid. */
  public Optional<String> read(YamlValue value) {
    return switch (this) {
      case FSYNC -> fsync(value);
      case VERIFY -> value.choice("verification", Map.of("values", "values", "none", "none"));
      case COLD -> value.choice("switch", Map.of("true", "true", "false", "false"));
      case SETTLE ->
          value.text().filter(UNTIL_IDLE::equals).isPresent()
              ? value.text()
              : value
                  .duration("'until-idle', or a number and ms, s, m or h, such as 30s")
                  .map(DurationFormat::format);
      case ERRORS ->
          value.choice("treatment of errors", Map.of("allowed", "allowed", "none", "none"));
      case ARRIVALS ->
          value.choice("kind of arrivals", ArrivalProcess.class).map(ArrivalProcess::label);
      case KEY_BYTES, VALUE_BYTES -> bytes(value).map(String::valueOf);
      case MEMORY -> memory(value, MemoryLimit.LEAST);
      case MAXMEMORY -> memory(value, 1 << 20);
      case RATE ->
          value.text().filter(Pacing.UNLIMITED::equals).isPresent()
              ? value.text()
              : value
                  .number("'max' or greater than 0 and at most 10^9", x -> x > 0 && x <= 1e9)
                  .map(Pacing::decimal);
      case WARMUP -> warmup(value);
      case DURATION -> value.positiveDuration("a phase");
      case TIME_LIMIT -> value.positiveDuration("a time limit");
      default -> value.integer(1, most()).map(String::valueOf);
    };
  }

  private Optional<String> memory(YamlValue value, long least) {
    return value.text().filter(MemoryLimit.NONE::equals).isPresent()
        ? value.text()
        : value.bytes(least, most()).map(bytes -> new MemoryLimit(bytes).toString());
  }

  private static Optional<String> warmup(YamlValue value) {
    if (value.isMap()) {
      return value
          .required("until")
          .choice("end of a warm-up", Map.of("steady", Limits.STEADY_WITHIN))
          .flatMap(
              within ->
                  value.required("at-most").positiveDuration("a warm-up").map(within::concat));
    }
    return value
        .text()
        .filter(text -> text.startsWith(Limits.STEADY_WITHIN))
        .filter(
            text -> DurationFormat.parse(text.substring(Limits.STEADY_WITHIN.length())).isPresent())
        .or(
            () ->
                value
                    .duration("a number and ms, s, m or h, such as 10s")
                    .map(DurationFormat::format));
  }

  private Optional<String> fsync(YamlValue value) {
    if (value.isMap() && value.get(AT_LEAST).isPresent()) {
      YamlValue least = value.get(AT_LEAST);
      Optional<String> level = fsync(least);
      return level.isEmpty() || level.flatMap(Fsync::parse).filter(Fsync::promises).isPresent()
          ? level.map(Fsync.AT_LEAST::concat)
          : least.report(
              "'%s' is not a minimum, as nothing is promised; write on, everysec or {every: 100ms}",
              level.get());
    }
    if (value.isMap()) {
      return value.required("every").positiveDuration("an interval").map("every-"::concat);
    }
    return value
        .text()
        .flatMap(
            text ->
                Fsync.atLeast(text)
                    .map(least -> Fsync.AT_LEAST + least.label())
                    .or(() -> Fsync.parse(text).map(Fsync::label)))
        .or(() -> value.oneOf("fsync level", Fsync.names()));
  }

  /** Returns a number of bytes that is valid for this setting. */
  public Optional<Integer> bytes(YamlValue value) {
    return value.bytes(1, most()).map(Long::intValue);
  }
}

package kvrank.scenario;

import java.util.Locale;
import java.util.Optional;

/** A setting of a scenario: one value for all, or several as a factor, or one for a phase. */
public enum Setting {
  FSYNC(Kind.FSYNC, ""),
  RECORDS(Kind.COUNT, "100000"),
  THREADS(Kind.COUNT, "1"),
  /** Connections per thread, each with requests of its own in flight. */
  CONNECTIONS(Kind.COUNT, "1"),
  /** Records in a request. */
  BATCH(Kind.COUNT, "1"),
  /** Requests in flight per connection. */
  PIPELINE(Kind.COUNT, "1"),
  /** Operations per second of all threads, or {@code max}. */
  RATE(Kind.RATE, "max"),
  /** How the operations of a rate are spread over time: {@code constant} or {@code poisson}. */
  ARRIVALS(Kind.ARRIVALS, "constant"),
  /** Overrides the workloads' keys; empty means as they say. */
  KEY_BYTES(Kind.BYTES, ""),
  /** Overrides the workloads' values; empty means as they say. */
  VALUE_BYTES(Kind.BYTES, ""),
  /** Records under one prefix; empty means as the workloads say. */
  PREFIX_RECORDS(Kind.COUNT, ""),
  WARMUP(Kind.DURATION, "2s"),
  DURATION(Kind.DURATION, "10s"),
  /** Counted operations per phase instead of a duration; empty means a duration. */
  OPERATIONS(Kind.COUNT, ""),
  /** Whether the page cache is dropped before each phase; empty means no. */
  COLD(Kind.SWITCH, ""),
  /**
   * Whether each value read is checked against its key: {@code values} or {@code none}. The crash
   * test, which the same key asks for, is no setting: what is measured before it is the same.
   */
  VERIFY(Kind.VERIFY, "none");

  private final Kind kind;
  private final String defaultValue;

  Setting(Kind kind, String defaultValue) {
    this.kind = kind;
    this.defaultValue = defaultValue;
  }

  /** Returns what its values look like. */
  public Kind kind() {
    return kind;
  }

  /** Returns the value where the scenario says nothing; empty if there is none. */
  public String defaultValue() {
    return defaultValue;
  }

  /** Returns whether a phase may have its own value; the others are facts of the whole run. */
  public boolean perPhase() {
    return switch (this) {
      case THREADS,
          CONNECTIONS,
          BATCH,
          PIPELINE,
          RATE,
          ARRIVALS,
          WARMUP,
          DURATION,
          OPERATIONS,
          COLD ->
          true;
      case FSYNC, RECORDS, KEY_BYTES, VALUE_BYTES, PREFIX_RECORDS, VERIFY -> false;
    };
  }

  /** Returns the largest whole number that is more likely meant than a slip of the keyboard. */
  long most() {
    return switch (this) {
      case THREADS, CONNECTIONS -> 10_000;
      case BATCH, PIPELINE -> 1_000_000;
      case KEY_BYTES -> 65_535;
      case VALUE_BYTES -> 512L << 20; // as Redis
      default -> 1_000_000_000_000L;
    };
  }

  /** Returns the name in YAML, results and tables, for example {@code value-bytes}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns the setting with that label, if there is one. */
  public static Optional<Setting> of(String label) {
    for (Setting setting : values()) {
      if (setting.label().equals(label)) {
        return Optional.of(setting);
      }
    }
    return Optional.empty();
  }

  /** The form of a setting's values, after normalisation. */
  public enum Kind {
    /** {@code on} or {@code off}. */
    FSYNC,
    /** A whole number of at least 1, digits only. */
    COUNT,
    /** The same, of bytes. */
    BYTES,
    /** {@code max} or a number greater than 0. */
    RATE,
    /** {@code constant} or {@code poisson}. */
    ARRIVALS,
    /** A number and {@code ms}, {@code s}, {@code m} or {@code h}. */
    DURATION,
    /** {@code true} or {@code false}. */
    SWITCH,
    /** {@code values} or {@code none}. */
    VERIFY
  }
}

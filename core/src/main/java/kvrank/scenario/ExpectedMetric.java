package kvrank.scenario;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What an expectation can be about. */
public enum ExpectedMetric {
  THROUGHPUT(Kind.RATE, Scope.EITHER),
  MEAN(Kind.LATENCY, Scope.OPERATION),
  P50(Kind.LATENCY, Scope.OPERATION),
  P99(Kind.LATENCY, Scope.OPERATION),
  P999(Kind.LATENCY, Scope.OPERATION),
  ERRORS(Kind.COUNT, Scope.EITHER),
  NOT_FOUND(Kind.COUNT, Scope.EITHER),
  LOAD_TIME(Kind.TIME, Scope.LOAD),
  MEMORY(Kind.SIZE, Scope.PHASE),
  FOOTPRINT(Kind.SIZE, Scope.PHASE);

  private final Kind kind;
  private final Scope scope;

  ExpectedMetric(Kind kind, Scope scope) {
    this.kind = kind;
    this.scope = scope;
  }

  Kind kind() {
    return kind;
  }

  Scope scope() {
    return scope;
  }

  /** The name in an expectation, for example {@code not-found}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The name in rankings, for example {@code latency-p99}. */
  public String metric() {
    return kind == Kind.LATENCY ? "latency-" + label() : label();
  }

  /** The metric of that label; tables write {@code p99.9} for {@code p999}. */
  static Optional<ExpectedMetric> of(String label) {
    String plain = label.equals("p99.9") ? P999.label() : label;
    return Arrays.stream(values()).filter(metric -> metric.label().equals(plain)).findFirst();
  }

  static List<String> labels() {
    return Arrays.stream(values()).map(ExpectedMetric::label).toList();
  }

  /** What a metric is a value of. */
  enum Scope {
    OPERATION,
    PHASE,
    EITHER,
    LOAD
  }

  /** The units of a bound, each with its factor to the unit of the metric. */
  enum Kind {
    RATE(Map.of("", 1.0, "/s", 1.0, "k", 1e3, "k/s", 1e3, "M", 1e6, "M/s", 1e6), "100k or 100k/s"),
    LATENCY(Map.of("ns", 1.0, "us", 1e3, "µs", 1e3, "ms", 1e6, "s", 1e9), "2ms"),
    TIME(Map.of("ms", 1e-3, "s", 1.0, "m", 60.0, "h", 3600.0), "90s"),
    SIZE(
        Map.of(
            "B",
            1.0,
            "KiB",
            1024.0,
            "MiB",
            1048576.0,
            "GiB",
            1073741824.0,
            "kB",
            1e3,
            "MB",
            1e6,
            "GB",
            1e9),
        "512MiB"),
    COUNT(Map.of("", 1.0), "1");

    @SuppressWarnings("ImmutableEnumChecker") // Map.of is immutable
    private final Map<String, Double> units;

    private final String example;

    Kind(Map<String, Double> units, String example) {
      this.units = units;
      this.example = example;
    }

    Optional<Double> factor(String unit) {
      return Optional.ofNullable(units.get(unit));
    }

    /** The units that must be written, in order. */
    List<String> units() {
      return units.keySet().stream().filter(unit -> !unit.isEmpty()).sorted().toList();
    }

    String example() {
      return example;
    }
  }
}

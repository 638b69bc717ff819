package kvrank.metric;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A unit of measurement, with the ways in which people write quantities of it. */
public enum Unit {
  PER_SECOND(
      "1/s",
      "100k or 100k/s",
      Map.of("", 1.0, "/s", 1.0, "k", 1e3, "k/s", 1e3, "M", 1e6, "M/s", 1e6)),
  NANOSECONDS("ns", "2ms", Map.of("ns", 1.0, "us", 1e3, "µs", 1e3, "ms", 1e6, "s", 1e9)),
  SECONDS(
      "s",
      "90s",
      Map.of("ns", 1e-9, "us", 1e-6, "µs", 1e-6, "ms", 1e-3, "s", 1.0, "m", 60.0, "h", 3600.0)),
  BYTES(
      "B",
      "512MiB",
      Map.of(
          "B",
          1.0,
          "kB",
          1e3,
          "MB",
          1e6,
          "GB",
          1e9,
          "KiB",
          1024.0,
          "MiB",
          1048576.0,
          "GiB",
          1073741824.0)),
  /** How many times as much. */
  FACTOR("1", "2.5x", Map.of("", 1.0, "x", 1.0)),
  PERCENT("%", "99.9%", Map.of("%", 1.0)),
  /** Processor seconds per second. */
  CORES("cores", "1.5cores", Map.of("", 1.0, "cores", 1.0)),
  COUNT("1", "1", Map.of("", 1.0));

  private final String symbol;
  private final String example;

  @SuppressWarnings("ImmutableEnumChecker") // Map.of is immutable
  private final Map<String, Double> suffixes;

  Unit(String symbol, String example, Map<String, Double> suffixes) {
    this.symbol = symbol;
    this.example = example;
    this.suffixes = suffixes;
  }

  /** The unit in machine-readable files. */
  public String symbol() {
    return symbol;
  }

  /** A quantity as people write it. */
  public String example() {
    return example;
  }

  /**
   * The factor from a quantity that is written with {@code suffix}; empty if there is none such.
   */
  public Optional<Double> factor(String suffix) {
    return Optional.ofNullable(suffixes.get(suffix));
  }

  /**
   * The suffixes of which one has to be written, the smallest first; none if it may be left out.
   */
  public List<String> suffixes() {
    return suffixes.keySet().stream().filter(suffix -> !suffix.isEmpty()).sorted().toList();
  }
}

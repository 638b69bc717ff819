package kvrank.metric;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A unit of measurement, with the suffixes that quantities may have. */
public enum Unit {
  PER_SECOND("1/s", "100k or 100k/s", "=1 /s=1 k=1e3 k/s=1e3 M=1e6 M/s=1e6"),
  NANOSECONDS("ns", "2ms", "ns=1 us=1e3 µs=1e3 ms=1e6 s=1e9"),
  SECONDS("s", "90s", "ns=1e-9 us=1e-6 µs=1e-6 ms=1e-3 s=1 m=60 h=3600"),
  BYTES("B", "512MiB", "B=1 kB=1e3 MB=1e6 GB=1e9 KiB=1024 MiB=1048576 GiB=1073741824"),
  FACTOR("1", "2.5x", "=1 x=1"),
  PERCENT("%", "99.9%", "%=1"),
  /** Processor seconds per second. */
  CORES("cores", "1.5cores", "=1 cores=1"),
  COUNT("1", "1", "=1");

  private static final Pattern QUANTITY = Pattern.compile("(\\d{1,15})([A-Za-z]+)");

  private final String symbol;
  private final String example;

  @SuppressWarnings("ImmutableEnumChecker") // never changed after construction
  private final SortedMap<String, Double> factors = new TreeMap<>();

  Unit(String symbol, String example, String factors) {
    this.symbol = symbol;
    this.example = example;
    for (String pair : factors.split(" ", -1)) {
      int end = pair.indexOf('=');
      this.factors.put(pair.substring(0, end), Double.valueOf(pair.substring(end + 1)));
    }
  }

  /** Returns the unit in CSV and JSON files. */
  public String symbol() {
    return symbol;
  }

  /** Returns a quantity as a user would write it. */
  public String example() {
    return example;
  }

  /** Returns the factor of {@code suffix} to this unit; empty for an unknown suffix. */
  public Optional<Double> factor(String suffix) {
    return Optional.ofNullable(factors.get(suffix));
  }

  /**
   * Returns the value of a whole number with a suffix, such as {@code 48MiB}; empty without one.
   */
  public OptionalDouble value(String text) {
    Matcher quantity = QUANTITY.matcher(text);
    return quantity.matches()
        ? factor(quantity.group(2)).stream()
            .mapToDouble(factor -> Long.parseLong(quantity.group(1)) * factor)
            .findFirst()
        : OptionalDouble.empty();
  }

  /** Returns the valid suffixes in alphabetical order, without the empty one. */
  public List<String> suffixes() {
    return factors.keySet().stream().filter(suffix -> !suffix.isEmpty()).toList();
  }
}

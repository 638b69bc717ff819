package kvrank.scenario;

import java.util.Map;
import java.util.Optional;

/** The memory limit of an engine and its client together. */
public record MemoryLimit(long bytes) {

  /** The value for no limit. */
  static final String NONE = "none";

  /** Enough for the worker's JVM and an engine with small buffers. */
  static final long LEAST = 256L << 20;

  private static final Map<String, Integer> UNITS = Map.of("GiB", 30, "MiB", 20, "B", 0);

  /**
   * Returns the limit that {@link #toString} wrote as {@code text}; empty for none and for null.
   */
  public static Optional<MemoryLimit> of(String text) {
    return Optional.ofNullable(text)
        .filter(value -> value.matches("\\d+[A-Z]\\w*"))
        .map(value -> value.split("(?<=\\d)(?=\\D)"))
        .map(parts -> new MemoryLimit(Long.parseLong(parts[0]) << UNITS.get(parts[1])));
  }

  /** Returns the worker's maximum heap: half, as most engines use memory outside it, or 2 GiB. */
  public static long heap(Optional<MemoryLimit> limit) {
    return part(limit, 2, 2L << 30);
  }

  /** Returns the size of an embedded engine's cache: a quarter, or 512 MiB. */
  public static long cache(Optional<MemoryLimit> limit) {
    return part(limit, 4, 512L << 20);
  }

  /** Returns the size of a write buffer: a 64th, since engines queue up to 16, or 64 MiB. */
  public static long writeBuffer(Optional<MemoryLimit> limit) {
    return part(limit, 64, 64L << 20);
  }

  private static long part(Optional<MemoryLimit> limit, int parts, long max) {
    return limit.map(known -> Math.min(max, known.bytes() / parts)).orElse(max);
  }

  /** Returns the limit with its unit, for example {@code 512MiB}. */
  @Override
  public String toString() {
    String unit = bytes % (1 << 30) == 0 ? "GiB" : bytes % (1 << 20) == 0 ? "MiB" : "B";
    return (bytes >> UNITS.get(unit)) + unit;
  }
}

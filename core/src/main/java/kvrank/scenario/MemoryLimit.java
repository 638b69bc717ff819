package kvrank.scenario;

import java.util.Map;
import java.util.Optional;

/** How much memory an engine and its client may take together. */
public record MemoryLimit(long bytes) {

  /** What says that there is none, as a value among others. */
  static final String NONE = "none";

  /** The worker's JVM and an engine of small buffers fit into this. */
  static final long LEAST = 256L << 20;

  private static final Map<String, Integer> UNITS = Map.of("GiB", 30, "MiB", 20, "B", 0);

  /** Returns what {@link #toString} wrote as {@code text}; empty for none and for null. */
  public static Optional<MemoryLimit> of(String text) {
    return Optional.ofNullable(text)
        .filter(each -> each.matches("\\d+[A-Z]\\w*"))
        .map(each -> each.split("(?<=\\d)(?=\\D)"))
        .map(parts -> new MemoryLimit(Long.parseLong(parts[0]) << UNITS.get(parts[1])));
  }

  /** Returns the largest heap of a worker: half, as most engines live outside of it, or 2 GiB. */
  public static long heap(Optional<MemoryLimit> limit) {
    return part(limit, 2, 2L << 30);
  }

  /** Returns what an embedded engine's cache may hold: a quarter, or 512 MiB. */
  public static long cache(Optional<MemoryLimit> limit) {
    return part(limit, 4, 512L << 20);
  }

  /**
   * Returns what one write buffer may hold: a 64th, as engines queue up to 16 of them, or 64 MiB.
   */
  public static long writeBuffer(Optional<MemoryLimit> limit) {
    return part(limit, 64, 64L << 20);
  }

  private static long part(Optional<MemoryLimit> limit, int parts, long most) {
    return limit.map(each -> Math.min(most, each.bytes() / parts)).orElse(most);
  }

  /** For example {@code 512MiB}. */
  @Override
  public String toString() {
    String unit = bytes % (1 << 30) == 0 ? "GiB" : bytes % (1 << 20) == 0 ? "MiB" : "B";
    return (bytes >> UNITS.get(unit)) + unit;
  }
}

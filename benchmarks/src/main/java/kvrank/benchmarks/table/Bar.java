package kvrank.benchmarks.table;

import static java.util.Objects.requireNonNull;

/**
 * What a contest's result is held to.
 *
 * @param mostCpu what kvrank's CPU time per operation over the peer's may be at most; NaN for any
 */
public record Bar(Kind kind, double limit, double mostCpu) {

  /** What is compared with the limit. */
  public enum Kind {
    /** kvrank's value over the peer's, at least. */
    RATIO,
    /** kvrank's value over the peer's, at most. */
    RATIO_AT_MOST,
    /** kvrank's value, at most. */
    VALUE,
    /** Nothing: the row is for information. */
    NONE
  }

  public static final Bar NONE = new Bar(Kind.NONE, Double.NaN, Double.NaN);

  public Bar {
    requireNonNull(kind, "kind is null");
  }

  public static Bar ratioAtLeast(double limit) {
    return new Bar(Kind.RATIO, limit, Double.NaN);
  }

  public static Bar ratioAtMost(double limit) {
    return new Bar(Kind.RATIO_AT_MOST, limit, Double.NaN);
  }

  public static Bar valueAtMost(double limit) {
    return new Bar(Kind.VALUE, limit, Double.NaN);
  }

  /** The same bar, and one for the ratio of CPU time per operation. */
  public Bar cpuAtMost(double most) {
    return new Bar(kind, limit, most);
  }

  /** Whether a median of ratios of CPU time per operation like this reaches its bar, if any. */
  boolean isCpuMet(double ratio) {
    return Double.isNaN(mostCpu) || ratio <= mostCpu;
  }

  /** Whether medians like these reach the bar, if any. */
  boolean isMet(double ratio, double value) {
    return switch (kind) {
      case RATIO -> ratio >= limit;
      case RATIO_AT_MOST -> ratio <= limit;
      case VALUE -> value <= limit;
      case NONE -> true;
    };
  }

  /** The ratio of CPU time per operation and, if there is a bar for it, whether it is met. */
  String cpuVerdict(double ratio, boolean settled) {
    return Figures.of(ratio)
        + (Double.isNaN(mostCpu)
            ? ""
            : " (≤ " + Figures.of(mostCpu) + word(isCpuMet(ratio), settled) + ")");
  }

  /** Returns the bar and whether the medians reach it, if there were enough quiet pairs. */
  String verdict(double ratio, double value, boolean settled) {
    return kind == Kind.NONE
        ? ""
        : (kind == Kind.RATIO ? "≥ " : "≤ ")
            + Figures.of(limit)
            + word(isMet(ratio, value), settled);
  }

  private static String word(boolean met, boolean settled) {
    return !settled ? " not settled, too few quiet pairs" : met ? " met" : " MISSED";
  }
}

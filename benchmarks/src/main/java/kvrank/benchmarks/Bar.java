package kvrank.benchmarks;

import static java.util.Objects.requireNonNull;

/** What a contest's result is held to. */
record Bar(Kind kind, double limit) {

  /** What is compared with the limit. */
  enum Kind {
    /** kvrank's value over the peer's, at least. */
    RATIO,
    /** kvrank's value over the peer's, at most. */
    RATIO_AT_MOST,
    /** kvrank's value, at most. */
    VALUE,
    /** Nothing: the row is for information. */
    NONE
  }

  static final Bar NONE = new Bar(Kind.NONE, Double.NaN);

  Bar {
    requireNonNull(kind, "kind is null");
  }

  static Bar ratioAtLeast(double limit) {
    return new Bar(Kind.RATIO, limit);
  }

  static Bar ratioAtMost(double limit) {
    return new Bar(Kind.RATIO_AT_MOST, limit);
  }

  static Bar valueAtMost(double limit) {
    return new Bar(Kind.VALUE, limit);
  }

  /** The bar, and whether medians like these reach it. */
  String verdict(double ratio, double value) {
    return switch (kind) {
      case RATIO -> "≥ " + Figures.of(limit) + (ratio >= limit ? " met" : " MISSED");
      case RATIO_AT_MOST -> "≤ " + Figures.of(limit) + (ratio <= limit ? " met" : " MISSED");
      case VALUE -> "≤ " + Figures.of(limit) + (value <= limit ? " met" : " MISSED");
      case NONE -> "";
    };
  }
}

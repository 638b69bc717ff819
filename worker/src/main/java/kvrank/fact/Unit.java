package kvrank.fact;

/** The unit of a fact's value. */
public enum Unit {
  COUNT("count", ""),
  BYTES("bytes", "Bytes"),
  NANOSECONDS("ns", "Nanos"),
  MILLISECONDS("ms", "Millis"),
  SECONDS("s", "Seconds"),
  PER_SECOND("1/s", "PerSecond"),
  /** A part of a whole, from 0 to 1, with three decimals. */
  SHARE("share", "Share"),
  RATIO("ratio", ""),
  TEXT("text", "");

  private final String label;
  private final String suffix;

  Unit(String label, String suffix) {
    this.label = label;
    this.suffix = suffix;
  }

  /** Returns the unit that is the suffix of a name; text if there is none. */
  static Unit of(String name) {
    for (Unit unit : values()) {
      if (!unit.suffix.isEmpty() && name.endsWith(unit.suffix)) {
        return unit;
      }
    }
    return TEXT;
  }

  public String label() {
    return label;
  }

  /** Returns the end of the names of facts in this unit, such as {@code Bytes}; may be empty. */
  public String suffix() {
    return suffix;
  }
}

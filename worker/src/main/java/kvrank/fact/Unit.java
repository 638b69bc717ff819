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
  /** How many times as much. */
  RATIO("ratio", ""),
  TEXT("text", "");

  private final String label;
  private final String suffix;

  Unit(String label, String suffix) {
    this.label = label;
    this.suffix = suffix;
  }

  /** Returns the unit that a name ends with; text if it ends with none. */
  static Unit of(String name) {
    for (Unit unit : values()) {
      if (!unit.suffix.isEmpty() && name.endsWith(unit.suffix)) {
        return unit;
      }
    }
    return TEXT;
  }

  /** Returns the unit as documents show it. */
  public String label() {
    return label;
  }
}

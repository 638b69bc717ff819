package kvrank.fact;

/** The unit of a fact's value. */
public enum Unit {
  TEXT("text"),
  COUNT("count"),
  BYTES("bytes"),
  NANOSECONDS("ns"),
  MILLISECONDS("ms"),
  SECONDS("s"),
  PER_SECOND("1/s"),
  /** A part of a whole, from 0 to 1, with three decimals. */
  SHARE("share"),
  /** How many times as much. */
  RATIO("ratio");

  private final String label;

  Unit(String label) {
    this.label = label;
  }

  /** Returns the unit as documents show it. */
  public String label() {
    return label;
  }
}

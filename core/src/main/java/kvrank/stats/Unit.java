package kvrank.stats;

/** What a metric's values are counted in. */
public enum Unit {
  PER_SECOND("1/s"),
  NANOSECONDS("ns"),
  SECONDS("s"),
  BYTES("B"),
  /** How many times as much. */
  FACTOR("1"),
  COUNT("1");

  private final String symbol;

  Unit(String symbol) {
    this.symbol = symbol;
  }

  /** The unit in machine-readable files. */
  public String symbol() {
    return symbol;
  }
}

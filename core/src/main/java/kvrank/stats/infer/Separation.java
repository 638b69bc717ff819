package kvrank.stats.infer;

/** The verdict on one engine against another. */
public enum Separation {
  /** The engine is the first of its ranking. */
  BEST("", ""),
  /** One is better. */
  SEPARATED("", ""),
  /** Not separated, and shown to be within 10 %. */
  EQUAL("equal within 10 %", "equal"),
  /** The data cannot decide. */
  NOT_SEPARATED("not separated", "open"),
  /** Neither separated from the first of its ranking nor possibly the best: another is better. */
  BELOW_ANOTHER("below another", ""),
  /** Too few values for a test: the ratio has no interval. */
  UNTESTED("", "");

  private final String label;
  private final String brief;

  Separation(String label, String brief) {
    this.label = label;
    this.brief = brief;
  }

  /** Returns words to go with the ratio; may be empty. */
  public String label() {
    return label;
  }

  public String brief() {
    return brief;
  }
}

package kvrank.stats.infer;

/** What the data say of one engine against another. */
public enum Separation {
  /** It is the same engine: the best of its ranking by median. */
  BEST("", ""),
  /** One is better, whatever the noise. */
  SEPARATED("", ""),
  /** Not separated, and neither is more than 10 % above the other. */
  EQUAL("equal within 10 %", "equal"),
  /** The data cannot tell. */
  NOT_SEPARATED("not separated", "open"),
  /** Too few values for a test: the ratio has no interval. */
  UNTESTED("", "");

  private final String label;
  private final String brief;

  Separation(String label, String brief) {
    this.label = label;
    this.brief = brief;
  }

  /** Returns what a reader has to know beside the ratio; may be empty. */
  public String label() {
    return label;
  }

  public String brief() {
    return brief;
  }
}

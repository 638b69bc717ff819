package kvrank.metric;

/** Where reports show a metric; files for machines have every one. */
public enum Prominence {
  /** In the ranking. */
  MAIN,
  /** Beside the ranking. */
  DETAIL,
  /** Beside the ranking; no sign of a regression by itself, so comparisons leave it out. */
  MINOR,
  /** In tables that name it. */
  ON_REQUEST
}

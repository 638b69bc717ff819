package kvrank.metric;

/** The place of a metric in reports; CSV and JSON files have all metrics. */
public enum Prominence {
  /** In the ranking. */
  MAIN,
  /** In the table of details below the ranking. */
  DETAIL,
  /** As {@link #DETAIL}, but not in comparisons: a change of only this is not a regression. */
  MINOR,
  /** Only in tables that name it. */
  ON_REQUEST
}

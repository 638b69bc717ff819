package kvrank.metric;

/** Whether higher or lower values are better. */
public enum Direction {
  HIGHER,
  LOWER;

  /** Compares values so that the better one comes first. */
  public int compare(double first, double second) {
    return this == HIGHER ? Double.compare(second, first) : Double.compare(first, second);
  }
}

package kvrank.metric;

/** Whether higher or lower values are better. */
public enum Direction {
  HIGHER,
  LOWER;

  /** Compares values so that the better one comes first. */
  public int compare(double first, double second) {
    return this == HIGHER ? Double.compare(second, first) : Double.compare(first, second);
  }

  /**
   * Returns whether a value is worse than accepted.
   *
   * @param ratio the value, divided by the earlier one
   * @param tolerance the accepted change as a share of the earlier value
   */
  public boolean worse(double ratio, double tolerance) {
    return this == HIGHER ? ratio < 1 - tolerance : ratio > 1 + tolerance;
  }

  /** Returns whether a value is better by more than {@code tolerance}. */
  public boolean better(double ratio, double tolerance) {
    return this == HIGHER ? ratio > 1 + tolerance : ratio < 1 - tolerance;
  }
}

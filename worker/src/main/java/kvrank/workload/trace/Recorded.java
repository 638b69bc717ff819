package kvrank.workload.trace;

/** The result of a read, as it was recorded. */
public enum Recorded {
  /** The recording does not contain results. */
  UNKNOWN,
  HIT,
  MISS
}

package kvrank.workload.pace;

/** When the requests of one thread of an open loop are due, in nanoseconds after the start. */
public interface ArrivalSchedule {

  /** When request {@code number} is due; numbers count from 0 and do not fall from call to call. */
  long due(long number);

  /**
   * The number of requests that are due before {@code nanos}, later than the last one asked for.
   */
  long dueBefore(long nanos);
}

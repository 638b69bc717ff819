package kvrank.workload.pace;

/** When the requests of one thread of an open loop are due, in nanoseconds after the start. */
public interface ArrivalSchedule {

  /**
   * Returns when request {@code number}, from 0, is due; numbers must not fall from call to call.
   */
  long due(long number);
}

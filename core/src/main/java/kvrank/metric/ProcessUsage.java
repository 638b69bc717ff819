package kvrank.metric;

import java.util.OptionalLong;

/** What a process used in a phase; empty where that cannot be seen. */
public interface ProcessUsage {

  /** CPU time in user and system mode. */
  double cpuSeconds();

  long residentMeanBytes();

  long residentPeakBytes();

  long residentEndBytes();

  /**
   * The largest sample of the resident memory of processes that it started; 0 if there were none.
   */
  long childrenPeakBytes();

  OptionalLong readBytes();

  OptionalLong writtenBytes();

  OptionalLong cancelledBytes();
}

package kvrank.worker.client;

import kvrank.workload.pace.ArrivalSchedule;

/**
 * When the requests of one thread are due, and when there are enough of them. Only what the
 * workload draws is paced and counted here, not the inserts that make up for deletes.
 */
final class Pacer {

  private final PhaseStages stages;
  private final ArrivalSchedule times;
  private final int group;
  private long left;
  private long scheduled;
  private long counted;

  /**
   * @param records the number of records that count, or {@link Long#MAX_VALUE}
   * @param times when groups of requests are due, null in a closed loop
   * @param group the number of requests that are due together
   */
  Pacer(PhaseStages stages, long records, ArrivalSchedule times, int group) {
    this.stages = stages;
    this.times = times;
    this.group = group;
    this.left = records;
  }

  /** Whether requests are due at a time of their own. */
  boolean open() {
    return times != null;
  }

  /** When the next request is due, in nanoseconds after the start; 0 in a closed loop. */
  long due() {
    return times == null ? 0 : times.due(scheduled / group);
  }

  /** Whether no request is to begin any more, at {@code now} or when the next one is due. */
  boolean over(long now) {
    long end = open() ? stages.giveUpNanos() : stages.deadlineNanos();
    return left <= 0 || now >= end || (open() && due() >= stages.deadlineNanos());
  }

  /** The most records that a request of {@code most} records may still have. */
  int room(int most) {
    return (int) Math.min(left, most);
  }

  /** The number of requests that may begin together now: those left to do and due at one time. */
  int together() {
    return (int) Math.min(left, group - scheduled % group);
  }

  /** A request of {@code records} records is on its way. */
  void took(int records, boolean counts) {
    if (counts) {
      counted += records;
      left -= left == Long.MAX_VALUE ? 0 : records;
    }
    scheduled++;
  }

  /** The number of records so far that count. */
  long counted() {
    return counted;
  }

  /** Whether the next request was due in time and is not to begin any more at {@code now}. */
  boolean tooLate(long now) {
    return open() && now >= stages.giveUpNanos() && due() < stages.deadlineNanos();
  }

  /** The next request was left out, as it was too late. */
  void leaveOut() {
    scheduled++;
  }
}

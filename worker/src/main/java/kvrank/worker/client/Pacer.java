package kvrank.worker.client;

import kvrank.workload.pace.ArrivalSchedule;

/**
 * Paces the requests of one thread and counts them. Compensating inserts are neither paced nor
 * counted.
 */
final class Pacer {

  private final PhaseStages stages;
  private final ArrivalSchedule times;
  private final int group;
  private final boolean atLeastOne;
  private long left;
  private long scheduled;
  private long counted;

  /**
   * @param records the number of records that count, or {@link Long#MAX_VALUE}
   * @param times when groups of requests are due, null in a closed loop
   * @param group the number of requests that are due together
   * @param atLeastOne whether a request that counts may begin after the time is over
   */
  Pacer(PhaseStages stages, long records, ArrivalSchedule times, int group, boolean atLeastOne) {
    this.stages = stages;
    this.times = times;
    this.group = group;
    this.atLeastOne = atLeastOne;
    this.left = records;
  }

  boolean open() {
    return times != null;
  }

  /** Returns when the next request is due, in nanoseconds after the start; 0 in a closed loop. */
  long due() {
    return times == null ? 0 : times.due(scheduled / group);
  }

  /** Returns whether no request may begin at {@code now} or when the next one is due. */
  boolean over(long now) {
    return left <= 0
        || (givenUp(now) && !(atLeastOne && counted == 0))
        || (open() && due() >= stages.deadlineNanos());
  }

  /** Returns whether a request that failed may not be repeated at {@code now}. */
  boolean givenUp(long now) {
    return now >= (open() ? stages.giveUpNanos() : stages.deadlineNanos());
  }

  /** Returns the number of records that the next request may have, up to {@code most}. */
  int room(int most) {
    return (int) Math.min(left, most);
  }

  /** Returns the number of remaining requests that are due together. */
  int together() {
    return (int) Math.min(left, group - scheduled % group);
  }

  /** Counts a request of {@code records} records. */
  void took(int records, boolean counts) {
    if (counts) {
      counted += records;
      left -= left == Long.MAX_VALUE ? 0 : records;
    }
    scheduled++;
  }

  long counted() {
    return counted;
  }

  /** Returns whether the next request was due in time but may not begin at {@code now}. */
  boolean tooLate(long now) {
    return open() && now >= stages.giveUpNanos() && due() < stages.deadlineNanos();
  }

  void leaveOut() {
    scheduled++;
  }
}

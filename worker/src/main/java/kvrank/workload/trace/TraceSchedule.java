package kvrank.workload.trace;

import kvrank.workload.pace.ArrivalSchedule;

/** When the requests of one thread were recorded; reads them a second time. */
final class TraceSchedule implements ArrivalSchedule {

  private final PartRequests requests;
  private long number = -1;
  private long due;

  TraceSchedule(TraceParts parts, int thread) {
    this.requests = new PartRequests(parts, thread, 1, false);
  }

  @Override
  public long due(long asked) {
    while (number < asked && due < Long.MAX_VALUE) {
      number++;
      due = requests.next(1) ? requests.due() : Long.MAX_VALUE;
    }
    return due;
  }
}

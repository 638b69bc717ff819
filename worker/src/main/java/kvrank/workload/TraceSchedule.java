package kvrank.workload;

/** When the requests of one thread were recorded; it reads the trace beside them. */
final class TraceSchedule implements ArrivalSchedule {

  private final Replay replay;
  private final int thread;
  private final int threads;
  private final TraceRequests requests;
  private long number = -1;
  private long due;

  TraceSchedule(Replay replay, int thread, int threads) {
    this.replay = replay;
    this.thread = thread;
    this.threads = threads;
    this.requests = TraceRequests.of(replay, thread, threads, Long.MAX_VALUE);
  }

  @Override
  public long due(long asked) {
    while (number < asked && due < Long.MAX_VALUE) {
      number++;
      due = requests.next(1) ? requests.due() : Long.MAX_VALUE;
    }
    return due;
  }

  @Override
  public long dueBefore(long nanos) {
    TraceSchedule again = new TraceSchedule(replay, thread, threads);
    long before = 0;
    while (again.due(before) < nanos) {
      before++;
    }
    return before;
  }
}

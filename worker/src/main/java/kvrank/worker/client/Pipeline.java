package kvrank.worker.client;

import kvrank.worker.call.OperationResult;
import kvrank.worker.protocol.WorkerException;
import kvrank.workload.request.Requests;

/**
 * The window of one client: requests are built, sent, received and judged together. Each is timed
 * from its own sending to the arrival of its answer.
 *
 * <p>In an open loop, one full window is due at a time.
 */
final class Pipeline {

  private final Requests requests;
  private final PipelineWindow window;
  private final Pacer pacer;
  private final OperationRecorder recorder;
  private final OperationResult result = new OperationResult();

  Pipeline(Requests requests, PipelineWindow window, Pacer pacer, OperationRecorder recorder) {
    this.requests = requests;
    this.window = window;
    this.pacer = pacer;
    this.recorder = recorder;
  }

  enum Next {
    WINDOW,
    /** The current request cannot be in flight with others. */
    ALONE,
    NOTHING
  }

  /** Returns whether no request may begin at {@code now}, in nanoseconds after the start. */
  boolean over(long now) {
    return pacer.over(now);
  }

  /** Returns when the next window is due, in nanoseconds after the start; 0 in a closed loop. */
  long due() {
    return pacer.due();
  }

  Next fill() {
    int room = pacer.together();
    while (room > 0 && !window.isFull()) {
      if (!requests.next(1)) {
        return Next.NOTHING;
      }
      if (!requests.operation().pipelined()) {
        return Next.ALONE;
      }
      window.add(requests);
      if (!requests.compensating()) {
        room--;
      }
    }
    return Next.WINDOW;
  }

  boolean isEmpty() {
    return window.size() == 0;
  }

  /**
   * Sends the window.
   *
   * @param origin the start, by {@link System#nanoTime}
   */
  void send(long origin) {
    for (int i = 0; i < window.size(); i++) {
      window.request(i).send(origin, recorder);
    }
  }

  /**
   * Receives and records all answers and empties the window.
   *
   * @param origin the start, by {@link System#nanoTime}
   * @return when the last answer arrived, in nanoseconds after the start
   */
  long receive(long origin) throws WorkerException {
    for (int i = 0; i < window.size(); i++) {
      window.request(i).receive(origin, recorder);
    }
    long due = pacer.due();
    long end = 0;
    for (int i = 0; i < window.size(); i++) {
      InFlightRequest request = window.request(i);
      request.judge(result);
      long start = request.start();
      end = request.end();
      if (request.drawn()) {
        long from = pacer.open() ? due : start;
        recorder.enter(request.operation(), result, from, start, end);
        pacer.took(1, recorder.counts(from));
      } else {
        recorder.compensated(request.operation(), result, start, end);
      }
    }
    window.clear();
    return end;
  }
}

package kvrank.worker.client;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import kvrank.worker.call.CallContext;
import kvrank.worker.call.Calls;
import kvrank.worker.call.OperationResult;
import kvrank.worker.protocol.WorkerException;
import kvrank.workload.MixRequests;
import kvrank.workload.request.Requests;

/**
 * Applies one request after the other.
 *
 * <p>In a closed loop over a very fast engine, some requests are built ahead and recorded
 * afterwards, so that one clock reading is the end of one and the start of the next. Their number
 * adapts, so that they take the engine at most {@value #AHEAD_NANOS} ns; a slower engine gets one
 * at a time.
 *
 * <p>If errors are allowed, a request that failed is repeated until it succeeds or the phase is
 * over, with pauses of 1 to {@value #LONGEST_PAUSE_MILLIS} ms.
 */
final class SerialLoop implements Loop {

  private static final int MOST_AHEAD = 16;
  private static final long AHEAD_NANOS = 5_000;

  private static final long LONGEST_PAUSE_MILLIS = 8;

  private final PhaseSetup setup;
  private final Requests requests;
  private final Pacer pacer;
  private final OperationRecorder recorder;
  private final int batch;
  private final boolean errorsAllowed;
  private final Turn[] turns;
  private final OperationResult result = new OperationResult();
  private final Wait wait;
  private int ahead = 1;

  SerialLoop(
      PhaseSetup setup, int client, Requests requests, Pacer pacer, OperationRecorder recorder) {
    this.setup = setup;
    this.requests = requests;
    this.pacer = pacer;
    this.recorder = recorder;
    this.batch = setup.phase().settings().batch();
    this.wait = setup.newWait();
    this.errorsAllowed = setup.phase().settings().errorsAllowed();
    // The very next request must fill a miss.
    boolean single = batch > 1 || pacer.open() || setup.phase().mix().fill() || errorsAllowed;
    this.turns = new Turn[single ? 1 : MOST_AHEAD];
    CallContext context = setup.context(client, requests::missed);
    for (int i = 0; i < turns.length; i++) {
      turns[i] = new Turn(new Calls(context, batch, setup.mix(client).reverse()));
    }
  }

  @Override
  public void run(long origin) throws WorkerException {
    long now = wait.until(0, origin);
    while (!pacer.over(now) && !setup.stopped()) {
      int built = build();
      if (built == 0) {
        break;
      }
      now = apply(built, origin);
      adapt(built, now - turns[0].start);
    }
  }

  /** Builds the next requests; returns their number. */
  private int build() {
    int most = pacer.room(ahead);
    int built = 0;
    while (built < most && requests.next(pacer.room(batch))) {
      turns[built++].build(requests);
    }
    return built;
  }

  private void adapt(int built, long nanos) {
    if (nanos > AHEAD_NANOS) {
      ahead = Math.max(1, ahead / 2);
    } else if (built == ahead && 2 * nanos < AHEAD_NANOS) {
      ahead = Math.min(turns.length, 2 * ahead);
    }
  }

  /** Applies the current request; returns its end. */
  long one(long origin) throws WorkerException {
    turns[0].build(requests);
    return apply(1, origin);
  }

  /** Applies and records the first {@code built} requests; returns the end. */
  private long apply(int built, long origin) throws WorkerException {
    boolean paced = pacer.open() && turns[0].drawn;
    long due = pacer.due();
    long now = paced ? wait.until(due, origin) : System.nanoTime() - origin;
    for (int i = 0; i < built; i++) {
      now = turns[i].send(now, origin, recorder);
    }
    for (int i = 0; i < built; i++) {
      Turn turn = turns[i];
      turn.call.judge(turn.status, result);
      long from = paced ? due : turn.start;
      if (errorsAllowed && result.errors() > 0) {
        now = repeat(turn, from, origin);
      }
      if (turn.drawn) {
        recorder.enter(turn.operation, result, from, turn.start, turn.end);
        pacer.took(turn.size, recorder.counts(from));
      } else {
        recorder.compensated(turn.operation, result, turn.start, turn.end);
      }
    }
    return now;
  }

  /** Repeats the current request, the only one that is built; returns the end. */
  private long repeat(Turn turn, long due, long origin) {
    long attempt = turn.start;
    long pause = 1;
    while (result.errors() > 0 && !pacer.givenUp(turn.end) && !setup.stopped()) {
      recorder.failedOnce(turn.operation, result, due, attempt, turn.end);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(pause));
      pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
      turn.call.prepare(requests);
      attempt = System.nanoTime() - origin;
      turn.status = turn.apply(recorder);
      turn.end = System.nanoTime() - origin;
      turn.call.judge(turn.status, result);
    }
    recorder.repeated(turn.operation, result, due, turn.start, turn.end);
    return turn.end;
  }

  @Override
  public Optional<MixRequests> mix() {
    return requests instanceof MixRequests mix ? Optional.of(mix) : Optional.empty();
  }
}

package kvrank.worker;

import java.util.EnumSet;
import java.util.Set;
import kvrank.workload.Operation;
import kvrank.workload.Requests;

/**
 * Up to {@code pipeline} requests at once: they are built, then sent one after the other, then
 * their answers are awaited, then judged; then the next ones follow. Each is timed from its own
 * sending to when its answer was there, so the first of them waits while the others are sent.
 *
 * <p>In an open loop {@code pipeline} requests are due together. A request that cannot be
 * pipelined, a scan or a read-modify-write, waits until nothing is in flight and goes alone.
 */
final class PipelinedLoop implements Loop {

  private static final Set<Operation> PIPELINED =
      EnumSet.of(Operation.READ, Operation.INSERT, Operation.UPDATE, Operation.DELETE);

  private final PhaseSetup setup;
  private final Requests requests;
  private final Window window;
  private final Pace pace;
  private final Books books;
  private final SerialLoop serial;
  private final Answer answer = new Answer();

  /**
   * @param serial applies what cannot be pipelined
   */
  PipelinedLoop(
      PhaseSetup setup,
      Requests requests,
      Window window,
      Pace pace,
      Books books,
      SerialLoop serial) {
    this.setup = setup;
    this.requests = requests;
    this.window = window;
    this.pace = pace;
    this.books = books;
    this.serial = serial;
  }

  @Override
  public void run(long origin) throws WorkerException {
    long now = Wait.until(0, origin);
    Next next = Next.WINDOW;
    while (next != Next.NOTHING && !pace.over(now) && !setup.stopped()) {
      next = fill();
      if (window.size() > 0) {
        now = apply(origin);
      }
      if (next == Next.ALONE) {
        now = serial.one(origin);
      }
    }
  }

  /** What follows a window. */
  private enum Next {
    WINDOW,
    /** The request that {@link Requests} is at. */
    ALONE,
    NOTHING
  }

  private Next fill() {
    int room = pace.together();
    while (room > 0 && !window.isFull()) {
      if (!requests.next(1)) {
        return Next.NOTHING;
      }
      if (!PIPELINED.contains(requests.operation())) {
        return Next.ALONE;
      }
      window.add(requests);
      if (!requests.compensating()) {
        room--;
      }
    }
    return Next.WINDOW;
  }

  /** Applies the requests of the window and empties it; the time of the last answer. */
  private long apply(long origin) throws WorkerException {
    long due = pace.due();
    Wait.until(due, origin);
    for (int i = 0; i < window.size(); i++) {
      window.slot(i).send(origin, books);
    }
    for (int i = 0; i < window.size(); i++) {
      window.slot(i).receive(origin, books);
    }
    long end = 0;
    for (int i = 0; i < window.size(); i++) {
      Slot slot = window.slot(i);
      slot.judge(answer);
      long start = slot.start();
      end = slot.end();
      boolean paced = pace.open() && slot.drawn();
      books.enter(slot.operation(), answer, paced ? due : start, start, end);
      if (slot.drawn()) {
        pace.took(1, books.counts(start));
      }
    }
    window.clear();
    return end;
  }
}

package kvrank.worker;

import kvrank.workload.Requests;

/**
 * The window of one client: the requests that are built, then sent one after the other, then
 * received, then judged. Each is timed from its own sending to when its answer was there.
 *
 * <p>In an open loop as many requests as the window has places are due together.
 */
final class Lane {

  private final Requests requests;
  private final Window window;
  private final Pace pace;
  private final Books books;
  private final Answer answer = new Answer();

  Lane(Requests requests, Window window, Pace pace, Books books) {
    this.requests = requests;
    this.window = window;
    this.pace = pace;
    this.books = books;
  }

  /** What follows a window. */
  enum Next {
    WINDOW,
    /** The request that the client's requests are at, which cannot be in flight with others. */
    ALONE,
    NOTHING
  }

  /** Whether no request is to begin any more at {@code now}, in nanoseconds after the start. */
  boolean over(long now) {
    return pace.over(now);
  }

  /** When the next window is due, in nanoseconds after the start; 0 in a closed loop. */
  long due() {
    return pace.due();
  }

  /** Builds the requests of the next window. */
  Next fill() {
    int room = pace.together();
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

  /** Whether no request was built. */
  boolean isEmpty() {
    return window.size() == 0;
  }

  /**
   * Sends what was built.
   *
   * @param origin the start, as {@link System#nanoTime} told it
   */
  void send(long origin) {
    for (int i = 0; i < window.size(); i++) {
      window.slot(i).send(origin, books);
    }
  }

  /**
   * Receives the answers to what was sent, enters them, and empties the window.
   *
   * @param origin the start, as {@link System#nanoTime} told it
   * @return when the last answer was there, in nanoseconds after the start
   * @throws WorkerException if it is hopeless
   */
  long receive(long origin) throws WorkerException {
    for (int i = 0; i < window.size(); i++) {
      window.slot(i).receive(origin, books);
    }
    long due = pace.due();
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

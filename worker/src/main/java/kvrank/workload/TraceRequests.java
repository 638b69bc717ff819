package kvrank.workload;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * The requests of a trace that are for the records of one thread, or the inserts of those of its
 * records that are there before. A value's version is the number of its request among those of all
 * threads, from 1 on.
 */
public final class TraceRequests implements Requests, Closeable {

  private final Replay replay;
  private final TraceReader reader;
  private final boolean load;
  private final int thread;
  private final int threads;
  private final long most;
  private final long[] ids;
  private final int[] bytes;
  private int size;
  private int copy;
  private long number;
  private long record;

  private TraceRequests(
      Replay replay, boolean load, int thread, int threads, int batch, long most) {
    try {
      this.reader = load ? TraceReader.loads(replay.file()) : TraceReader.requests(replay.file());
      if (!reader.header().digest().equals(replay.digest())) {
        throw new TraceException(replay.file() + ": is another trace than at the start of the run");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    this.replay = replay;
    this.load = load;
    this.thread = thread;
    this.threads = threads;
    this.most = most;
    this.ids = new long[batch];
    this.bytes = new int[batch];
    this.copy = replay.copies() - 1;
  }

  /**
   * Returns the requests of {@code thread}.
   *
   * @param most ends after so many requests of all threads
   * @throws UncheckedIOException if the file is gone, or is none
   */
  public static TraceRequests of(Replay replay, int thread, int threads, long most) {
    return new TraceRequests(replay, false, thread, threads, 1, most);
  }

  /**
   * Returns the inserts of the records of {@code thread} that are there before.
   *
   * @param batch the most records in a request
   * @throws UncheckedIOException if the file is gone, or is none
   */
  public static TraceRequests load(Replay replay, int thread, int threads, int batch) {
    return new TraceRequests(replay, true, thread, threads, batch, Long.MAX_VALUE);
  }

  @Override
  public boolean next(int atMost) {
    try {
      size = 0;
      while (size < Math.min(atMost, ids.length) && advance()) {
        ids[size] = record;
        bytes[size++] = reader.valueBytes();
      }
      return size > 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean advance() throws IOException {
    do {
      if (number == most) {
        return false;
      }
      if (++copy == replay.copies()) {
        copy = 0;
        do {
          if (!reader.next()) {
            copy = replay.copies() - 1;
            return false;
          }
        } while (!replay.has(reader.id()));
      }
      number++;
      record = replay.record(reader.id(), copy);
    } while (Replay.thread(record, threads) != thread);
    return true;
  }

  /** Returns when the request was recorded, in microseconds after the first of the trace. */
  public double micros() {
    return reader.micros() + (double) reader.gap() * copy / replay.copies();
  }

  /** Returns when the request is due, in nanoseconds after the first. */
  long due() {
    return (long) (micros() * 1_000 / replay.speed());
  }

  @Override
  public Operation operation() {
    return reader.operation();
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public long id(int i) {
    return ids[i];
  }

  @Override
  public long version(int i) {
    return load ? Value.FIRST_VERSION : number;
  }

  @Override
  public int bytes(int i) {
    return bytes[i];
  }

  @Override
  public int ttlSeconds(int i) {
    return load ? 0 : replay.ttlSeconds(reader.ttlMillis());
  }

  /** Returns for how long a write was to live, in milliseconds; 0 for ever. */
  public long ttlMillis() {
    return reader.ttlMillis();
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}

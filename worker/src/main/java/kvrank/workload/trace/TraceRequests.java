package kvrank.workload.trace;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import kvrank.workload.request.Operation;
import kvrank.workload.request.Requests;
import kvrank.workload.value.Value;

/**
 * The requests of a trace for the records of a replay, or the inserts of its load. A value's
 * version is the number of its request, from 1.
 */
public final class TraceRequests implements Requests, Closeable {

  private final Replay replay;
  private final TraceReader reader;
  private final boolean load;
  private int copy;
  private long number;

  private TraceRequests(Replay replay, boolean load) {
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
    this.copy = replay.copies() - 1;
  }

  /**
   * Returns the requests.
   *
   * @throws UncheckedIOException if the file is missing or not a trace
   */
  public static TraceRequests of(Replay replay) {
    return new TraceRequests(replay, false);
  }

  /**
   * Returns the inserts of the load.
   *
   * @throws UncheckedIOException if the file is missing or not a trace
   */
  public static TraceRequests load(Replay replay) {
    return new TraceRequests(replay, true);
  }

  @Override
  public boolean next(int atMost) {
    if (++copy == replay.copies()) {
      copy = 0;
      try {
        do {
          if (!reader.next()) {
            copy = replay.copies() - 1;
            return false;
          }
        } while (!replay.has(reader.id()));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    number++;
    return true;
  }

  /** Returns the recorded microseconds since the first request of the trace. */
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
    return 1;
  }

  @Override
  public long id(int i) {
    return replay.record(reader.id(), copy);
  }

  @Override
  public long version(int i) {
    return load ? Value.FIRST_VERSION : number;
  }

  @Override
  public int bytes(int i) {
    return reader.valueBytes();
  }

  @Override
  public int ttlSeconds(int i) {
    return load ? 0 : replay.ttlSeconds(reader.ttlMillis());
  }

  /** Returns the recorded milliseconds to live of a write; 0 for no limit. */
  public long ttlMillis() {
    return reader.ttlMillis();
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}

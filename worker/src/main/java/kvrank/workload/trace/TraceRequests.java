package kvrank.workload.trace;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import kvrank.workload.request.Operation;
import kvrank.workload.request.Requests;
import kvrank.workload.value.Value;

/**
 * The requests of a trace for the records of a replay, the inserts of its load, or the lengths of
 * records before their first write. A value's version is the number of its request, from 1.
 */
public final class TraceRequests implements Requests, Closeable {

  private final Replay replay;
  private final TraceReader reader;
  private final Part part;
  private int copy;
  private long number;

  private enum Part {
    REQUESTS,
    LOAD,
    LENGTHS
  }

  private TraceRequests(Replay replay, Part part) {
    try {
      this.reader =
          part == Part.REQUESTS
              ? TraceReader.requests(replay.file())
              : TraceReader.lengths(replay.file());
      if (!reader.header().digest().equals(replay.digest())) {
        throw new TraceException(replay.file() + ": is another trace than at the start of the run");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    this.replay = replay;
    this.part = part;
    this.copy = replay.copies() - 1;
  }

  /**
   * Returns the requests.
   *
   * @throws UncheckedIOException if the file is missing or not a trace
   */
  public static TraceRequests of(Replay replay) {
    return new TraceRequests(replay, Part.REQUESTS);
  }

  /**
   * Returns the inserts of the load.
   *
   * @throws UncheckedIOException if the file is missing or not a trace
   */
  public static TraceRequests load(Replay replay) {
    return new TraceRequests(replay, Part.LOAD);
  }

  /**
   * Returns each record of a known length before its first write, as an insert.
   *
   * @throws UncheckedIOException if the file is missing or not a trace
   */
  public static TraceRequests lengths(Replay replay) {
    return new TraceRequests(replay, Part.LENGTHS);
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
        } while (!replay.has(reader.id()) || (part == Part.LOAD && !reader.existed()));
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
    return part != Part.REQUESTS ? Value.FIRST_VERSION : number;
  }

  @Override
  public int bytes(int i) {
    return reader.valueBytes();
  }

  @Override
  public int ttlSeconds(int i) {
    return part != Part.REQUESTS ? 0 : replay.ttlSeconds(reader.ttlMillis());
  }

  /** Returns the recorded milliseconds to live of a write; 0 for no limit. */
  public long ttlMillis() {
    return reader.ttlMillis();
  }

  /** Returns the recorded result of a read. */
  public Recorded recorded() {
    return reader.recorded();
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}

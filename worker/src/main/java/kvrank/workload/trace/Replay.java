package kvrank.workload.trace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.workload.random.CounterRandom;
import kvrank.workload.request.Operation;
import kvrank.workload.value.Ttl;

/**
 * A trace and how it is replayed. Its records are [0, {@link #records}).
 *
 * <p>Fewer keys are a sample of one in {@code oneIn}, chosen by a hash, with all their requests;
 * more keys are copies, with requests shifted by equal parts of the time to the next request. Both
 * keep reuse distances, and so the hit ratio of a cache that holds the same share (Waldspurger et
 * al., FAST 2015).
 *
 * @param digest the SHA-256 in its header
 * @param speed factor of the recorded speed; 0 for one request after the other
 * @param copies the number of keys that each becomes; 1 unless {@code oneIn} is
 * @param records the number of keys in the replay
 * @param loaded how many of them exist before; 0 if the replay starts with an empty store
 * @param requests the number of their requests
 * @param expires whether engines get the times to live of writes
 */
public record Replay(
    Path file,
    String digest,
    double speed,
    int oneIn,
    int copies,
    long records,
    long loaded,
    long requests,
    boolean expires) {

  /**
   * The contents of a trace for a replay.
   *
   * @param operations the number of requests of each
   */
  public record Contents(
      TraceHeader header, Replay replay, SortedMap<Operation, Long> operations) {}

  /**
   * Reads a complete trace and checks it. Engines get times to live if the trace has some.
   *
   * @throws TraceException if the file is damaged or not a trace
   */
  public static Contents of(Path file, double speed, int oneIn, int copies) throws IOException {
    TraceHeader header = TraceHeader.read(file);
    long records = (header.keys() + oneIn - 1) / oneIn * copies;
    Replay any = new Replay(file, header.digest(), speed, oneIn, copies, records, 0, 0, false);
    SortedMap<Operation, Long> operations = new TreeMap<>();
    long[] counts = new long[Operation.values().length];
    long loaded = 0;
    long requests = 0;
    boolean expires = false;
    try (TraceRequests trace = TraceRequests.of(any);
        TraceRequests loads = TraceRequests.load(any)) {
      for (; trace.next(1); requests++) {
        counts[trace.operation().index()]++;
        expires |= trace.ttlMillis() > 0;
      }
      while (loads.next(1)) {
        loaded++;
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    for (Operation operation : Operation.values()) {
      if (counts[operation.index()] > 0) {
        operations.put(operation, counts[operation.index()]);
      }
    }
    Replay replay =
        new Replay(file, header.digest(), speed, oneIn, copies, records, loaded, requests, expires);
    return new Contents(header, replay, operations);
  }

  /** Returns this replay without times to live. */
  public Replay lasting() {
    return new Replay(file, digest, speed, oneIn, copies, records, loaded, requests, false);
  }

  /** Returns this replay with an empty store at its start. */
  public Replay empty() {
    return new Replay(file, digest, speed, oneIn, copies, records, 0, requests, expires);
  }

  /**
   * Returns the seconds to live of a write: the recorded time divided by the speed, rounded up, as
   * engines accept only whole seconds; 0 for no limit.
   */
  public int ttlSeconds(long recordedMillis) {
    double seconds = Math.ceil(recordedMillis / (paced() ? 1_000 * speed : 1_000));
    return expires ? (int) Math.min(seconds, Ttl.MOST_SECONDS) : 0;
  }

  /** Returns whether requests are due at recorded times. */
  public boolean paced() {
    return speed > 0;
  }

  /** Returns whether the sample includes the key of that number. */
  boolean has(long id) {
    return oneIn == 1 || id % oneIn == Math.floorMod(CounterRandom.at(oneIn, id / oneIn), oneIn);
  }

  /** Returns the record of a copy of a key in the sample. */
  long record(long id, int copy) {
    return id / oneIn * copies + copy;
  }

  /** Returns the thread of all requests of a record, which keeps their order. */
  static int thread(long record, int threads) {
    return threads == 1
        ? 0
        : (int) Math.multiplyHigh(CounterRandom.mix(record) >>> 1, (long) threads << 1);
  }
}

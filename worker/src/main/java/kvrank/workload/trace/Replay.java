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
 * <p>Fewer keys are a sample of one of each {@code oneIn}, chosen by a hash, with all requests of
 * these; more are copies of each key, each with the requests of the key, shifted to equal parts of
 * the time to the next request. Both keep how soon a key is asked again among the others, and with
 * it the hit ratio of a cache of as large a share (Waldspurger et al., FAST 2015).
 *
 * @param file the trace
 * @param digest the SHA-256 that its header has
 * @param speed how many times as fast as recorded; 0 for one request after the other
 * @param oneIn the share of the keys, one in so many
 * @param copies how many keys each becomes; 1 unless {@code oneIn} is
 * @param records how many keys that are
 * @param loaded how many of them are there before
 * @param requests how many requests they have
 * @param expires whether engines are given the times to live of writes
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
   * What a trace holds for a replay.
   *
   * @param operations how many requests there are of each
   */
  public record Contents(
      TraceHeader header, Replay replay, SortedMap<Operation, Long> operations) {}

  /**
   * Reads a trace to its end, so that nothing of it is damaged. Engines are given times to live if
   * there are some.
   *
   * @throws TraceException if it is, or is none
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

  /** Returns the same without times to live. */
  public Replay lasting() {
    return new Replay(file, digest, speed, oneIn, copies, records, loaded, requests, false);
  }

  /**
   * Returns for how many seconds a write lives that was recorded with a time to live: divided by
   * the speed, up to the next whole one, as engines take no other; 0 for ever.
   */
  public int ttlSeconds(long recordedMillis) {
    double seconds = Math.ceil(recordedMillis / (paced() ? 1_000 * speed : 1_000));
    return expires ? (int) Math.min(seconds, Ttl.MOST_SECONDS) : 0;
  }

  /** Returns whether requests have a time of their own. */
  public boolean paced() {
    return speed > 0;
  }

  /** Returns whether the key of that number is in the sample. */
  boolean has(long id) {
    return oneIn == 1 || id % oneIn == Math.floorMod(CounterRandom.at(oneIn, id / oneIn), oneIn);
  }

  /** Returns the record that a copy of a key of the sample is. */
  long record(long id, int copy) {
    return id / oneIn * copies + copy;
  }

  /**
   * Returns which of {@code threads} has all requests of a record: so their order is the trace's.
   */
  static int thread(long record, int threads) {
    return threads == 1
        ? 0
        : (int) Math.multiplyHigh(CounterRandom.mix(record) >>> 1, (long) threads << 1);
  }
}

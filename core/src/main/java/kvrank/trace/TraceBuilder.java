package kvrank.trace;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import kvrank.capture.SizeHistogram;
import kvrank.workload.request.Operation;
import kvrank.workload.trace.TraceWriter;
import kvrank.workload.value.ValueShape;
import kvrank.workload.value.ValueSizes;

/**
 * Builds a trace from requests: numbers the keys, distinguishes inserts and updates, finds the
 * records that existed before, and fills in lengths that were not recorded.
 */
final class TraceBuilder {

  /** An unknown length. */
  static final int UNKNOWN = -1;

  /** The longest value of Redis. */
  private static final int LONGEST = 512 << 20;

  /** The length of all values if none was recorded. */
  private static final int DEFAULT = ValueShape.DEFAULT.sizes().max();

  private static final long SECOND = 1_000_000;

  /** The resolution of the requests' times. */
  enum Clock {
    NONE,
    /** The requests within a second are spread evenly. */
    SECONDS,
    MICROSECONDS
  }

  private record Request(
      long micros, Operation operation, int id, int keyBytes, int valueBytes, long ttlMillis) {}

  private final TraceInput input;
  private final TraceWriter out;
  private final KeyNumbers numbers = new KeyNumbers();
  private final SizeSample sizes = new SizeSample();
  private final BitSet present = new BitSet();
  private final BitSet loaded = new BitSet();
  private final List<Request> second = new ArrayList<>();

  /** The first and the last known length of each key's values; 0 if unknown. */
  private int[] first = new int[1 << 10];

  private int[] last = new int[1 << 10];
  private Clock clock = Clock.NONE;
  private long time = Long.MIN_VALUE;
  private long requests;
  private long guessed;
  private long others;

  TraceBuilder(TraceInput input, TraceWriter out) {
    this.input = input;
    this.out = out;
  }

  /** Sets the resolution of times, before the first request. */
  void clock(Clock exactness) {
    clock = exactness;
  }

  /** Counts a recorded command that does not access the data of a key. */
  void other() {
    others++;
  }

  /**
   * Adds a request for the key in a part of the input's text.
   *
   * @param micros its time, from any origin; without meaning if there is no clock
   * @param kind a read, an update for a write of any kind, or a delete
   * @param space distinguishes keys of the same name
   * @param keyBytes the length of the key
   * @param valueBytes the length of the value, or {@link #UNKNOWN}
   * @param ttlMillis the time to live; 0 if it does not expire
   */
  void add(
      long micros,
      Operation kind,
      long space,
      int from,
      int to,
      long keyBytes,
      long valueBytes,
      long ttlMillis)
      throws IOException {
    if (valueBytes > LONGEST || keyBytes > LONGEST) {
      throw input.problem("has an impossible length of a key or value");
    }
    long now = clock == Clock.NONE ? 0 : micros;
    if (now < time) {
      throw input.problem("its time is earlier than the previous request's; sort the file by time");
    }
    if (now > time) {
      release();
      time = now;
    }
    int known = numbers.size();
    int id = numbers.of(space, input.text(), from, to);
    boolean fresh = id == known;
    if (id >= first.length) {
      first = Arrays.copyOf(first, 2 * id);
      last = Arrays.copyOf(last, 2 * id);
    }
    boolean writes = kind == Operation.UPDATE;
    if (fresh && !writes) {
      loaded.set(id);
      present.set(id);
    }
    int bytes = 0;
    if (writes) {
      bytes = valueBytes == UNKNOWN ? guess(id) : (int) Math.max(1, valueBytes);
      sizes.add(bytes);
    }
    if (writes || valueBytes > 0) {
      last[id] = writes ? bytes : (int) valueBytes;
      first[id] = first[id] == 0 ? last[id] : first[id];
    }
    Operation operation = writes && !present.get(id) ? Operation.INSERT : kind;
    present.set(id, kind == Operation.DELETE ? false : writes || present.get(id));
    requests++;
    Request request = new Request(now, operation, id, (int) keyBytes, bytes, ttlMillis);
    if (clock == Clock.SECONDS) {
      second.add(request);
    } else {
      write(request, now);
    }
  }

  /** Returns a length that was not recorded: of the key's last value, or else of any value. */
  private int guess(int id) {
    guessed++;
    return last[id] > 0 ? last[id] : sizes.draw(DEFAULT);
  }

  private void write(Request request, long micros) throws IOException {
    out.request(
        micros,
        request.operation,
        request.id,
        request.keyBytes,
        request.valueBytes,
        request.ttlMillis);
  }

  private void release() throws IOException {
    for (int i = 0; i < second.size(); i++) {
      write(second.get(i), second.get(i).micros + i * SECOND / second.size());
    }
    second.clear();
  }

  /** Ends the trace; returns a sentence that sums up the import. */
  String end(String source) throws IOException {
    release();
    if (requests == 0) {
      throw input.problem("contains no request that reads or writes a key");
    }
    int unknown = 0;
    // Drawn only from recorded lengths, not from drawn ones.
    int[] recorded = sizes.count() == 0 ? new int[] {DEFAULT} : sizes.sorted();
    SplittableRandom random = new SplittableRandom(1);
    for (int id = loaded.nextSetBit(0); id >= 0; id = loaded.nextSetBit(id + 1)) {
      unknown += first[id] == 0 ? 1 : 0;
      int bytes = first[id] == 0 ? recorded[random.nextInt(recorded.length)] : first[id];
      sizes.add(bytes);
      out.load(id, bytes);
    }
    ValueSizes histogram =
        sizes.count() == 0 ? ValueShape.DEFAULT.sizes() : new SizeHistogram(sizes.sorted()).sizes();
    out.end(source, clock != Clock.NONE, histogram);
    return "%,d requests for %,d keys, of which %,d existed before"
            .formatted(requests, numbers.size(), loaded.cardinality())
        + (clock == Clock.NONE ? "; without times" : "")
        + (clock == Clock.SECONDS ? "; requests within a second are spread evenly" : "")
        + (unknown + guessed == 0
            ? ""
            : ("; %,d missing lengths of values are taken from another value of the key, or of"
                    + " another key")
                .formatted(unknown + guessed))
        + (others == 0 ? "" : "; %,d other commands are left out".formatted(others));
  }
}

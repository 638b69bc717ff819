package kvrank.trace;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import kvrank.capture.SizeHistogram;
import kvrank.workload.request.Operation;
import kvrank.workload.trace.Recorded;
import kvrank.workload.trace.TraceWriter;
import kvrank.workload.value.ValueShape;
import kvrank.workload.value.ValueSizes;

/**
 * Builds a trace from requests: numbers the keys, distinguishes inserts and updates, finds the
 * records that existed before, and fills in lengths that were not recorded. A record existed before
 * if its first request is a read or delete, unless that read is a recorded miss.
 */
final class TraceBuilder {

  /** An unknown length. */
  static final int UNKNOWN = -1;

  /** The longest value of Redis. */
  private static final int LONGEST = 512 << 20;

  /** The length of all values if none was recorded. */
  private static final int DEFAULT = ValueShape.DEFAULT.sizes().max();

  private static final long SECOND = 1_000_000;

  private record Request(
      long micros,
      Operation operation,
      int id,
      int keyBytes,
      int valueBytes,
      long ttlMillis,
      Recorded recorded) {}

  private final TraceInput input;
  private final TraceWriter out;
  private final KeyNumbers numbers = new KeyNumbers();
  private final SizeSample sizes = new SizeSample();
  private final BitSet present = new BitSet();
  private final BitSet loaded = new BitSet();
  private final List<Request> second = new ArrayList<>();
  private final List<String> unread = new ArrayList<>();

  /** The first and the last known length of each key's values; 0 if unknown. */
  private int[] first = new int[1 << 10];

  private int[] last = new int[1 << 10];
  private long resolution;
  private long time = Long.MIN_VALUE;
  private long requests;
  private long guessed;
  private long others;
  private long reads;
  private long hits;
  private long misses;

  /** The number of keys that are read before they are written. */
  private long compulsory;

  private final BitSet used = new BitSet();
  private final BitSet written = new BitSet();

  /** The keys whose first request is a recorded miss. */
  private final BitSet missed = new BitSet();

  TraceBuilder(TraceInput input, TraceWriter out) {
    this.input = input;
    this.out = out;
  }

  /**
   * Sets the resolution of times in microseconds, before the first request; 0 if there are none.
   * Requests of equal times are spread evenly over it.
   */
  void clock(long micros) {
    resolution = micros;
  }

  /** Adds a column that is not read. */
  void unread(String column) {
    unread.add(column);
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
   * @param recorded the result of a read
   */
  void add(
      long micros,
      Operation kind,
      long space,
      int from,
      int to,
      long keyBytes,
      long valueBytes,
      long ttlMillis,
      Recorded recorded)
      throws IOException {
    if (valueBytes > LONGEST || keyBytes > LONGEST) {
      throw input.problem(
          "has a key or value of over %,d bytes; leave such requests out".formatted(LONGEST));
    }
    long now = resolution == 0 ? 0 : micros;
    if (now < time) {
      throw input.problem("its time is earlier than the previous request's; sort the file by time");
    }
    if (now > time) {
      release(now - time);
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
    if (kind == Operation.READ) {
      reads++;
      hits += recorded == Recorded.HIT ? 1 : 0;
      misses += recorded == Recorded.MISS ? 1 : 0;
      compulsory += used.get(id) ? 0 : 1;
    }
    used.set(id, used.get(id) || kind != Operation.DELETE);
    written.set(id, written.get(id) || writes);
    if (fresh && !writes) {
      boolean existed = kind == Operation.DELETE || recorded != Recorded.MISS;
      loaded.set(id, existed);
      present.set(id, existed);
      missed.set(id, !existed);
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
    Request request = new Request(now, operation, id, (int) keyBytes, bytes, ttlMillis, recorded);
    if (resolution > 1) {
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
        request.ttlMillis,
        request.recorded);
  }

  private void release(long gap) throws IOException {
    long span = Math.min(resolution, gap);
    for (int i = 0; i < second.size(); i++) {
      write(second.get(i), second.get(i).micros + i * span / second.size());
    }
    second.clear();
  }

  /** Ends the trace; returns a sentence that sums up the import. */
  String end(String source) throws IOException {
    release(resolution);
    if (requests == 0) {
      throw input.problem("contains no request that reads or writes a key");
    }
    for (int id = 0; id < numbers.size(); id++) {
      if (first[id] > 0 && (loaded.get(id) || !written.get(id))) {
        sizes.add(first[id]);
      }
    }
    int unknown = 0;
    // Drawn only from recorded lengths, not from drawn ones.
    boolean lengths = sizes.count() > guessed;
    int[] recorded = sizes.count() == 0 ? new int[] {DEFAULT} : sizes.sorted();
    SplittableRandom random = new SplittableRandom(1);
    for (int id = 0; id < numbers.size(); id++) {
      boolean existed = loaded.get(id);
      if (existed && first[id] == 0) {
        unknown++;
        first[id] = recorded[random.nextInt(recorded.length)];
        sizes.add(first[id]);
      }
      if (existed || (missed.get(id) && first[id] > 0)) {
        out.length(id, first[id], existed);
      }
    }
    ValueSizes histogram =
        sizes.count() == 0 ? ValueShape.DEFAULT.sizes() : new SizeHistogram(sizes.sorted()).sizes();
    out.end(source, resolution > 0, histogram);
    return "%,d requests for %,d keys, of which %,d existed before"
            .formatted(requests, numbers.size(), loaded.cardinality())
        + results()
        + (resolution == 0 ? "; without times" : "")
        + (resolution > 1 ? "; requests within %s are spread evenly".formatted(span()) : "")
        + guesses(unknown + guessed, lengths)
        + (others == 0 ? "" : "; %,d other commands are left out".formatted(others))
        + (unread.isEmpty() ? "" : "; columns that are not read: " + String.join(", ", unread));
  }

  private static String guesses(long values, boolean lengths) {
    if (values == 0) {
      return "";
    }
    return lengths
        ? ("; %,d missing lengths of values are taken from another value of the key, or of another"
                + " key")
            .formatted(values)
        : "; no length was recorded, so values have %d bytes".formatted(DEFAULT);
  }

  private String span() {
    return resolution == SECOND ? "a second" : "%,d µs".formatted(resolution);
  }

  private String results() {
    if (reads == 0) {
      return "";
    }
    String recorded =
        hits + misses == 0 ? "no result was recorded" : "%,d are recorded misses".formatted(misses);
    return "; of %,d reads %,d are compulsory misses in an empty store, and %s"
        .formatted(reads, compulsory, recorded);
  }
}

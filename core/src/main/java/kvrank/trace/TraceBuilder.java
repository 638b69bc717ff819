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
 * Makes a trace of requests: gives keys their numbers, tells inserts from updates, finds which
 * records were there before, and fills in what was not recorded.
 */
final class TraceBuilder {

  /** The length is not known. */
  static final int UNKNOWN = -1;

  /** As the longest value of Redis. */
  private static final int LONGEST = 512 << 20;

  /** Where no length at all was recorded. */
  private static final int DEFAULT = ValueShape.DEFAULT.sizes().max();

  private static final long SECOND = 1_000_000;

  /** How exactly requests were timed. */
  enum Clock {
    NONE,
    /** The requests of a second are spread over it evenly. */
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

  /** The first length of each key's values that is known and the last; 0 if none is. */
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

  /** Says how exactly requests are timed, before the first. */
  void clock(Clock exactness) {
    clock = exactness;
  }

  /** Counts what is recorded and is no request of the data of a key. */
  void other() {
    others++;
  }

  /**
   * Adds a request of the key in a part of the input's text.
   *
   * @param micros when, since any time; without meaning if there is no clock
   * @param kind a read, an update for a write of any kind, or a delete
   * @param space tells keys of one name apart
   * @param keyBytes the length of the key
   * @param valueBytes the length of the value, or {@link #UNKNOWN}
   * @param ttlMillis for how long it lives; 0 for ever
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
      throw input.problem("has a length that no key and no value has");
    }
    long now = clock == Clock.NONE ? 0 : micros;
    if (now < time) {
      throw input.problem(
          "its time is before that of the request before it; sort the file by time");
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

  /** A length that was not recorded is that of the key's last value, or of any value. */
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

  /** Ends the trace of a format; returns what was imported, in a sentence. */
  String end(String source) throws IOException {
    release();
    if (requests == 0) {
      throw input.problem("no request of the data of a key is in it");
    }
    int unknown = 0;
    // Drawn from what was recorded alone, not from what was drawn.
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
    return "%,d requests of %,d keys, of which %,d were there before"
            .formatted(requests, numbers.size(), loaded.cardinality())
        + (clock == Clock.NONE ? "; they have no times" : "")
        + (clock == Clock.SECONDS ? "; those of a second are spread over it" : "")
        + (unknown + guessed == 0
            ? ""
            : "; %,d lengths of values are not in it, and are the key's own at another time or another key's"
                .formatted(unknown + guessed))
        + (others == 0 ? "" : "; %,d commands that are none of data left out".formatted(others));
  }
}

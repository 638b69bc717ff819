package kvrank.trace;

import static kvrank.capture.SizeHistogram.percentile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import kvrank.capture.ArrivalCounts;
import kvrank.capture.Skew;
import kvrank.workload.Dataset;
import kvrank.workload.ValueSource;
import kvrank.workload.key.KeyShape;
import kvrank.workload.random.KeyChoice;
import kvrank.workload.request.Operation;
import kvrank.workload.trace.Recorded;
import kvrank.workload.trace.Replay;
import kvrank.workload.trace.TraceHeader;
import kvrank.workload.trace.TraceRequests;
import kvrank.workload.value.Ttl;
import kvrank.workload.value.ValueShape;
import kvrank.workload.value.ValueSizes;

/** Describes a trace. */
public final class TraceDescription {

  /** The sizes of the simulated caches, as shares of the bytes of all records. */
  static final double[] CACHES = {0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1};

  /** The shortest interval in which arrivals are counted, and the number of intervals at most. */
  private static final double LEAST_WINDOW_MICROS = 100_000;

  private static final double MOST_WINDOWS = 1_000_000;

  static final long SEED = 42;

  private final Path file;
  private final TraceHeader header;
  private final Replay replay;
  private final int keyBytes;
  private final TraceProfile profile;
  private final ArrivalCounts arrivals = new ArrivalCounts();
  private final SizeSample seconds = new SizeSample();
  private final BitSet existed = new BitSet();
  private final BitSet used = new BitSet();

  /** The bytes of the keys and the last values of all records. */
  private final long bytes;

  /** Reads; those before any other read or write of the key, and among them of absent records. */
  private long reads;

  private long first;
  private long absent;
  private long hits;
  private long misses;
  private final double window;
  private double windowEnd;
  private double inWindow;

  private TraceDescription(Path file) throws IOException {
    this.file = file;
    Replay.Contents contents = Replay.of(file, 0, 1, 1);
    header = contents.header();
    window = Math.max(LEAST_WINDOW_MICROS, header.micros() / MOST_WINDOWS);
    windowEnd = window;
    // Without times, no record expires.
    replay = header.timed() ? contents.replay() : contents.replay().lasting();
    keyBytes = (int) Math.max(1, Math.round(header.keyBytes()));
    Dataset records = dataset(header.sizes(), Ttl.NONE, Optional.of(replay));
    bytes = bytes();
    try (TraceRequests loads = TraceRequests.load(replay);
        TraceRequests requests = TraceRequests.of(replay)) {
      profile =
          TraceProfile.of(
              loads,
              requests,
              new ValueSource(records, SEED).value(),
              keyBytes,
              header.requests(),
              done -> watch(requests),
              caches());
    }
  }

  private long bytes() throws IOException {
    long[] all = new long[Math.toIntExact(header.keys())];
    try (TraceRequests lengths = TraceRequests.lengths(replay);
        TraceRequests requests = TraceRequests.of(replay);
        TraceRequests loads = TraceRequests.load(replay)) {
      while (lengths.next(1)) {
        all[(int) lengths.id(0)] = (long) keyBytes + lengths.bytes(0);
      }
      while (requests.next(1)) {
        if (requests.operation().storesValue()) {
          all[(int) requests.id(0)] = (long) keyBytes + requests.bytes(0);
        }
      }
      while (loads.next(1)) {
        existed.set((int) loads.id(0));
      }
    }
    return Arrays.stream(all).sum();
  }

  /** Returns empty caches of all sizes for the trace's records. */
  LruCaches caches() throws IOException {
    LruCaches caches =
        new LruCaches(DoubleStream.of(CACHES).mapToLong(part -> (long) (part * bytes)).toArray());
    try (TraceRequests lengths = TraceRequests.lengths(replay)) {
      while (lengths.next(1)) {
        caches.length((int) lengths.id(0), keyBytes + lengths.bytes(0));
      }
    }
    return caches;
  }

  /**
   * Returns the caches after the requests of the trace, without the records that existed before.
   */
  private LruCaches cold() throws IOException {
    LruCaches caches = caches();
    try (TraceRequests requests = TraceRequests.of(replay)) {
      while (requests.next(1)) {
        int id = (int) requests.id(0);
        caches.at(requests.micros());
        if (requests.operation().storesValue()) {
          caches.write(id, keyBytes + requests.bytes(0), requests.ttlSeconds(0));
        } else if (requests.operation() == Operation.DELETE) {
          caches.delete(id);
        } else {
          caches.read(id);
        }
      }
    }
    return caches;
  }

  /** Reads a trace; throws if the file is damaged or not a trace. */
  public static TraceDescription of(Path file) throws IOException {
    return new TraceDescription(file);
  }

  TraceHeader header() {
    return header;
  }

  TraceProfile profile() {
    return profile;
  }

  /** Returns the times to live of writes, in seconds. */
  SizeSample seconds() {
    return seconds;
  }

  int keyBytes() {
    return keyBytes;
  }

  Dataset dataset(ValueSizes sizes, Ttl ttl, Optional<Replay> trace) {
    ValueShape values = new ValueShape(ValueShape.Kind.RANDOM, sizes, 0, ttl);
    return new Dataset(header.keys(), KeyShape.DEFAULT, values, false, trace);
  }

  private double watch(TraceRequests request) {
    int id = (int) request.id(0);
    if (request.operation() == Operation.READ) {
      reads++;
      first += used.get(id) ? 0 : 1;
      absent += used.get(id) || existed.get(id) ? 0 : 1;
      hits += request.recorded() == Recorded.HIT ? 1 : 0;
      misses += request.recorded() == Recorded.MISS ? 1 : 0;
    }
    if (request.operation() != Operation.DELETE) {
      used.set(id);
    }
    if (request.ttlMillis() > 0) {
      seconds.add((int) Math.min(Integer.MAX_VALUE, (request.ttlMillis() + 999) / 1_000));
    }
    for (; request.micros() >= windowEnd; windowEnd += window) {
      arrivals.add(window / 1e6, inWindow);
      inWindow = 0;
    }
    inWindow++;
    return request.micros();
  }

  /** Returns the properties of the trace, one line for each. */
  public List<String> lines() throws IOException {
    String properties =
        """
        source      %s; %,d bytes, %.2f per request; SHA-256 %s
        requests    %,d
        keys        %,d, of which %,d existed before and %.1f %% are requested once
        operations  %s
        time        %s
        lengths     keys %.1f bytes on average; values %s
        times to live  %s
        popularity  %s
        """
            .formatted(
                header.source(),
                header.end(),
                (double) Files.size(file) / Math.max(1, header.requests()),
                header.digest(),
                header.requests(),
                header.keys(),
                header.loaded(),
                100 * profile.once(),
                shares(profile),
                time(),
                header.keyBytes(),
                lengths(),
                lives(),
                popularity());
    List<String> lines = new ArrayList<>(properties.lines().toList());
    if (profile.operations().containsKey(Operation.READ)) {
      lines.add("misses      " + misses());
      boolean warm = header.loaded() > 0;
      lines.add(
          ("LRU cache   hit ratio of reads from an empty cache%s, by size in %% of %,d bytes of keys"
                  + " and values%s")
              .formatted(
                  warm ? ", and after the records that existed before" : "", bytes, endings()));
      LruCaches cold = warm ? cold() : profile.caches();
      for (int i = 0; i < CACHES.length; i++) {
        lines.add(
            "  %5.0f %%   %5.1f %%".formatted(100 * CACHES[i], 100 * cold.hitRatio(i))
                + (warm ? "   %5.1f %%".formatted(100 * profile.caches().hitRatio(i)) : ""));
      }
    }
    return lines;
  }

  private String misses() {
    return "compulsory %.2f %% of %,d reads in an empty store"
            .formatted(100.0 * first / reads, reads)
        + (header.loaded() > 0
            ? ", %.2f %% after the records that existed before".formatted(100.0 * absent / reads)
            : "")
        + (hits + misses > 0
            ? "; recorded %.2f %%".formatted(100.0 * misses / (hits + misses))
            : "; results of reads were not recorded");
  }

  static String shares(TraceProfile of) {
    return of.operations().keySet().stream()
        .map(each -> "%s %.2f %%".formatted(each.label(), 100 * of.share(each)))
        .collect(Collectors.joining(", "));
  }

  private String time() {
    if (!header.timed()) {
      return "not recorded";
    }
    double span = header.micros() / 1e6;
    String rate =
        ", %,.0f requests per second; per %s s, the peak is %.2f times the mean and the variance"
            + " %.2f times the mean (independent arrivals: 1)";
    return "%.3f s".formatted(span)
        + (span > window / 1e6
            ? rate.formatted(
                header.requests() / span,
                Math.round(window / 1e5) / 10.0,
                arrivals.peak(),
                arrivals.dispersion())
            : "");
  }

  private String lengths() {
    if (profile.sizes().count() == 0) {
      return "not recorded";
    }
    int[] sorted = profile.sizes().sorted();
    return "%.1f bytes, p50 %,d, p99 %,d, maximum %,d"
        .formatted(
            profile.sizes().mean(0),
            percentile(sorted, 50),
            percentile(sorted, 99),
            sorted[sorted.length - 1]);
  }

  /** Returns the effect of times to live on hits, as the rest of a sentence. */
  String endings() {
    if (seconds.count() == 0) {
      return "";
    }
    return header.timed()
        ? "; expired records are misses"
        : "; times to live are ignored, because no times were recorded";
  }

  /** Returns the share of the writes that have a time to live. */
  double living() {
    long writes =
        profile.operations().entrySet().stream()
            .filter(each -> each.getKey().storesValue())
            .mapToLong(Map.Entry::getValue)
            .sum();
    return (double) seconds.count() / writes;
  }

  String lives() {
    if (seconds.count() == 0) {
      return "none";
    }
    int[] sorted = seconds.sorted();
    return "%.2f %% of the writes; p50 %,d s, p99 %,d s"
        .formatted(100 * living(), percentile(sorted, 50), percentile(sorted, 99));
  }

  String popularity() {
    return profile
        .skew()
        .map(TraceDescription::popularity)
        .orElse(
            "unknown: this needs %,d accesses of different keys".formatted(Skew.LEAST_ACCESSES));
  }

  private static String popularity(Skew skew) {
    return Skew.INTERVALS + skew.evidence() + skew.conclusion(parameters(skew.choice()));
  }

  static String parameters(KeyChoice choice) {
    return choice.distribution().label()
        + switch (choice.distribution()) {
          case ZIPFIAN, LATEST -> " %.3f".formatted(choice.exponent());
          case HOTSPOT -> " %.3g of %.3g".formatted(choice.hotOperations(), choice.hotKeys());
          default -> "";
        };
  }
}

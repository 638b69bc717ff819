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
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import kvrank.capture.ArrivalCounts;
import kvrank.capture.SizeHistogram;
import kvrank.capture.Skew;
import kvrank.scenario.read.ScenarioWriter;
import kvrank.workload.Dataset;
import kvrank.workload.OperationMix;
import kvrank.workload.RequestPlan;
import kvrank.workload.ValueSource;
import kvrank.workload.Workload;
import kvrank.workload.key.KeyShape;
import kvrank.workload.random.Distribution;
import kvrank.workload.random.KeyChoice;
import kvrank.workload.request.Operation;
import kvrank.workload.trace.Recorded;
import kvrank.workload.trace.Replay;
import kvrank.workload.trace.TraceHeader;
import kvrank.workload.trace.TraceRequests;
import kvrank.workload.value.Ttl;
import kvrank.workload.value.ValueShape;
import kvrank.workload.value.ValueSizes;
import org.apache.commons.text.WordUtils;

/** Describes a trace, and fits a workload to it. */
public final class TraceDescription {

  /** The sizes of the simulated caches, as shares of the bytes of all records. */
  private static final double[] CACHES = {0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1};

  /** The shortest interval in which arrivals are counted, and the number of intervals at most. */
  private static final double LEAST_WINDOW_MICROS = 100_000;

  private static final double MOST_WINDOWS = 1_000_000;

  private static final int MOST_WEIGHT = 1_000_000;
  private static final int LINE = 100;
  private static final long SEED = 42;

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
  private LruCaches caches() throws IOException {
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

  private Dataset dataset(ValueSizes sizes, Ttl ttl, Optional<Replay> trace) {
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

  private static String shares(TraceProfile of) {
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
  private String endings() {
    if (seconds.count() == 0) {
      return "";
    }
    return header.timed()
        ? "; expired records are misses"
        : "; times to live are ignored, because no times were recorded";
  }

  /** Returns the share of the writes that have a time to live. */
  private double living() {
    long writes =
        profile.operations().entrySet().stream()
            .filter(each -> each.getKey().storesValue())
            .mapToLong(Map.Entry::getValue)
            .sum();
    return (double) seconds.count() / writes;
  }

  /** Returns the time to live of the writes; empty if there is none, or several. */
  private Optional<Ttl> ttl() {
    double share = seconds.count() == 0 ? 0 : Math.round(1e4 * living()) / 1e4;
    if (share == 0) {
      return Optional.empty();
    }
    int[] sorted = seconds.sorted();
    // A time to live that was given as a point in time is off by a fraction of a second.
    return percentile(sorted, 99) <= 1.05 * percentile(sorted, 1)
        ? Optional.of(new Ttl(share, Math.min(Ttl.MOST_SECONDS, percentile(sorted, 50))))
        : Optional.empty();
  }

  private String lives() {
    if (seconds.count() == 0) {
      return "none";
    }
    int[] sorted = seconds.sorted();
    return "%.2f %% of the writes; p50 %,d s, p99 %,d s"
        .formatted(100 * living(), percentile(sorted, 50), percentile(sorted, 99));
  }

  private String popularity() {
    return profile
        .skew()
        .map(TraceDescription::popularity)
        .orElse(
            "unknown: this needs %,d accesses of different keys".formatted(Skew.LEAST_ACCESSES));
  }

  private static String popularity(Skew skew) {
    return Skew.INTERVALS + skew.evidence() + skew.conclusion(parameters(skew.choice()));
  }

  private static String parameters(KeyChoice choice) {
    return choice.distribution().label()
        + switch (choice.distribution()) {
          case ZIPFIAN, LATEST -> " %.3f".formatted(choice.exponent());
          case HOTSPOT -> " %.3g of %.3g".formatted(choice.hotOperations(), choice.hotKeys());
          default -> "";
        };
  }

  private static double rounded(double number) {
    return Math.round(number * 1e6) / 1e6;
  }

  /** Returns the workload that is closest to the trace as YAML; comments state the differences. */
  public String workload(String name) throws IOException {
    KeyChoice found = profile.skew().map(Skew::choice).orElse(KeyChoice.of(Distribution.UNIFORM));
    KeyChoice choice =
        new KeyChoice(
            found.distribution(),
            rounded(found.exponent()),
            rounded(found.hotKeys()),
            rounded(found.hotOperations()));
    SortedMap<Operation, Long> counts = new TreeMap<>(profile.operations());
    // New keys are among the records of the workload, unless its distribution depends on inserts.
    if (choice.distribution() != Distribution.LATEST && profile.made() > 0) {
      counts.merge(Operation.INSERT, -profile.made(), Long::sum);
      counts.merge(Operation.UPDATE, profile.made(), Long::sum);
    }
    long most = counts.values().stream().mapToLong(Long::longValue).max().orElse(1);
    SortedMap<Operation, Integer> weights = new TreeMap<>();
    double scale = Math.min(1, (double) MOST_WEIGHT / most);
    counts.forEach((operation, count) -> weights.put(operation, (int) Math.round(count * scale)));
    weights.values().removeIf(weight -> weight <= 0);
    OperationMix mix = new OperationMix(weights, choice, 1, false);
    int[] lengths = profile.sizes().count() == 0 ? new int[] {1} : profile.sizes().sorted();
    SizeHistogram histogram = new SizeHistogram(lengths);
    ValueSizes sizes = profile.sizes().count() == 0 ? header.sizes() : histogram.sizes();
    long records = Math.max(header.keys(), profile.skew().map(Skew::keys).orElse(0L));
    Optional<Ttl> ttl = ttl();
    Optional<Ttl> written = ttl.filter(each -> each.seconds() <= Ttl.MOST_SECONDS_OF_A_RUN);
    double gap = (double) header.micros() / header.requests();
    KeyShape keys = KeyShape.of(header.keyBytes(), 1, 10 * records);
    Workload workload =
        new Workload(
            name,
            "Fitted to a trace of %,d requests.".formatted(header.requests()),
            mix,
            Optional.of(keys),
            Optional.of(new ValueShape(ValueShape.Kind.RANDOM, sizes, 0)),
            written,
            Optional.empty());
    RequestPlan plan = new RequestPlan(SEED, name, mix, records, 1, 1);
    Ttl lived = header.timed() ? written.orElse(Ttl.NONE) : Ttl.NONE;
    Dataset made = dataset(sizes, lived, Optional.empty());
    TraceProfile fitted =
        TraceProfile.of(
            plan.load(0),
            plan.mix(0),
            new ValueSource(made, SEED).value(),
            keyBytes,
            header.requests(),
            done -> done * gap,
            caches());
    double worst = 0;
    StringBuilder curve = new StringBuilder();
    for (int i = 0; i < CACHES.length; i++) {
      double asTraced = profile.caches().hitRatio(i);
      double asFitted = fitted.caches().hitRatio(i);
      worst = Math.max(worst, Math.abs(asTraced - asFitted));
      curve.append(
          " %.0f %%: %.1f and %.1f;".formatted(100 * CACHES[i], 100 * asTraced, 100 * asFitted));
    }
    String shown =
        fitted
            .skew()
            .map(skew -> "; the workload's own requests show " + parameters(skew.choice()))
            .orElse("");
    String comments =
        """
        Fitted by 'kvrank trace fit' to %,d requests for %,d keys, from %s.
        Use it with 'records: %d': its popularity is for that number.
        Popularity: %s%s.
        Operations of the trace: %s; of the workload: %s. Keys that the trace inserts: %,d.
        Lengths of values: the distribution function is within %.4f of the trace's \
        (Kolmogorov-Smirnov); mean %.1f bytes, in the trace %.1f.
        Hit ratios of the trace and of the workload in %%, in an LRU cache that fills misses, by \
        its share of all bytes:%s at most %.1f points apart%s.
        """
            .formatted(
                header.requests(),
                header.keys(),
                header.source(),
                records,
                popularity(),
                shown,
                shares(profile),
                shares(fitted),
                profile.made(),
                histogram.distance(),
                sizes.mean(),
                profile.sizes().mean(sizes.mean()),
                curve,
                100 * worst,
                endings());
    String left = "";
    if (seconds.count() > 0) {
      String what = ", which the workload does not have: it can only have one";
      if (written.isPresent()) {
        what =
            ". Here the same share of all writes has one, including the load; records that existed"
                + " before the trace never expire in it";
      } else if (ttl.isPresent()) {
        what =
            ". It would not end within a short run, and engines without times to live would be"
                + " unsupported, so it is a comment at the end, and ignored in the workload's hit"
                + " ratios";
        left =
            "# ttl: {share: %.4f, seconds: %d}\n".formatted(ttl.get().share(), ttl.get().seconds());
      }
      comments += "Times to live: " + lives() + what + ".";
    }
    return comments
            .lines()
            .map(each -> "# " + WordUtils.wrap(each, LINE, "\n# ", false) + "\n")
            .collect(Collectors.joining())
        + new ScenarioWriter().write(workload)
        + left;
  }
}

package kvrank.capture;

import static kvrank.capture.SizeHistogram.percentile;

import java.util.Arrays;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Collectors;
import kvrank.capture.Capture.Databases;
import kvrank.capture.Cost.Activity;
import kvrank.workload.key.KeyShape;
import kvrank.workload.random.Distribution;
import kvrank.workload.random.KeyChoice;
import kvrank.workload.request.Operation;
import kvrank.workload.value.Ttl;
import kvrank.workload.value.ValueSizes;
import kvrank.workload.value.ValueSizes.Bin;
import org.apache.commons.text.WordUtils;

/**
 * What was seen, as a scenario that runs it: numbers, names of commands and the server's version.
 *
 * @param server its name and version
 * @param connected its clients
 * @param keeping what it forgets, gives up and misses
 * @param exact whether lengths of values are exact, or known to a class of memory
 * @param monitored whether it was looked which keys are popular
 * @param population how many keys are asked for, those that it gave up included
 */
record CapturedScenario(
    String server,
    long connected,
    double seconds,
    CommandMix mix,
    Keeping keeping,
    Databases before,
    Databases after,
    KeySample sample,
    boolean exact,
    Compressibility compressibility,
    boolean monitored,
    long population,
    Optional<Skew> skew,
    ArrivalCounts arrivals,
    Cost cost) {

  /** What a file asks for that runs at once; a comment says how to have more. */
  private static final long MOST_RECORDS = 1_000_000;

  private static final double MOST_BYTES = 1 << 30;
  private static final int MOST_THREADS = 16;

  private static final int LINE = 100;

  private static final String ENGINES = "redis, kvrocks, ssdb, rocksdb, lmdb";
  static final String FORGETTING = "redis, valkey, kvrocks, badger, tidesdb";
  static final String EVICTING = "redis, valkey, keydb, memcached, caffeine";

  private static final String FILE =
      """
      %squestion: Which engine is fastest at the captured traffic?
      engines: [%s]
      fsync: %s
      %srecords: %d
      %s%sthreads: %d
      phases:
        - {workload: load, batch: 100}
      %s  - as: captured
          workload:
            description: The traffic of a server of Redis's protocol, as it was captured.
      %s      operations: {%s}
      %s      keys:
      %s        bytes: %d
              prefix-records: %d
      %s      values:
              compressibility: %.2f
              bytes:
                histogram:
      %s%s""";

  /** Returns the YAML. */
  String text() {
    int[] keyBytes = sample.keyBytes();
    int[] valueBytes = sample.valueBytes();
    SizeHistogram histogram = new SizeHistogram(valueBytes);
    ValueSizes sizes = histogram.sizes();
    long fills = fills() ? (long) keeping.misses() : 0;
    SortedMap<Operation, Integer> weights = mix.weights(after.keys() - before.keys(), fills);
    double bytes = mean(keyBytes) + sizes.mean();
    long most = Math.min(MOST_RECORDS, Math.max(1, (long) (MOST_BYTES / bytes)));
    long records = Math.min(population, most);
    long together = sample.perPrefix(Math.round(after.keys() * after.share()));
    long perPrefix = Math.min(records, together);
    return FILE.formatted(
        comment(0, origin()),
        keeping.evicts() ? EVICTING : ends() ? FORGETTING : ENGINES,
        keeping.evicts() ? "none" : "off",
        comment(0, keys(records)),
        records,
        memory(records) + warmup(),
        comment(0, "%,d clients were connected.".formatted(connected)),
        Math.max(1, Math.min(Math.min(connected, MOST_THREADS), records)),
        comment(2, pace(fills)),
        comment(6, commands()),
        weights.entrySet().stream()
            .map(each -> each.getKey().label() + ": " + each.getValue())
            .collect(Collectors.joining(", ")),
        comment(6, popularity()) + comment(6, lengths(keyBytes, together)),
        choice(),
        keyBytes(keyBytes, perPrefix, records, weights),
        perPrefix,
        comment(6, values(valueBytes, histogram)),
        compressibility.share(),
        sizes.bins().stream().map(CapturedScenario::bin).collect(Collectors.joining()),
        expiry() + misses());
  }

  private static String comment(int indent, String text) {
    String begin = " ".repeat(indent) + "# ";
    return begin + WordUtils.wrap(text.strip(), LINE - indent, "\n" + begin, false) + "\n";
  }

  private static String bin(Bin bin) {
    String length = bin.min() == bin.max() ? "bytes: %d" : "min: %d, max: %d";
    return "            - {%s, weight: %d}\n"
        .formatted(length.formatted(bin.min(), bin.max()), bin.weight());
  }

  private String origin() {
    return ("Captured by 'kvrank capture' from %s in %.0f s; no key, value or address of the server"
                + " is in here. './kvrank run' runs it, --set asks for something else, './kvrank list'"
                + " knows more engines. ")
            .formatted(server, seconds)
        + cost.of(Activity.SAMPLING)
        + cost.of(Activity.MONITOR);
  }

  private String lengths(int[] keyBytes, long together) {
    return ("Keys have %.1f bytes, p50 %d, p99 %d, by a sample of %,d; kvrank's have one length."
            + " %.0f %% have a prefix that ends in one of :/|.#-_, which %,d keys share on average.")
        .formatted(
            mean(keyBytes),
            percentile(keyBytes, 50),
            percentile(keyBytes, 99),
            sample.count(),
            100 * sample.prefixed(),
            together);
  }

  private String keys(long records) {
    String fullest = "; sampled were those of the fullest database, %.1f %%";
    String asked =
        ". %,d are asked for, by the share of the reads that find theirs and an LRU cache of so many"
            + " of the popular ones";
    return "%,d keys by INFO keyspace, %+,d meanwhile"
            .formatted(after.keys(), after.keys() - before.keys())
        + (after.share() < 1 ? fullest.formatted(100 * after.share()) : "")
        + (keeping.evicts() ? asked.formatted(population) : "")
        + (records < population
            ? ". Fewer here, for a first run; '--set records=%d' for all.".formatted(population)
            : ".");
  }

  /** Returns what the server gave up, and how much memory as large a part of the records has. */
  private String memory(long records) {
    if (keeping.evicted() == 0) {
      return "";
    }
    String gaveUp =
        "%,.0f keys a second were given up, by maxmemory %,.0f bytes and policy %s"
            .formatted(keeping.evicted() / seconds, keeping.limit(), keeping.policy());
    if (!keeping.evicts()) {
      return comment(
          0,
          gaveUp
              + ", which is none that engines have in common: limit and policy are not carried over,"
              + " so here no record is given up.");
    }
    long kibibytes = (long) Math.max(1 << 10, keeping.limit() / 1024 * records / population);
    return comment(
            0,
            gaveUp
                + "; this is as large a part for the records here. Engines use allkeys-lru, or what"
                + " is theirs; of Redis 'options: {maxmemory-policy: ...}' names another.")
        + "maxmemory: %dKiB\n".formatted(kibibytes);
  }

  /** Returns whether there is a time to live that ends within a run. */
  private boolean ends() {
    int seconds = timesToLive().seconds().orElse(Integer.MAX_VALUE);
    return seconds <= Ttl.MOST_SECONDS_OF_A_RUN && expiring() > 0;
  }

  private TimesToLive timesToLive() {
    return new TimesToLive(sample.remaining(), seconds);
  }

  /** Returns the share of the keys that have a time to live, to four digits. */
  private double expiring() {
    return after
        .expiring()
        .map(share -> Math.round(1e4 * share) / 1e4)
        .orElse(Math.round(1e4 * sample.remaining().length / sample.count()) / 1e4);
  }

  private String warmup() {
    return ends()
        ? comment(0, "Until the times to live of the records that are loaded end.")
            + "measure: {warmup: %ds}\n".formatted(timesToLive().seconds().orElseThrow())
        : "";
  }

  private String expiry() {
    TimesToLive times = timesToLive();
    if (times.count() == 0 && expiring() == 0) {
      return "";
    }
    String found =
        "%.2f %% of the keys have a time to live, by %s%s. %,.1f keys a second ended. "
            .formatted(
                100 * expiring(),
                after.expiring().isPresent() ? "INFO keyspace" : "the sample",
                times,
                keeping.expired() / seconds);
    if (times.seconds().isEmpty() || expiring() == 0) {
      return comment(6, found);
    }
    String here =
        ends()
            ? "Here that share of all writes has one."
            : "None would end within a short run, and engines that know no times to live would be"
                + " unsupported, so it is a comment:";
    return comment(6, found + here)
        + "      %sttl: {share: %.4f, seconds: %d}\n"
            .formatted(ends() ? "" : "# ", expiring(), times.seconds().orElseThrow());
  }

  /** Returns whether reads that miss are followed by writes here. */
  private boolean fills() {
    return (ends() || keeping.evicts())
        && mix.count(Operation.DELETE) == 0
        && keeping.fills(mix.count(Operation.UPDATE));
  }

  private String misses() {
    String found =
        "%.2f %% of the server's reads found their key, %,.0f did not. "
            .formatted(100 * keeping.hitRatio(), keeping.misses());
    if (fills()) {
      String taken =
          "As many of the writes are taken for what follows a miss, and are none of the operations"
              + " above.";
      return comment(6, found + taken) + "      misses: fill\n";
    }
    return comment(
        6,
        found
            + (ends() || keeping.evicts()
                ? "Here no write follows a miss: there it cannot be told."
                : "Here all do."));
  }

  /** Returns what {@code rate} asks for: what follows a miss comes by itself. */
  private String pace(long fills) {
    return ("%,.0f commands per second of this mix: '--set rate=%1$.0f'. Of all commands, counted each"
            + " 0.1 s, the variance is %.2f times the mean, and the peak %.2f times: 1 for both are"
            + " independent arrivals ('--set arrivals=poisson'); a variance of many times the mean"
            + " is bursts, which a workload cannot say.")
        .formatted((mix.count() - fills) / seconds, arrivals.dispersion(), arrivals.peak());
  }

  private String commands() {
    String partial = "%.1f %% are of a part of a hash, list or set; here each is of a value. ";
    return ("%,d commands by INFO commandstats: %s. Not in it: %s, as of connections, expiry, scripts"
                + " and scans. ")
            .formatted(mix.count(), mix.shares(), mix.rest())
        + (mix.partial() > 0 ? partial.formatted(100 * mix.partial()) : "")
        + (mix.count(Operation.DELETE) > 0 || after.keys() > before.keys()
            ? "As many writes are inserts as keys were removed, and as there are more. "
            : "");
  }

  private String popularity() {
    if (!monitored) {
      return "Which keys are popular was not looked at; --accesses does.";
    }
    return skew.map(
            found ->
                found.evidence()
                    + (found.fits() ? ". So keys are %s." : ". None fits; %s is the nearest.")
                        .formatted(found.choice().distribution().label()))
        .orElse(
            "Which keys are popular is not known: it takes %,d accesses; a longer --for sees more."
                .formatted(Skew.LEAST_ACCESSES));
  }

  /** Returns the distribution of the keys, uniform if it is not known. */
  static KeyChoice choice(Optional<Skew> skew) {
    return skew.map(Skew::choice).orElse(KeyChoice.of(Distribution.UNIFORM));
  }

  private String choice() {
    KeyChoice choice = choice(skew);
    String parameters =
        switch (choice.distribution()) {
          case ZIPFIAN, LATEST -> "exponent: %.3f\n".formatted(choice.exponent());
          case HOTSPOT ->
              "hot-keys: %.6f\nhot-operations: %.6f\n"
                  .formatted(choice.hotKeys(), choice.hotOperations());
          default -> "";
        };
    return ("distribution: " + choice.distribution().label() + "\n" + parameters).indent(8);
  }

  /** Returns a length that is the mean one, or has room for the numbers of all records. */
  private static int keyBytes(
      int[] lengths, long perPrefix, long records, SortedMap<Operation, Integer> weights) {
    long room = weights.containsKey(Operation.INSERT) ? 10 * records : records;
    return KeyShape.of(mean(lengths), perPrefix, room).bytes();
  }

  private String values(int[] values, SizeHistogram histogram) {
    String command =
        exact
            ? "STRLEN"
            : "MEMORY USAGE, which knows them to a quarter of an octave, so a cache may hold some per"
                + " cent more or fewer records (--exact asks STRLEN, which counts as an access unless"
                + " the server knows CLIENT NO-TOUCH)";
    String others = "%.1f %% of the keys hold no strings and are not in it. ";
    return ("Lengths of %,d values by %s: mean %.1f, p50 %d, p99 %d; of the histogram, whose"
                + " distribution function is within %.3f of theirs, mean %.1f. ")
            .formatted(
                values.length,
                command,
                mean(values),
                percentile(values, 50),
                percentile(values, 99),
                histogram.distance(),
                histogram.sizes().mean())
        + (sample.others() > 0 ? others.formatted(100.0 * sample.others() / sample.count()) : "")
        + (compressibility.values() > 0
            ? "Compressibility is what DEFLATE removes of %,d values, up to 4 KiB of each."
                .formatted(compressibility.values())
            : "Compressibility was not looked at; --values does.");
  }

  private static double mean(int... values) {
    return Arrays.stream(values).average().orElse(0);
  }
}

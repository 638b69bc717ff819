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
 * A capture as a scenario. It contains only numbers, names of commands and the server's version.
 *
 * @param server its name and version
 * @param connected the number of its clients
 * @param keeping expirations, evictions and misses
 * @param exact whether lengths of values are exact, or known only to an allocator's size class
 * @param monitored whether accesses to keys were observed
 * @param population the number of keys that clients ask for, evicted ones included
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

  /** The limits of a scenario that runs on any machine; a comment in it names the full number. */
  private static final long MOST_RECORDS = 1_000_000;

  private static final double MOST_BYTES = 1 << 30;
  private static final int MOST_THREADS = 16;

  private static final int LINE = 100;

  private static final String ENGINES = "redis, kvrocks, ssdb, rocksdb, lmdb";
  static final String FORGETTING = "redis, valkey, kvrocks, badger, tidesdb";
  static final String EVICTING = "redis, valkey, keydb, memcached, caffeine";

  private static final String FILE =
      """
      %squestion: Which engine is fastest for the captured traffic?
      engines: [%s]
      fsync: %s
      %srecords: %d
      %s%sthreads: %d
      phases:
        - {workload: load, batch: 100}
      %s  - as: captured
          workload:
            description: The captured traffic of a server that speaks Redis's protocol.
      %s      operations: {%s}
      %s      keys:
      %s        bytes: %d
              prefix-records: %d
      %s      values:
              compressibility: %.2f
              bytes:
                histogram:
      %s%s\
      """;

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
    return ("Captured by 'kvrank capture' from %s in %.0f s. It contains no key, value or address"
                + " of the server. Run it with './kvrank run', change it with --set; './kvrank"
                + " list' shows more engines. ")
            .formatted(server, seconds)
        + Skew.INTERVALS
        + cost.of(Activity.SAMPLING)
        + cost.of(Activity.MONITOR);
  }

  private String lengths(int[] keyBytes, long together) {
    return ("Lengths of %4$,d sampled keys: mean %1$.1f bytes, p50 %2$d, p99 %3$d; here all keys"
            + " have the same length. %5$.0f %% have a prefix that ends in one of :/|.#-_; on"
            + " average, %6$,d keys share a prefix.")
        .formatted(
            mean(keyBytes),
            percentile(keyBytes, 50),
            percentile(keyBytes, 99),
            sample.count(),
            100 * sample.prefixed(),
            together);
  }

  private String keys(long records) {
    String fullest = "; sampled from the database with the most keys, %.1f %%";
    String asked =
        ". Clients ask for %,d: with these, an LRU cache of the server's size has its hit ratio";
    return "%,d keys (INFO keyspace), %+,d during the capture"
            .formatted(after.keys(), after.keys() - before.keys())
        + (after.share() < 1 ? fullest.formatted(100 * after.share()) : "")
        + (keeping.evicts() ? asked.formatted(population) : "")
        + (records < population
            ? ". Fewer here, for a first run; for all of them: '--set records=%d'."
                .formatted(population)
            : ".");
  }

  /** Returns the comment on evictions and the memory limit, in proportion to the records. */
  private String memory(long records) {
    if (keeping.evicted() == 0) {
      return "";
    }
    String evicted =
        "The server evicted %,.0f keys per second (maxmemory %,.0f bytes, policy %s)"
            .formatted(keeping.evicted() / seconds, keeping.limit(), keeping.policy());
    if (!keeping.evicts()) {
      return comment(
          0,
          evicted
              + ". Engines do not have this policy in common, so neither limit nor policy is"
              + " carried over, and no record is evicted here.");
    }
    long kibibytes = (long) Math.max(1 << 10, keeping.limit() / 1024 * records / population);
    return comment(
            0,
            evicted
                + ". Here the limit is in proportion to the records. Engines use allkeys-lru or"
                + " their own policy; for Redis, 'options: {maxmemory-policy: ...}' sets"
                + " another.")
        + "maxmemory: %dKiB\n".formatted(kibibytes);
  }

  /** Returns whether records expire within a run. */
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
        ? comment(0, "Until the loaded records have expired.")
            + "measure: {warmup: %ds}\n".formatted(timesToLive().seconds().orElseThrow())
        : "";
  }

  private String expiry() {
    TimesToLive times = timesToLive();
    if (times.count() == 0 && expiring() == 0) {
      return "";
    }
    String found =
        "%.2f %% of the keys have a time to live (%s)%s. %,.1f keys per second expired. "
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
            ? "Here this share of the writes sets one."
            : "It would not end within a short run, and engines without times to live would be"
                + " unsupported, so it is a comment:";
    return comment(6, found + here)
        + "      %sttl: {share: %.4f, seconds: %d}\n"
            .formatted(ends() ? "" : "# ", expiring(), times.seconds().orElseThrow());
  }

  /** Returns whether the workload follows each read that misses with a write. */
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
          "This many writes count as fills after a miss, and are not among the operations above.";
      return comment(6, found + taken) + "      misses: fill\n";
    }
    return comment(
        6,
        found
            + (ends() || keeping.evicts()
                ? "Here no write follows a miss; whether one did on the server is unknown."
                : "Here all of them find it."));
  }

  /**
   * Returns the comment on the rate, without the writes that fill misses: they follow by
   * themselves.
   */
  private String pace(long fills) {
    return ("%,.0f commands per second of this mix; to run at that rate: '--set rate=%1$.0f'."
            + " Counts of all commands per 0.1 s have a variance of %.2f times the mean and a peak"
            + " of %.2f times. Independent arrivals ('--set arrivals=poisson') have a variance of"
            + " about the mean; many times the mean are bursts, which a workload cannot express.")
        .formatted((mix.count() - fills) / seconds, arrivals.dispersion(), arrivals.peak());
  }

  private String commands() {
    String partial =
        "%.1f %% access a part of a hash, list or set; here each accesses a whole value. ";
    return ("%,d commands (INFO commandstats): %s. Not included: %s, for connections, expiry,"
                + " scripts, scans and other purposes. ")
            .formatted(mix.count(), mix.shares(), mix.rest())
        + (mix.partial() > 0 ? partial.formatted(100 * mix.partial()) : "")
        + (mix.count(Operation.DELETE) > 0 || after.keys() > before.keys()
            ? "Writes are inserts as far as keys were removed or their number grew. "
            : "");
  }

  private String popularity() {
    if (!monitored) {
      return "The popularity of keys was not observed; use --accesses.";
    }
    return skew.map(
            found ->
                found.evidence() + found.conclusion(found.choice().distribution().label()) + ".")
        .orElse(
            "The popularity of keys is unknown: this needs %,d accesses; use a longer --for."
                .formatted(Skew.LEAST_ACCESSES));
  }

  /** Returns the distribution of the keys, uniform if unknown. */
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

  /** Returns the mean length, or the shortest that has room for the numbers of all records. */
  private static int keyBytes(
      int[] lengths, long perPrefix, long records, SortedMap<Operation, Integer> weights) {
    long room = weights.containsKey(Operation.INSERT) ? 10 * records : records;
    return KeyShape.of(mean(lengths), perPrefix, room).bytes();
  }

  private String values(int[] values, SizeHistogram histogram) {
    String command =
        exact
            ? "STRLEN"
            : "MEMORY USAGE, which shows them only to a quarter of an octave, so a cache may hold"
                + " some per cent more or fewer records (--exact uses STRLEN, which counts as an"
                + " access unless the server has CLIENT NO-TOUCH)";
    String others = "%.1f %% of the keys do not hold strings and are not included. ";
    return ("Lengths of %,d values by %s: mean %.1f, p50 %d, p99 %d. The histogram's distribution"
                + " function is within %.3f of theirs, and its mean is %.1f. ")
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
            ? ("Compressibility is the share that DEFLATE removes from %,d values, up to 4 KiB of"
                    + " each.")
                .formatted(compressibility.values())
            : "Compressibility was not measured; use --values.");
  }

  private static double mean(int... values) {
    return Arrays.stream(values).average().orElse(0);
  }
}

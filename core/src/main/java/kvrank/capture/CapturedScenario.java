package kvrank.capture;

import static kvrank.capture.SizeHistogram.percentile;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import kvrank.capture.Capture.Databases;
import kvrank.capture.Cost.Activity;
import kvrank.capture.FrequencyProfile.Popular;
import kvrank.capture.LengthsByPopularity.Part;
import kvrank.capture.LengthsByPopularity.Sampled;
import kvrank.workload.key.KeyShape;
import kvrank.workload.random.Distribution;
import kvrank.workload.random.KeyChoice;
import kvrank.workload.request.Operation;
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
 * @param accesses empty if none were monitored
 * @param population the number of keys that clients ask for, evicted and expired ones included
 * @param survival which of them exist, if some writes set a time to live that is known
 * @param filled whether writes follow reads that miss, as far as their numbers show
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
    Accesses accesses,
    long population,
    Optional<Skew> skew,
    Expiry expiry,
    Optional<Survival> survival,
    boolean filled,
    Replies replies,
    ArrivalCounts arrivals,
    Cost cost) {

  /** The limits of a scenario that runs on any machine; a comment in it names the full number. */
  private static final long MOST_RECORDS = 1_000_000;

  private static final double MOST_BYTES = 1 << 30;
  private static final int MOST_THREADS = 16;

  private static final int LINE = 100;

  /** Shares of keys are rounded to multiples of this. */
  private static final double SHARE = 1e-9;

  /** The part of a figure by which the workload may be off without a warning. */
  private static final double CLOSE = 0.1;

  /** Starts a sentence that ends the text. */
  private static final String WARNING = "WARNING: ";

  /** The fewest accessed keys for a mean length. */
  private static final int LEAST_ACCESSED = 300;

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
      %s%s\
      """;

  /**
   * Lengths of values.
   *
   * @param all of all keys, the shortest first
   * @param parts of the keys by popularity; one if lengths do not depend on it
   * @param sizes of the workload
   * @param read the mean length that a read of the workload returns
   */
  private record Lengths(List<Integer> all, List<Part> parts, ValueSizes sizes, double read) {}

  private Lengths lengths() {
    List<KeySample.Key> strings = sample.strings();
    double existing = after.keys();
    double living =
        existing * strings.stream().filter(KeySample.Key::expires).count() / strings.size();
    // A key that expires stands for those that have expired, too.
    double weight =
        survival.isEmpty() || living == 0 ? 1 : Math.max(1, 1 + (population - existing) / living);
    List<Part> parts = List.of();
    int[] accessed = accessedBytes();
    if (accessed.length >= LEAST_ACCESSED
        && skew.filter(found -> found.choice().distribution() != Distribution.LATEST).isPresent()) {
      List<Popular> model = Skew.model(choice(skew), population);
      List<KeySample.Key> keys = new ArrayList<>(sample.distinct(key -> true));
      keys.addAll(strings);
      Map<Long, Integer> counts =
          accesses.countsOf(keys.stream().map(KeySample.Key::hash).toList());
      List<Sampled> sampled =
          keys.stream()
              .filter(key -> key.bytes() >= 0)
              .map(
                  key ->
                      new Sampled(counts.get(key.hash()), key.bytes(), key.expires() ? weight : 1))
              .toList();
      parts =
          new LengthsByPopularity(
                  sampled,
                  model,
                  accesses.count(),
                  key -> survival.map(each -> each.exists(key)).orElse(1.0))
              .parts(mean(accessed), sampled.size());
    }
    List<Integer> all = weighted(strings, weight);
    if (parts.size() < 2) {
      ValueSizes sizes = new SizeHistogram(ints(all)).sizes();
      return new Lengths(all, List.of(new Part(1, 1, all)), sizes, sizes.mean());
    }
    List<ValueSizes.Part> sizes = new ArrayList<>();
    double read = 0;
    double left = 1;
    for (Part part : parts) {
      ValueSizes ofPart =
          new SizeHistogram(ints(part.bytes().isEmpty() ? all : part.bytes())).sizes();
      boolean last = sizes.size() == parts.size() - 1;
      double share = last ? left : Math.max(1, Math.round(part.keys() / SHARE)) * SHARE;
      left -= share;
      sizes.add(new ValueSizes.Part(share, ofPart));
      read += part.reads() * ofPart.mean();
    }
    return new Lengths(
        all, parts, new ValueSizes(ValueSizes.Spread.UNIFORM, List.of(), sizes, false), read);
  }

  /** Returns lengths of values, the shortest first, with those of expiring keys more often. */
  private static List<Integer> weighted(List<KeySample.Key> keys, double weight) {
    SplittableRandom random = new SplittableRandom(keys.size());
    IntStream.Builder lengths = IntStream.builder();
    for (KeySample.Key key : keys) {
      double left = key.expires() ? weight : 1;
      for (; left > 0 && random.nextDouble() < left; left--) {
        lengths.add(key.bytes());
      }
    }
    return lengths.build().sorted().boxed().toList();
  }

  private static int[] ints(List<Integer> numbers) {
    return numbers.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Returns the known differences between the workload and the traffic. */
  List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    skew.filter(found -> !found.fits())
        .ifPresent(
            found ->
                warnings.add(
                    "the popularity of keys fits no distribution; the scenario has the nearest, "
                        + found.choice().distribution().label()));
    if (!expiry.evidence().isEmpty() && expiry.share().isEmpty()) {
      warnings.add(
          "the share of the writes that set a time to live is unknown, so the workload sets none"
              + (accesses.windows() == 0 ? "; --accesses finds it" : ""));
    }
    for (String text : List.of(missed(), read(lengths()))) {
      int begin = text.indexOf(WARNING);
      if (begin >= 0) {
        warnings.add(text.substring(begin + WARNING.length()).strip());
      }
    }
    return warnings;
  }

  /** Returns the YAML. */
  String text() {
    int[] keyBytes = sample.keyBytes();
    Lengths lengths = lengths();
    long fills = fills() ? (long) keeping.misses() : 0;
    SortedMap<Operation, Integer> weights = mix.weights(growth(), fills);
    double bytes = mean(keyBytes) + lengths.sizes().mean();
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
        comment(6, values(lengths)),
        compressibility.share(),
        bytes(lengths.sizes()),
        ttl() + misses());
  }

  private static String comment(int indent, String text) {
    String begin = " ".repeat(indent) + "# ";
    return begin + WordUtils.wrap(text.strip(), LINE - indent, "\n" + begin, false) + "\n";
  }

  private static String bytes(ValueSizes sizes) {
    if (sizes.parts().isEmpty()) {
      return histogram(sizes).indent(10);
    }
    return "          by-popularity:\n"
        + sizes.parts().stream()
            .map(
                part ->
                    "- keys: %s\n  bytes:\n%s"
                        .formatted(share(part.records()), histogram(part.sizes()).indent(4)))
            .collect(Collectors.joining())
            .indent(12);
  }

  private static String histogram(ValueSizes sizes) {
    return sizes.bins().stream()
        .map(CapturedScenario::bin)
        .collect(Collectors.joining("", "histogram:\n", ""));
  }

  private static String bin(Bin bin) {
    String length = bin.min() == bin.max() ? "bytes: %d" : "min: %d, max: %d";
    return "  - {%s, weight: %d}\n".formatted(length.formatted(bin.min(), bin.max()), bin.weight());
  }

  private static String share(double share) {
    return BigDecimal.valueOf(Math.round(share / SHARE), 9).stripTrailingZeros().toPlainString();
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
    String expired =
        ". Clients ask for %,d: with these, as many exist at this popularity, rate and time to"
            + " live";
    return "%,d keys (INFO keyspace), %+,d during the capture"
            .formatted(after.keys(), after.keys() - before.keys())
        + (after.share() < 1 ? fullest.formatted(100 * after.share()) : "")
        + (keeping.evicts() ? asked.formatted(population) : "")
        + (survival.isPresent() && population > after.keys() ? expired.formatted(population) : "")
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
    return expiry.ofRun().isPresent();
  }

  private String warmup() {
    return expiry
        .ofRun()
        .map(
            ttl ->
                comment(0, "Until the loaded records have expired.")
                    + "measure: {warmup: %ds}\n".formatted(ttl.seconds()))
        .orElse("");
  }

  private String ttl() {
    if (expiry.evidence().isEmpty()) {
      return "";
    }
    String written =
        filled
            ? "Here this share of the keys has one. "
            : "Here this share of the writes sets one. ";
    String here =
        ends()
            ? written + missed()
            : "It would not end within a short run, and engines without times to live would be"
                + " unsupported, so it is a comment:";
    return expiry
        .ttl()
        .map(
            ttl ->
                comment(6, expiry.evidence() + here)
                    + "      %sttl: {share: %.4f, seconds: %d}\n"
                        .formatted(ends() ? "" : "# ", ttl.share(), ttl.seconds()))
        .orElseGet(() -> comment(6, expiry.evidence() + "So the workload has none."));
  }

  /** Returns the comparison of the misses of this workload and the server; empty if unknown. */
  private String missed() {
    if (!ends() || survival.isEmpty() || skew.isEmpty()) {
      return "";
    }
    double here = survival.get().misses(choice(skew), population);
    double there = 1 - keeping.hitRatio();
    return "With all records and at the captured rate, %.2f %% of this workload's reads miss. "
            .formatted(100 * here)
        + (close(here, there)
            ? ""
            : (WARNING
                    + "on the server, %.2f %% do: its keys were not yet in a steady state, or reads"
                    + " miss for another reason. ")
                .formatted(100 * there));
  }

  private static boolean close(double here, double there) {
    return Math.abs(here - there) <= CLOSE * Math.max(here, there);
  }

  /** Returns whether the workload follows each read that misses with a write. */
  private boolean fills() {
    return filled && (ends() || keeping.evicts());
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
        + (mix.count(Operation.DELETE) > 0 || growth() > 0
            ? "Writes are inserts as far as keys were removed or their number grew. "
            : "");
  }

  /** Returns the number of new keys, without what may be chance among keys that expire. */
  private long growth() {
    long growth = after.keys() - before.keys();
    return Math.abs(growth) > 3 * Math.sqrt(2 * keeping.expired()) ? growth : 0;
  }

  private String popularity() {
    if (accesses.windows() == 0) {
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
              "hot-keys: %s\nhot-operations: %.6f\n"
                  .formatted(share(choice.hotKeys()), choice.hotOperations());
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

  private String values(Lengths lengths) {
    String command =
        exact
            ? "STRLEN"
            : "MEMORY USAGE, which shows them only to a quarter of an octave, so a cache may hold"
                + " some per cent more or fewer records (--exact uses STRLEN, which counts as an"
                + " access unless the server has CLIENT NO-TOUCH)";
    String others = "%.1f %% of the keys do not hold strings and are not included. ";
    int[] all = ints(lengths.all());
    return "Lengths of %,d values by %s: mean %.1f, p50 %d, p99 %d; in the workload, mean %.1f. "
            .formatted(
                sample.strings().size(),
                command,
                mean(all),
                percentile(all, 50),
                percentile(all, 99),
                lengths.sizes().mean())
        + byPopularity(lengths)
        + read(lengths)
        + (sample.others() > 0 ? others.formatted(100.0 * sample.others() / sample.count()) : "")
        + (compressibility.values() > 0
            ? ("Compressibility is the share that DEFLATE removes from %,d values, up to 4 KiB of"
                    + " each.")
                .formatted(compressibility.values())
            : "Compressibility was not measured; use --values.");
  }

  private static String byPopularity(Lengths lengths) {
    return lengths.parts().size() < 2
        ? ""
        : "They depend on popularity (STRLEN of accessed keys): "
            + lengths.parts().stream()
                .map(
                    part ->
                        "%.3g %% of the keys with %.3g %% of the reads have a mean of %.1f"
                            .formatted(
                                100 * part.keys(), 100 * part.reads(), mean(ints(part.bytes()))))
                .collect(Collectors.joining("; ", "", ". "));
  }

  /** Returns the lengths of values that clients accessed, as often as they were drawn. */
  private int[] accessedBytes() {
    return sample.accessed().stream()
        .mapToInt(KeySample.Key::bytes)
        .filter(each -> each >= 0)
        .toArray();
  }

  /** Returns the comparison of the lengths that reads return here and on the server. */
  private String read(Lengths lengths) {
    OptionalDouble sent = mix.returnsValues() ? replies.meanValue() : OptionalDouble.empty();
    int[] accessed = accessedBytes();
    if (sent.isEmpty() && accessed.length < LEAST_ACCESSED) {
      return "";
    }
    double there = sent.orElse(mean(accessed));
    double here = lengths.read();
    boolean close = close(here, there) || Math.abs(here - there) <= 2 * chance(ints(lengths.all()));
    return "%sReads return %.1f bytes on average; on the server, %.1f (%s). %s"
        .formatted(
            close ? "" : WARNING,
            here,
            there,
            sent.isPresent() ? "INFO stats" : "accessed keys",
            close
                ? ""
                : accesses.windows() == 0
                    ? "Lengths may depend on popularity: use --accesses. "
                    : "No lengths by popularity explain that, or it sends something else, too. ");
  }

  /**
   * Returns the standard deviation of the mean length of reads around that of keys if lengths do
   * not depend on popularity: a few keys get most reads, and have some length.
   */
  private double chance(int... bytes) {
    double mean = mean(bytes);
    double variance =
        Arrays.stream(bytes).mapToDouble(each -> (each - mean) * (each - mean)).average().orElse(0);
    double concentration =
        Skew.model(choice(skew), population).stream()
            .mapToDouble(each -> each.keys() * each.probability() * each.probability())
            .sum();
    return Math.sqrt(variance * concentration);
  }

  private static double mean(int... values) {
    return Arrays.stream(values).average().orElse(0);
  }
}

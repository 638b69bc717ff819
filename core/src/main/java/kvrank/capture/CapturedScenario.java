package kvrank.capture;

import static kvrank.capture.SizeHistogram.mean;
import static kvrank.capture.SizeHistogram.percentile;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.stream.Collectors;
import kvrank.capture.Capture.Databases;
import kvrank.capture.Cost.Activity;
import kvrank.workload.key.KeyShape;
import kvrank.workload.random.KeyChoice;
import kvrank.workload.request.Operation;
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

  /** The part of a figure by which the workload may be off without a warning. */
  private static final double CLOSE = 0.1;

  /** Starts a sentence that ends the text. */
  private static final String WARNING = "WARNING: ";

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

  private CapturedLengths valueLengths() {
    return CapturedLengths.of(sample, after.keys(), population, accesses, skew, survival);
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
    for (String text : List.of(missed(), read(valueLengths()))) {
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
    CapturedLengths lengths = valueLengths();
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
        lengths.yaml(),
        ttl() + misses());
  }

  private static String comment(int indent, String text) {
    String begin = " ".repeat(indent) + "# ";
    return begin + WordUtils.wrap(text.strip(), LINE - indent, "\n" + begin, false) + "\n";
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
    double here = survival.get().misses(Skew.choiceOf(skew), population);
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

  private String choice() {
    KeyChoice choice = Skew.choiceOf(skew);
    String parameters =
        switch (choice.distribution()) {
          case ZIPFIAN, LATEST -> "exponent: %.3f\n".formatted(choice.exponent());
          case HOTSPOT ->
              "hot-keys: %s\nhot-operations: %.6f\n"
                  .formatted(CapturedLengths.share(choice.hotKeys()), choice.hotOperations());
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

  private String values(CapturedLengths lengths) {
    String command =
        exact
            ? "STRLEN"
            : "MEMORY USAGE, which shows them only to a quarter of an octave, so a cache may hold"
                + " some per cent more or fewer records (--exact uses STRLEN, which counts as an"
                + " access unless the server has CLIENT NO-TOUCH)";
    String others = "%.1f %% of the keys do not hold strings and are not included. ";
    int[] all = CapturedLengths.ints(lengths.all());
    return "Lengths of %,d values by %s: mean %.1f, p50 %d, p99 %d; in the workload, mean %.1f. "
            .formatted(
                sample.strings().size(),
                command,
                mean(all),
                percentile(all, 50),
                percentile(all, 99),
                lengths.sizes().mean())
        + lengths.byPopularity()
        + read(lengths)
        + (sample.others() > 0 ? others.formatted(100.0 * sample.others() / sample.count()) : "")
        + (compressibility.values() > 0
            ? ("Compressibility is the share that DEFLATE removes from %,d values, up to 4 KiB of"
                    + " each.")
                .formatted(compressibility.values())
            : "Compressibility was not measured; use --values.");
  }

  /** Returns the comparison of the lengths that reads return here and on the server. */
  private String read(CapturedLengths lengths) {
    OptionalDouble sent = mix.returnsValues() ? replies.meanValue() : OptionalDouble.empty();
    int[] accessed = sample.accessedBytes();
    if (sent.isEmpty() && accessed.length < CapturedLengths.LEAST_ACCESSED) {
      return "";
    }
    double there = sent.orElse(mean(accessed));
    double here = lengths.read();
    boolean close =
        close(here, there)
            || Math.abs(here - there) <= 2 * chance(CapturedLengths.ints(lengths.all()));
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
        Skew.model(Skew.choiceOf(skew), population).stream()
            .mapToDouble(each -> each.keys() * each.probability() * each.probability())
            .sum();
    return Math.sqrt(variance * concentration);
  }
}

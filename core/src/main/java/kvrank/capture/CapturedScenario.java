package kvrank.capture;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Collectors;
import kvrank.capture.Capture.Databases;
import kvrank.capture.Cost.Activity;
import kvrank.workload.Distribution;
import kvrank.workload.KeyChoice;
import kvrank.workload.KeyShape;
import kvrank.workload.Operation;
import kvrank.workload.ValueSizes;
import kvrank.workload.ValueSizes.Bin;
import org.apache.commons.text.WordUtils;

/**
 * What was seen, as a scenario that runs it: numbers, names of commands and the server's version.
 *
 * @param facts INFO server
 * @param clients INFO clients
 * @param exact whether lengths of values are exact, or known to a class of memory
 * @param monitored whether accesses were looked at
 * @param accesses how many
 * @param hits the share of reads that found something
 */
record CapturedScenario(
    Map<String, String> facts,
    Map<String, String> clients,
    double seconds,
    CommandMix mix,
    Databases before,
    Databases after,
    KeySample sample,
    boolean exact,
    Compressibility compressibility,
    boolean monitored,
    long accesses,
    Optional<Skew> skew,
    Arrivals arrivals,
    Cost cost,
    Optional<Double> hits) {

  /** What a file asks for that runs at once; more is said in a comment. */
  private static final long MOST_RECORDS = 1_000_000;

  private static final double MOST_BYTES = 1 << 30;
  private static final int MOST_THREADS = 16;

  private static final int LINE = 100;

  /** Returns the YAML. */
  String text() {
    long keys = after.keys();
    int[] values = sample.valueBytes();
    int[] lengths = sample.keyBytes();
    SortedMap<Operation, Integer> weights = mix.weights(keys - before.keys());
    ValueSizes sizes = SizeHistogram.of(values);
    double bytes = mean(lengths) + sizes.mean();
    long most = Math.min(MOST_RECORDS, Math.max(1, (long) (MOST_BYTES / bytes)));
    long records = Math.min(keys, most);
    long perPrefix = Math.min(records, sample.perPrefix(Math.round(keys * before.share())));
    // One of them is the capture.
    long connected = Long.parseLong(clients.getOrDefault("connected_clients", "2")) - 1;
    Lines yaml = new Lines();
    yaml.comment(
        0,
        "Captured by 'kvrank capture' from %s in %.0f s. No key, value or address of the server is in this file.",
        server(),
        seconds);
    yaml.comment(0, "'./kvrank run' runs it as it is; --engines and --set ask for something else.");
    for (Activity activity : Activity.values()) {
      if (activity != Activity.NOTHING && cost.has(activity)) {
        yaml.comment(0, "%s", cost(activity));
      }
    }
    yaml.add("question: Which engine is fastest at the captured traffic?");
    yaml.add("engines: [redis, kvrocks, ssdb, rocksdb, lmdb]");
    yaml.add("fsync: off");
    yaml.comment(0, "%s", keys(keys, records));
    yaml.add("records: %d", records);
    yaml.comment(0, "%,d clients were connected.", connected);
    yaml.add("threads: %d", Math.max(1, Math.min(Math.min(connected, MOST_THREADS), records)));
    yaml.add("phases:");
    yaml.add("  - {workload: load, batch: 100}");
    yaml.comment(2, "%s", pace());
    yaml.add("  - as: captured");
    yaml.add("    workload:");
    yaml.add("      description: The traffic of a server of Redis's protocol, as it was captured.");
    mix(yaml, keys - before.keys());
    yaml.add(
        "      operations: {%s}",
        weights.entrySet().stream()
            .map(each -> each.getKey().label() + ": " + each.getValue())
            .collect(Collectors.joining(", ")));
    skew(yaml);
    yaml.comment(
        6,
        "Keys have %s bytes, p50 %d, p99 %d, in %,d samples; kvrank's have one length. Of %.0f %% of them"
            + " a prefix ends in one of :/|.#-_, and a key shares it with %,d others on average.",
        format("%.1f", mean(lengths)),
        percentile(lengths, 50),
        percentile(lengths, 99),
        sample.count(),
        100 * sample.prefixed(),
        sample.perPrefix(Math.round(keys * before.share())) - 1);
    yaml.add("      keys:");
    choice(yaml);
    yaml.add("        bytes: %d", keyBytes(lengths, perPrefix, records, weights));
    yaml.add("        prefix-records: %d", perPrefix);
    yaml.comment(6, "%s", sizes(values, sizes));
    yaml.comment(6, "%s", expiry());
    yaml.add("      values:");
    if (compressibility.values() > 0) {
      yaml.comment(
          8,
          "What DEFLATE removes of %,d values, of up to 4 KiB of each.",
          compressibility.values());
      yaml.add("        compressibility: %.2f", compressibility.share());
    } else {
      yaml.comment(8, "Compressibility was not looked at; --values does.");
    }
    yaml.add("        bytes:");
    yaml.add("          histogram:");
    for (Bin bin : sizes.bins()) {
      yaml.add(
          bin.min() == bin.max()
              ? "            - {bytes: %2$d, weight: %3$d}"
              : "            - {min: %d, max: %d, weight: %d}",
          bin.min(),
          bin.max(),
          bin.weight());
    }
    return yaml.toString();
  }

  /** Lines of YAML. */
  private static final class Lines {
    private final StringBuilder text = new StringBuilder();

    void add(String format, Object... values) {
      text.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    void comment(int indent, String format, Object... values) {
      String begin = " ".repeat(indent) + "# ";
      String sentence = String.format(Locale.ROOT, format, values);
      text.append(begin)
          .append(WordUtils.wrap(sentence, LINE - indent, "\n" + begin, false))
          .append('\n');
    }

    @Override
    public String toString() {
      return text.toString();
    }
  }

  private String server() {
    String name = facts.getOrDefault("server_name", "redis");
    String version = facts.getOrDefault(name + "_version", facts.getOrDefault("redis_version", ""));
    String server = name + " " + version;
    return server.matches("[\\w.-]{1,20} [\\w.-]{1,20}") ? server : "a server of Redis's protocol";
  }

  private String cost(Activity activity) {
    return format(
        "Cost of %s to the server: %.2f +- %.2f points of the %.1f %% of a core that it took without;"
            + " PING p50 %.0f us, p99 %.0f us, and %.0f us, %.0f us without.",
        activity.label(),
        cost.points(activity),
        2 * cost.deviation(activity),
        100 * cost.mean(Activity.NOTHING),
        cost.latency(activity, 50),
        cost.latency(activity, 99),
        cost.latency(Activity.NOTHING, 50),
        cost.latency(Activity.NOTHING, 99));
  }

  private String keys(long keys, long records) {
    String all = format("%,d keys by INFO keyspace, %+,d meanwhile", keys, keys - before.keys());
    String fullest =
        before.share() < 1
            ? format(
                "; keys were sampled in the fullest database, which has %.1f %%",
                100 * before.share())
            : "";
    return all
        + fullest
        + (records < keys
            ? format(". Fewer here, for a first run; '--set records=%d' for all.", keys)
            : ".");
  }

  private String pace() {
    double rate = mix.count() / seconds;
    return format(
        "%,.0f commands per second in this mix: '--set rate=%.0f'. Of all commands, counted each 0.1 s by"
            + " INFO, the variance is %.2f times the mean and the peak %.2f times: 1 and little more"
            + " are independent arrivals ('--set arrivals=poisson'), a variance of many times the"
            + " mean is bursts, which a workload cannot say.",
        rate, rate, arrivals.dispersion(), arrivals.peak());
  }

  private void mix(Lines yaml, long growth) {
    String calls =
        mix.calls().entrySet().stream()
            .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
            .map(each -> format("%s %.3f %%", each.getKey(), 100.0 * each.getValue() / mix.count()))
            .collect(Collectors.joining(", "));
    yaml.comment(
        6,
        "Of %,d commands by INFO commandstats: %s. Not in it: %,d others, as of connections, expiry, scripts and scans.",
        mix.count(),
        calls,
        mix.others());
    if (mix.partial() > 0) {
      yaml.comment(
          6,
          "%.1f %% are of a part of a hash, list or set; here each is of a whole value.",
          100 * mix.partial());
    }
    if (mix.count(Operation.DELETE) > 0 || growth > 0) {
      yaml.comment(
          6, "As many writes are inserts as keys were removed and as there are more keys.");
    }
    hits.ifPresent(
        share ->
            yaml.comment(
                6, "%.2f %% of the server's reads found their key; here all do.", 100 * share));
  }

  private void skew(Lines yaml) {
    if (!monitored) {
      yaml.comment(6, "Which keys are popular was not looked at; --accesses does.");
    } else if (skew.isEmpty()) {
      yaml.comment(
          6,
          "Which keys are popular is not known: %,d accesses were seen, and it takes %,d; a longer --for sees more.",
          accesses,
          Skew.LEAST_ACCESSES);
    } else {
      Skew found = skew.get();
      found.evidence().forEach(sentence -> yaml.comment(6, "%s.", sentence));
      yaml.comment(
          6,
          found.fits()
              ? "So keys are %s."
              : "None of these fits; %s comes nearest, and a run can differ from the captured traffic.",
          found.choice().distribution().label());
    }
  }

  private void choice(Lines yaml) {
    KeyChoice choice = skew.map(Skew::choice).orElse(KeyChoice.of(Distribution.UNIFORM));
    yaml.add("        distribution: %s", choice.distribution().label());
    switch (choice.distribution()) {
      case ZIPFIAN, LATEST -> yaml.add("        exponent: %.3f", choice.exponent());
      case HOTSPOT -> {
        yaml.add("        hot-keys: %.6f", within(choice.hotKeys()));
        yaml.add("        hot-operations: %.6f", within(choice.hotOperations()));
      }
      default -> {}
    }
  }

  private static double within(double share) {
    return Math.min(1 - 1e-6, Math.max(1e-6, share));
  }

  /** Returns a length that is the mean one, or has room for the numbers of all records. */
  private static int keyBytes(
      int[] lengths, long perPrefix, long records, SortedMap<Operation, Integer> weights) {
    int bytes = (int) Math.max(1, Math.round(mean(lengths)));
    long room = weights.containsKey(Operation.INSERT) ? 10 * records : records;
    while (new KeyShape(bytes, perPrefix).capacity() < room) {
      bytes++;
    }
    return bytes;
  }

  private String sizes(int[] values, ValueSizes sizes) {
    String how =
        exact
            ? "STRLEN"
            : "MEMORY USAGE, which knows them to a class of memory, a quarter of an octave (--exact asks"
                + " STRLEN, which counts as an access unless the server knows CLIENT NO-TOUCH)";
    String other =
        sample.others() > 0
            ? format(
                " %.1f %% of the keys hold no strings and are not in it.",
                100.0 * sample.others() / sample.count())
            : "";
    return format(
        "Lengths of %,d values by %s: mean %.1f, p50 %d, p99 %d; the histogram is within %.3f of their distribution function (Kolmogorov-Smirnov), its mean is %.1f.%s",
        values.length,
        how,
        mean(values),
        percentile(values, 50),
        percentile(values, 99),
        SizeHistogram.distance(sizes, values),
        sizes.mean(),
        other);
  }

  private String expiry() {
    long[] left = sample.remaining();
    String share =
        after
            .expiring()
            .map(
                all ->
                    format("%.2f %% of the keys have a time to live, by INFO keyspace", 100 * all))
            .orElse(
                format(
                    "%.1f %% of the keys have a time to live, by PTTL of the sample",
                    100.0 * left.length / sample.count()));
    return left.length == 0
        ? share + "."
        : share
            + format(
                "; they had left p50 %.0f s, p99 %.0f s, at most %.0f s of it, which is what remained"
                    + " and not what was set. A workload cannot say it.",
                left[left.length / 2] / 1e3,
                left[(int) (left.length * 0.99)] / 1e3,
                left[left.length - 1] / 1e3);
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  private static double mean(int... values) {
    return Arrays.stream(values).average().orElse(0);
  }

  private static int percentile(int[] sorted, int percent) {
    return sorted[(int) ((sorted.length - 1L) * percent / 100)];
  }
}

package kvrank.capture;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.Closeable;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvrank.binding.Endpoint;
import kvrank.binding.RefusedException;
import kvrank.capture.Cost.Activity;

/** Looks at a server of Redis's protocol for a while. */
public final class Capture implements Closeable {

  /** Less time says too little. */
  public static final Duration LEAST = Duration.ofSeconds(10);

  public static final Duration MOST = Duration.ofHours(1);

  /** For how long a server may be silent. */
  public static final Duration PATIENCE = Duration.ofSeconds(2);

  private static final long SECOND = 1_000_000_000;

  /** Samples are taken so often in a second, and so many keys at a time at most. */
  private static final int TICKS = 20;

  private static final int MOST_KEYS = 50;
  private static final int ALL_KEYS = 20_000;
  private static final int ALL_VALUES = 500;
  private static final String VALUE_END = "4095";

  /** A window of MONITOR ends after so many commands, or a second. */
  private static final int WINDOW = 6_000;

  private static final Pattern DATABASE = Pattern.compile("keys=(\\d+)(?:,expires=(\\d+))?");

  /**
   * What is looked at.
   *
   * @param time for how long
   * @param accesses whether windows of MONITOR show which keys are popular
   * @param exact whether the lengths of values are asked even if that counts as an access to them
   * @param values whether some values are read to see how far a compressor gets
   */
  public record Question(
      Endpoint endpoint, Duration time, boolean accesses, boolean exact, boolean values) {}

  /**
   * The databases of the server.
   *
   * @param keys of all databases
   * @param fullest the number of the one with the most keys
   * @param share of the keys that the fullest has
   * @param expiring how many keys of the fullest have a time to live, if it says so
   */
  record Databases(long keys, String fullest, double share, Optional<Double> expiring) {}

  private final Question question;
  private final AtomicLong sent = new AtomicLong();
  private final long salt = new SecureRandom().nextLong();
  private final KeySample sample = new KeySample(salt);
  private final Compressibility compressibility = new Compressibility();
  private final Accesses accesses = new Accesses();
  private final Arrivals arrivals = new Arrivals();
  private final Cost cost = new Cost();
  private final Server server;
  private boolean touchless;

  private Capture(Question question) throws IOException {
    this.question = question;
    this.server = Server.open(question.endpoint(), sent);
  }

  /**
   * Looks at a server and returns a scenario that runs its traffic, as YAML.
   *
   * @throws IOException if the server cannot be looked at, or no longer; the message is a sentence
   *     with a next step
   */
  public static String of(Question question) throws IOException, InterruptedException {
    try (Capture capture = new Capture(question)) {
      return capture.look();
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }

  private String look() throws IOException, InterruptedException {
    Map<String, String> facts = server.info("server");
    if ("1".equals(server.info("cluster").get("cluster_enabled"))) {
      throw problem(
          "it is a member of a cluster and has a part of the keys and of the traffic; capture a"
              + " server that has all of it, as one of a test system");
    }
    Databases before = databases();
    if (before.keys() == 0) {
      throw problem("it says that it has no keys; capture a server that is in use");
    }
    server.required("SELECT", before.fullest().getBytes(UTF_8));
    server.ask("CLIENT", "NO-TOUCH".getBytes(UTF_8), "ON".getBytes(UTF_8));
    touchless = !(server.answers().get(0) instanceof RefusedException);
    sample(1, 0);
    if (question.accesses()) {
      window(0);
    }
    Map<String, Long> callsBefore = server.calls();
    Map<String, Long> ownBefore = Map.copyOf(server.sent());
    Map<String, String> statsBefore = server.info("stats");
    long begin = System.nanoTime();
    try (LatencyProbe probe = LatencyProbe.open(question.endpoint(), sent)) {
      looks(probe);
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    CommandMix mix = CommandMix.between(callsBefore, server.calls(), own(server.sent(), ownBefore));
    Map<String, String> statsAfter = server.info("stats");
    Databases after = databases();
    if (mix.count() == 0) {
      throw problem(
          String.format(
                  Locale.ROOT,
                  "nobody read or wrote a key in %.0f s, or its statistics were reset meanwhile; capture it",
                  seconds)
              + " while it is in use");
    }
    Optional<Skew> skew = Skew.of(accesses, after.keys(), after.keys() > before.keys());
    return new CapturedScenario(
            facts,
            server.info("clients"),
            seconds,
            mix,
            before,
            after,
            sample,
            exact(),
            compressibility,
            accesses.windows() > 0,
            accesses.count(),
            skew,
            arrivals,
            cost,
            hits(statsBefore, statsAfter))
        .text();
  }

  /** Looks second by second, by turns at what is there and at how the server is left alone. */
  private void looks(LatencyProbe probe) throws IOException, InterruptedException {
    int all = (int) question.time().toSeconds();
    long begin = System.nanoTime();
    int samples = 0;
    for (int second = 0; second < all; second++) {
      samples += activity(second) == Activity.SAMPLING ? TICKS : 0;
    }
    double used = used();
    long since = System.nanoTime();
    for (int second = 0; second < all; second++) {
      Activity activity = activity(second);
      long end = begin + (second + 1) * SECOND;
      if (activity == Activity.SAMPLING) {
        ticks(samples, end);
      } else if (activity == Activity.MONITOR) {
        window(WINDOW);
      }
      sleepUntil(end);
      double usedNow = used();
      long now = System.nanoTime();
      try {
        cost.add(activity, (usedNow - used) * SECOND / (now - since), probe.take());
      } catch (IOException e) {
        throw new IOException(
            String.format(
                Locale.ROOT,
                "%s: stopped after %d s: %s; nothing was written; try again when it is less busy",
                question.endpoint(),
                second + 1,
                e.getMessage()),
            e);
      }
      used = usedNow;
      since = now;
    }
  }

  private Activity activity(int second) {
    if (second < Cost.QUIET_SECONDS) {
      return Activity.NOTHING;
    }
    String turns = question.accesses() ? "SNMSN" : "SN";
    return switch (turns.charAt((second - Cost.QUIET_SECONDS) % turns.length())) {
      case 'S' -> Activity.SAMPLING;
      case 'M' -> Activity.MONITOR;
      default -> Activity.NOTHING;
    };
  }

  private double used() throws IOException {
    Map<String, String> cpu = server.info("cpu");
    return number(cpu, "used_cpu_user") + number(cpu, "used_cpu_sys");
  }

  private void ticks(int samples, long end) throws IOException, InterruptedException {
    int keys = Math.min(MOST_KEYS, ALL_KEYS / samples + 1);
    int values = question.values() ? ALL_VALUES / samples + 1 : 0;
    double commands = commands();
    long since = System.nanoTime();
    for (int tick = 1; tick <= TICKS; tick++) {
      sample(keys, values);
      sleepUntil(end - (TICKS - tick) * SECOND / TICKS);
      if (tick % 2 == 0) {
        double commandsNow = commands();
        long now = System.nanoTime();
        arrivals.add((now - since) / 1e9, commandsNow - commands);
        commands = commandsNow;
        since = now;
      }
    }
  }

  /** Returns how many commands others have sent. */
  private double commands() throws IOException {
    return number(server.info("stats"), "total_commands_processed") - sent.get();
  }

  private boolean exact() {
    return question.exact() || touchless;
  }

  /** Looks at so many keys, and reads so many values of these. */
  private void sample(int keys, int values) throws IOException {
    for (int i = 0; i < keys; i++) {
      server.ask("RANDOMKEY");
    }
    List<byte[]> chosen = new ArrayList<>();
    for (Object answer : server.answers()) {
      if (given("RANDOMKEY", answer) instanceof byte[] key) {
        chosen.add(key);
      }
    }
    int read = Math.min(values, chosen.size());
    for (int i = 0; i < chosen.size(); i++) {
      byte[] key = chosen.get(i);
      if (exact()) {
        server.ask("STRLEN", key);
      } else {
        server.ask("MEMORY", "USAGE".getBytes(UTF_8), key);
      }
      server.ask("PTTL", key);
      if (i < read) {
        server.ask("GETRANGE", key, "0".getBytes(UTF_8), VALUE_END.getBytes(UTF_8));
      }
    }
    List<Object> answers = server.answers();
    for (int i = 0, place = 0; i < chosen.size(); i++) {
      byte[] key = chosen.get(i);
      Object size = given(exact() ? "STRLEN" : "MEMORY USAGE", answers.get(place++));
      long millis = given("PTTL", answers.get(place++)) instanceof Long left ? left : -2;
      if (millis >= -1 && size instanceof Long bytes) {
        sample.add(
            key, exact() ? (int) (long) bytes : sample.valueBytes(bytes, key.length), millis);
      } else if (millis >= -1 && exact()) {
        sample.addOther(key, millis);
      }
      if (i < read && given("GETRANGE", answers.get(place++)) instanceof byte[] value) {
        compressibility.add(value);
      }
    }
  }

  /** Returns an answer; null if the key has another type than the command is for. */
  private Object given(String command, Object answer) throws IOException {
    if (answer instanceof RefusedException refused) {
      if (String.valueOf(refused.getMessage()).startsWith("WRONGTYPE")) {
        return null;
      }
      throw server.refused(command, refused);
    }
    return answer;
  }

  private void window(int commands) throws IOException {
    Server.open(question.endpoint(), sent).monitor(accesses, salt, commands, SECOND);
  }

  private Databases databases() throws IOException {
    long all = 0;
    long most = 0;
    String fullest = "0";
    Optional<Double> expiring = Optional.empty();
    for (Map.Entry<String, String> each : server.info("keyspace").entrySet()) {
      Matcher database = DATABASE.matcher(each.getValue());
      if (each.getKey().matches("db\\d+") && database.find()) {
        long keys = Long.parseLong(database.group(1));
        all += keys;
        if (keys > most) {
          most = keys;
          fullest = each.getKey().substring(2);
          expiring = Optional.ofNullable(database.group(2)).map(n -> Double.parseDouble(n) / keys);
        }
      }
    }
    return new Databases(all, fullest, (double) most / Math.max(1, all), expiring);
  }

  /** Returns the share of reads that found something, without the capture's own. */
  private Optional<Double> hits(Map<String, String> before, Map<String, String> after) {
    double own =
        server.sent().entrySet().stream()
            .filter(each -> List.of("pttl", "strlen", "getrange").contains(each.getKey()))
            .mapToDouble(Map.Entry::getValue)
            .sum();
    double hits = number(after, "keyspace_hits") - number(before, "keyspace_hits") - own;
    double misses = number(after, "keyspace_misses") - number(before, "keyspace_misses");
    return hits + misses > 0 && hits >= 0 ? Optional.of(hits / (hits + misses)) : Optional.empty();
  }

  private static Map<String, Long> own(Map<String, Long> after, Map<String, Long> before) {
    Map<String, Long> own = new HashMap<>(after);
    own.replaceAll((name, count) -> count - before.getOrDefault(name, 0L));
    return own;
  }

  private static double number(Map<String, String> info, String name) {
    String text = info.getOrDefault(name, "");
    return text.matches("\\d+(\\.\\d+)?") ? Double.parseDouble(text) : 0;
  }

  private IOException problem(String text) {
    return new IOException(question.endpoint() + ": " + text);
  }

  private static void sleepUntil(long nanos) throws InterruptedException {
    long left = nanos - System.nanoTime();
    if (left > 0) {
      Thread.sleep(left / 1_000_000, (int) (left % 1_000_000));
    }
  }
}

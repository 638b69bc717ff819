package kvrank.capture;

import static java.nio.charset.StandardCharsets.UTF_8;
import static kvrank.capture.Cost.Activity.MONITOR;
import static kvrank.capture.Cost.Activity.NOTHING;
import static kvrank.capture.Cost.Activity.SAMPLING;

import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import kvrank.binding.RefusedException;
import kvrank.binding.net.Endpoint;
import kvrank.capture.Cost.Activity;
import kvrank.capture.KeySample.Accessed;
import kvrank.workload.key.KeyShape;
import kvrank.workload.request.Operation;

/** Observes a server that speaks Redis's protocol, and describes its traffic. */
public final class Capture {

  /** The shortest time to observe: less shows too little. */
  public static final Duration LEAST = Duration.ofSeconds(10);

  public static final Duration MOST = Duration.ofHours(1);

  /** A server that does not answer for this long ends the capture. */
  public static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final long SECOND = 1_000_000_000;

  /** Samples per second, each of up to {@link #MOST_KEYS} keys. */
  private static final int TICKS = 10;

  private static final int MOST_KEYS = 50;

  /** The most bytes of keys that a sample asks for, by the mean of earlier samples. */
  private static final int MOST_BYTES = 1 << 16;

  /** Enough keys: the distribution of lengths is within 0.014 of all keys' (Kolmogorov, 95 %). */
  private static final int ALL_KEYS = 9_000;

  /** By how many bytes all sampled keys together may exceed the length limit of workloads. */
  private static final long MOST_EXCESS = 1 << 20;

  private static final int ALL_VALUES = 500;
  private static final String VALUE_END = "4095";

  /** A window of MONITOR ends after this number of commands, or a second. */
  private static final int WINDOW = 6_000;

  /** The activities of the seconds after the quiet ones, in turn. */
  private static final List<Activity> WITHOUT_MONITOR = List.of(SAMPLING, NOTHING);

  private static final List<Activity> WITH_MONITOR =
      List.of(SAMPLING, NOTHING, MONITOR, SAMPLING, NOTHING);

  private static final Pattern DATABASE =
      Pattern.compile("db(\\d+):keys=(\\d{1,15})\\b(?:,expires=(\\d+))?");

  /**
   * What to observe.
   *
   * @param time how long to observe
   * @param accesses whether windows of MONITOR show which keys are popular
   * @param exact whether to ask for exact lengths of values even if that counts as an access
   * @param values whether to read some values to estimate their compressibility
   */
  public record Question(
      Endpoint endpoint, Duration time, boolean accesses, boolean exact, boolean values) {}

  /**
   * The databases of the server.
   *
   * @param keys of all databases
   * @param fullest the number of the database with the most keys
   * @param share the fullest database's share of the keys
   * @param expiring the share of the fullest database's keys with a time to live, if reported
   */
  record Databases(long keys, String fullest, double share, Optional<Double> expiring) {}

  private final Question question;
  private final CapturedServer server;
  private final ConcurrentMap<String, Long> sent;
  private final long salt = new SecureRandom().nextLong();
  private final KeySample sample = new KeySample(salt);
  private final Compressibility compressibility = new Compressibility();
  private final Accesses accesses = new Accesses();
  private final ArrivalCounts arrivals = new ArrivalCounts();
  private final Cost cost = new Cost();
  private final WriteTimes writeTimes = new WriteTimes();
  private final Replies replies = new Replies();
  private String database = "0";
  private boolean exact;
  private long excess;
  private long ownHits;
  private long ownMisses;

  private Capture(Question question, CapturedServer server, ConcurrentMap<String, Long> sent) {
    this.question = question;
    this.server = server;
    this.sent = sent;
    this.exact = question.exact();
  }

  /**
   * Returns a server's traffic as a scenario in YAML. The message of an exception has a next step.
   *
   * @param warnings receives the known differences between the scenario and the traffic
   */
  public static String of(Question question, Consumer<String> warnings)
      throws IOException, InterruptedException {
    ConcurrentMap<String, Long> sent = new ConcurrentHashMap<>();
    try (CapturedServer server = CapturedServer.open(question.endpoint(), sent)) {
      CapturedScenario scenario = new Capture(question, server, sent).look();
      scenario.warnings().forEach(warnings);
      return scenario.text();
    }
  }

  private CapturedScenario look() throws IOException, InterruptedException {
    if ("1".equals(server.info("cluster").get("cluster_enabled"))) {
      throw problem(
          "it is a member of a cluster, with only a part of the keys and the traffic; capture a"
              + " server that has all of them, such as one of a test system");
    }
    Databases before = databases();
    if (before.keys() == 0) {
      throw problem("it has no keys; capture a server that is in use");
    }
    database = before.fullest();
    if (!database.equals("0")) {
      server.required("SELECT", bytes(database));
    }
    server.ask("CLIENT", bytes("NO-TOUCH"), bytes("ON"));
    exact |= !(server.answers().get(0) instanceof RefusedException);
    Map<String, String> memory = server.info("memory");
    exact |= !Keeping.byAccess(memory);
    askForKeys(1);
    sample(server.answers(), List.of(), 0);
    if (question.accesses()) {
      window(0);
    }
    Map<String, Long> callsBefore = server.calls();
    Map<String, Long> own = new HashMap<>(sent);
    Map<String, String> statsBefore = server.info("stats");
    ownHits = 0;
    ownMisses = 0;
    long begin = System.nanoTime();
    try (LatencyProbe probe = new LatencyProbe(question.endpoint(), sent)) {
      looks(probe);
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    Map<String, Long> callsAfter = server.calls();
    sent.forEach((name, count) -> own.merge(name, count, (was, is) -> is - was));
    Map<String, String> statsAfter = server.info("stats");
    Databases after = databases();
    if (callsBefore.entrySet().stream()
        .anyMatch(each -> callsAfter.getOrDefault(each.getKey(), 0L) < each.getValue())) {
      throw problem("its statistics were reset during the capture; try again");
    }
    CommandMix mix = CommandMix.between(callsBefore, callsAfter, own);
    if (mix.count() == 0) {
      throw problem(
          "no client read or wrote a key during the capture; capture it while it is in use");
    }
    if (sample.strings().isEmpty()) {
      throw problem("no sampled key holds a string, and workloads have only strings");
    }
    Keeping keeping = Keeping.between(statsBefore, statsAfter, memory, ownHits, ownMisses);
    boolean filled =
        mix.count(Operation.DELETE) == 0
            && keeping.fills(mix.count(Operation.UPDATE))
            && accesses.writesFollowReads();
    double expiring = after.expiring().orElse((double) sample.remaining().length / sample.count());
    double living = expiring * after.keys();
    Expiry expiry =
        Expiry.of(
            new TimesToLive(sample.remaining(), seconds),
            expiring,
            living,
            keeping.expired() / seconds,
            mix.alwaysLiving(),
            Optional.of(writeTimes).filter(times -> accesses.windows() > 0),
            Optional.of(sample).filter(any -> filled && accesses.windows() > 0),
            keeping.evicts());
    Optional<Survival> survival =
        expiry
            .ttl()
            .filter(ttl -> mix.count(Operation.DELETE) == 0)
            .map(
                ttl ->
                    new Survival(
                        ttl.share(),
                        ttl.seconds()
                            * mix.count(filled ? Operation.READ : Operation.UPDATE)
                            / seconds,
                        filled));
    Population population =
        Population.of(
            accesses,
            after.keys(),
            after.keys() > before.keys(),
            keeping,
            survival,
            existing(
                after.keys(),
                after.keys() - living,
                keeping,
                seconds,
                filled ? expiry.seconds() : OptionalInt.empty()),
            mix.count(Operation.UPDATE));
    if (excess > 0) {
      throw tooLong();
    }
    Map<String, String> facts = server.info("server");
    String name = word(facts, "server_name", "redis");
    return new CapturedScenario(
        name + " " + word(facts, name + "_version", word(facts, "redis_version", "")),
        // Without the capture itself.
        (long) Math.max(0, number(server.info("clients"), "connected_clients") - 1),
        seconds,
        mix,
        keeping,
        before,
        after,
        sample,
        exact,
        compressibility,
        accesses,
        population.keys(),
        population.skew(),
        expiry,
        survival.filter(any -> !keeping.evicts()),
        filled,
        replies,
        arrivals,
        cost);
  }

  /**
   * Returns the number of existing keys. A server also counts keys that have expired and are not
   * removed yet, up to a quarter, but returns none as a random key.
   *
   * @param counted the number of keys that the server counts
   * @param lasting the number of those without a time to live
   * @param filled the time to live of a key from the read that missed it on; empty if none is
   *     filled
   */
  private OptionalDouble existing(
      long counted, double lasting, Keeping keeping, double seconds, OptionalInt filled) {
    if (filled.isPresent()) {
      // Little's law.
      return OptionalDouble.of(lasting + keeping.misses() / seconds * filled.getAsInt());
    }
    if (keeping.expired() == 0) {
      return OptionalDouble.of((double) counted);
    }
    int living = sample.remaining().length;
    int others = sample.count() - living;
    return others < TimesToLive.LEAST
        ? OptionalDouble.empty()
        : OptionalDouble.of(Math.min((double) counted, lasting * sample.count() / others));
  }

  /** Observes second by second, and leaves the server alone in between to measure the cost. */
  private void looks(LatencyProbe probe) throws IOException, InterruptedException {
    int all = (int) question.time().toSeconds();
    long begin = System.nanoTime();
    int samples = samples(all, question.accesses());
    double used = used();
    long since = System.nanoTime();
    for (int second = 0; second < all; second++) {
      Activity activity = activity(second, question.accesses());
      long end = begin + (second + 1) * SECOND;
      if (activity == SAMPLING) {
        ticks(samples, end);
      } else if (activity == MONITOR) {
        window(WINDOW);
      }
      sleepUntil(end);
      double usedNow = used();
      long now = System.nanoTime();
      double[] latencies = probe.take();
      try {
        cost.add(activity, (usedNow - used) * SECOND / (now - since), latencies);
      } catch (IOException e) {
        throw problem(
            "stopped after %d s: %s; no file was written; try again when the server is less busy"
                .formatted(second + 1, e.getMessage()));
      }
      used = usedNow;
      since = now;
    }
  }

  /** Returns the number of samples that are taken in {@code seconds}. */
  static int samples(int seconds, boolean accesses) {
    return TICKS
        * (int)
            IntStream.range(0, seconds)
                .filter(second -> activity(second, accesses) == SAMPLING)
                .count();
  }

  /** Returns the number of keys that each of {@code samples} asks for. */
  static int keys(int samples) {
    return Math.min(MOST_KEYS, ALL_KEYS / samples + 1);
  }

  private static Activity activity(int second, boolean accesses) {
    if (second < Cost.QUIET_SECONDS) {
      return NOTHING;
    }
    List<Activity> turns = accesses ? WITH_MONITOR : WITHOUT_MONITOR;
    return turns.get((second - Cost.QUIET_SECONDS) % turns.size());
  }

  private double used() throws IOException {
    Map<String, String> cpu = server.info("cpu");
    return number(cpu, "used_cpu_user") + number(cpu, "used_cpu_sys");
  }

  private void ticks(int samples, long end) throws IOException, InterruptedException {
    int values = question.values() ? ALL_VALUES / samples + 1 : 0;
    Map<String, String> stats = Map.of();
    double commands = 0;
    double received = 0;
    double found = 0;
    long since = 0;
    for (int tick = 1; tick <= TICKS; tick++) {
      int keys = Math.min(keys(samples), Math.max(1, MOST_BYTES / sample.meanKey()));
      List<Accessed> accessed = sample.take(keys / 3);
      askForKeys(keys - accessed.size());
      server.ask("INFO", bytes("stats"));
      double receivedNow = server.received();
      List<Object> answers = server.answers();
      long now = System.nanoTime();
      Map<String, String> statsNow =
          CapturedServer.fields(given("INFO", answers.remove(answers.size() - 1)));
      double commandsNow = commands(statsNow);
      if (tick > 1) {
        arrivals.add((now - since) / 1e9, commandsNow - commands);
        replies.add(stats, statsNow, receivedNow - received, found, commandsNow - commands);
      }
      stats = statsNow;
      commands = commandsNow;
      received = receivedNow;
      since = now;
      double foundBefore = ownHits;
      sample(answers, accessed, values);
      found = ownHits - foundBefore;
      sleepUntil(end - (TICKS - tick) * SECOND / TICKS);
    }
  }

  /** Returns the number of commands that other clients have sent. */
  private double commands(Map<String, String> stats) {
    return number(stats, "total_commands_processed")
        - sent.values().stream().mapToLong(Long::longValue).sum();
  }

  private void askForKeys(int keys) {
    for (int i = 0; i < keys; i++) {
      server.ask("RANDOMKEY");
    }
  }

  /** Asks about the chosen keys and those that clients accessed, and reads up to {@code values}. */
  private void sample(List<Object> keys, List<Accessed> accessed, int values) throws IOException {
    List<byte[]> chosen = new ArrayList<>();
    for (Object answer : keys) {
      if (given("RANDOMKEY", answer) instanceof byte[] key) {
        chosen.add(key);
        excess += key.length - KeyShape.MOST_BYTES;
      }
    }
    if (excess > MOST_EXCESS) {
      throw tooLong();
    }
    int random = chosen.size();
    accessed.forEach(each -> chosen.add(each.key()));
    for (byte[] key : chosen) {
      if (exact) {
        server.ask("STRLEN", key);
      } else {
        server.ask("MEMORY", bytes("USAGE"), key);
      }
      server.ask("PTTL", key);
    }
    List<byte[]> read = chosen.subList(0, Math.min(values, random));
    read.forEach(key -> server.ask("GETRANGE", key, bytes("0"), bytes(VALUE_END)));
    Iterator<Object> answers = server.answers().iterator();
    for (int i = 0; i < chosen.size(); i++) {
      byte[] key = chosen.get(i);
      Object size = given(exact ? "STRLEN" : "MEMORY USAGE", answers.next());
      Object rest = given("PTTL", answers.next());
      long millis = rest instanceof Long left ? left : KeySample.MISSING;
      int lookups = (exact ? 2 : 1) + (i < read.size() ? 1 : 0);
      int bytes = -1;
      if (millis == KeySample.MISSING) {
        ownMisses += lookups;
      } else {
        ownHits += lookups;
        if (size instanceof Long usage) {
          bytes = exact ? KeySample.bounded(usage) : sample.bytes(usage, key.length);
        }
      }
      KeySample.Key found =
          new KeySample.Key(
              Accesses.hash(salt, database, key),
              bytes,
              millis,
              i >= random && accessed.get(i - random).read());
      if (i >= random) {
        sample.addAccessed(found);
      } else if (millis != KeySample.MISSING) {
        sample.add(key, found);
      }
    }
    while (answers.hasNext()) {
      if (given("GETRANGE", answers.next()) instanceof byte[] value) {
        compressibility.add(value);
      }
    }
  }

  private IOException tooLong() {
    return problem(
        "its keys are longer than %,d bytes, the limit for keys of a workload"
            .formatted(KeyShape.MOST_BYTES));
  }

  /** Returns a field of INFO, if it looks like a server's name or version. */
  static String word(Map<String, String> info, String name, String otherwise) {
    String text = info.getOrDefault(name, "");
    return text.matches("[\\w.+-]{1,40}") ? text : otherwise;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  /** Returns an answer; null if the key does not have the type that the command is for. */
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
    sample.beginWindow();
    CapturedServer.open(question.endpoint(), sent).monitor(this::monitored, commands, SECOND);
    accesses.endWindow();
    writeTimes.endWindow();
  }

  private void monitored(Monitored command) {
    Optional<CommandMix.Command> known = CommandMix.command(command.word(0));
    boolean writes = known.filter(each -> each.operation() == Operation.UPDATE).isPresent();
    for (int i = 1; i < command.arguments().size(); i++) {
      byte[] key = command.arguments().get(i);
      if (known.isPresent() ? known.get().keys().include(i) : i == 1) {
        long hash = Accesses.hash(salt, command.database(), key);
        writeTimes.add(hash, command, writes);
        if (known.isPresent()) {
          accesses.add(hash, known.get().operation() != Operation.READ);
          if (command.database().equals(database)) {
            sample.offer(new Accessed(key, known.get().operation() == Operation.READ));
          }
        }
      }
    }
  }

  private Databases databases() throws IOException {
    long all = 0;
    Databases fullest = new Databases(0, "0", 0, Optional.empty());
    Matcher each = DATABASE.matcher(server.text("keyspace"));
    while (each.find()) {
      long keys = Long.parseLong(each.group(2));
      all += keys;
      if (keys > fullest.keys()) {
        Optional<Double> expiring =
            Optional.ofNullable(each.group(3)).map(count -> Double.parseDouble(count) / keys);
        fullest = new Databases(keys, each.group(1), 0, expiring);
      }
    }
    double share = (double) fullest.keys() / Math.max(1, all);
    return new Databases(all, fullest.fullest(), share, fullest.expiring());
  }

  static double number(Map<String, String> info, String name) {
    String text = info.getOrDefault(name, "");
    return text.matches("\\d{1,15}(\\.\\d{1,15})?") ? Double.parseDouble(text) : 0;
  }

  private IOException problem(String text) {
    return new IOException(question.endpoint() + ": " + text);
  }

  private void sleepUntil(long nanos) throws IOException, InterruptedException {
    long left = nanos - System.nanoTime();
    if (left < -PATIENCE.toNanos()) {
      throw problem(
          "stopped: it answers too slowly for the capture to keep its schedule; no file was"
              + " written; try again when the server is less busy");
    }
    if (left > 0) {
      Thread.sleep(left / 1_000_000, (int) (left % 1_000_000));
    }
  }
}

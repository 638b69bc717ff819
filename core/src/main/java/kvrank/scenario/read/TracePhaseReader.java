package kvrank.scenario.read;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvrank.input.Reason;
import kvrank.input.YamlValue;
import kvrank.scenario.Setting;
import kvrank.workload.OperationMix;
import kvrank.workload.Workload;
import kvrank.workload.key.KeyShape;
import kvrank.workload.pace.ArrivalProcess;
import kvrank.workload.pace.Pacing;
import kvrank.workload.random.Distribution;
import kvrank.workload.random.KeyChoice;
import kvrank.workload.request.Operation;
import kvrank.workload.trace.Replay;
import kvrank.workload.trace.TraceHeader;
import kvrank.workload.value.ValueShape;

/**
 * Reads a phase that replays a trace: {@code {trace: FILE, clock: recorded, keys: 1/10}}. It reads
 * the whole trace, so that a damaged one is refused before anything starts.
 */
record TracePhaseReader(Path folder) {

  static final String TRACE = "trace";
  static final String CLOCK = "clock";
  static final String KEYS = "keys";
  static final String TTL = "ttl";
  static final String MISSES = "misses";
  static final String BEFORE = "before";
  static final String DIGEST = "digest";

  static final String RECORDED = "recorded";
  static final String NONE = "none";

  /** The LRU hit ratio of a trace was 0.709, after merging its keys 0.567. */
  static final String NO_FOLDING =
      "merging or splitting keys would change the time between requests for the same key, and with"
          + " it the hits of caches; 'keys: 1/10' takes a sample of the keys, 'keys: 3' makes three"
          + " copies of each, at most 99999";

  /** Settings that the trace or its phase decides, not the scenario. */
  static final Set<Setting> DECIDED =
      EnumSet.of(
          Setting.RATE, Setting.ARRIVALS, Setting.WARMUP, Setting.DURATION, Setting.OPERATIONS);

  private static final Pattern SPEED = Pattern.compile("(\\d{1,6}(?:\\.\\d{1,3})?)x");
  private static final Pattern KEY_SHARE = Pattern.compile("(?:1/)?([1-9]\\d{0,4})");
  private static final long MAX_WEIGHT = 1_000_000;
  private static final double MAX_RATE = 1e9;

  /** Length of keys for this many times the records: the proof of durability inserts more. */
  private static final long ROOM = 10;

  private static final List<String> NOT_FOR_TRACES =
      List.of("workload", "groups", "load", "curve", "search", "rate", "arrivals");

  /** Reports keys for traces in a phase that is not one. */
  static void checkKeys(YamlValue map) {
    for (String key : List.of(CLOCK, KEYS, TTL, MISSES, BEFORE, DIGEST)) {
      YamlValue value = map.get(key);
      if (value.isPresent() && !map.has(TRACE)) {
        value.report("applies only to a trace; add 'trace: FILE'");
      }
    }
  }

  /** Returns the trace as a workload, and adds the settings that it decides to {@code settings}. */
  Optional<Workload> read(YamlValue map, Optional<String> as, SortedMap<Setting, String> settings) {
    for (String key : NOT_FOR_TRACES) {
      if (map.has(key)) {
        map.get(key).report("the trace decides its requests and their times; remove it");
      }
    }
    YamlValue reference = map.get(TRACE);
    Optional<Double> clock =
        map.get(CLOCK)
            .parsed(
                "is not a clock; write recorded, none or a speed such as 10x",
                TracePhaseReader::speed);
    double speed = clock.orElse(0.0);
    Optional<String> share = map.get(KEYS).text();
    Optional<Integer> count =
        share
            .map(KEY_SHARE::matcher)
            .filter(Matcher::matches)
            .map(matcher -> Integer.valueOf(matcher.group(1)));
    if (share.isPresent() && count.isEmpty()) {
      map.get(KEYS)
          .report("'%s' is not a share or a number of copies: %s", share.get(), NO_FOLDING);
    }
    Optional<Boolean> ttl =
        map.get(TTL).choice("use of times to live", Map.of(RECORDED, true, NONE, false));
    boolean fills = WorkloadReader.fills(map.get(MISSES));
    boolean loads =
        map.get(BEFORE)
            .choice("content of the store before the trace", Map.of(TRACE, true, NONE, false))
            .orElse(!fills);
    boolean sample = share.filter(text -> text.startsWith("1/")).isPresent();
    int number = count.orElse(1);
    Optional<Path> file =
        reference.text().map(text -> folder.resolve(text).toAbsolutePath().normalize());
    if (file.isEmpty()) {
      return Optional.empty();
    }
    if (!Files.isRegularFile(file.get())) {
      return reference.report("the file '" + file.get() + "' does not exist");
    }
    try {
      Replay.Contents contents =
          Replay.of(file.get(), speed, sample ? number : 1, sample ? 1 : number);
      boolean untimed = clock.isPresent() ? speed == 0 : !map.has(CLOCK);
      if (contents.replay().expires() && untimed && !map.has(TTL)) {
        return reference.report(
            "the trace has times to live, and with 'clock: none' other records would expire than in"
                + " the recording; set 'clock', or 'ttl: none' to ignore them, or 'ttl: recorded' to"
                + " apply them anyway");
      }
      Replay stored = loads ? contents.replay() : contents.replay().empty();
      Replay replay = ttl.orElse(true) ? stored : stored.lasting();
      return workload(
          map, contents, replay, fills, as.orElse(DefinitionLoader.baseName(file.get())), settings);
    } catch (IOException e) {
      return reference.report("%s", Reason.of(e));
    }
  }

  private static Optional<Double> speed(String text) {
    if (text.equals(RECORDED) || text.equals(NONE)) {
      return Optional.of(text.equals(NONE) ? 0.0 : 1.0);
    }
    return Optional.of(SPEED.matcher(text))
        .filter(Matcher::matches)
        .map(matcher -> Double.valueOf(matcher.group(1)))
        .filter(speed -> speed > 0);
  }

  private static Optional<Workload> workload(
      YamlValue map,
      Replay.Contents contents,
      Replay replay,
      boolean fills,
      String name,
      SortedMap<Setting, String> settings) {
    TraceHeader header = contents.header();
    Optional<String> digest = map.get(DIGEST).text();
    if (digest.isPresent() && !digest.get().equals(header.digest())) {
      return map.get(DIGEST).report("the trace has changed: its digest is %s", header.digest());
    }
    if (replay.requests() == 0) {
      return map.get(TRACE).report("no request has one of the chosen keys; use more keys");
    }
    if (fills && !contents.operations().containsKey(Operation.READ)) {
      return map.get(MISSES).report("applies to reads, but the trace has none");
    }
    if (replay.paced() && header.micros() == 0) {
      return map.get(CLOCK).report("the trace has no times; remove 'clock' or write 'none'");
    }
    double rate = replay.requests() * 1e6 / Math.max(1, header.micros()) * replay.speed();
    settings.put(
        Setting.RATE,
        replay.paced()
            ? Pacing.decimal(Math.min(MAX_RATE, Math.max(0.001, Math.round(rate * 1e3) / 1e3)))
            : Pacing.UNLIMITED);
    settings.put(Setting.ARRIVALS, ArrivalProcess.CONSTANT.label());
    settings.putIfAbsent(Setting.WARMUP, "0s");
    if (!settings.containsKey(Setting.OPERATIONS)) {
      // The trace ends the phase.
      settings.put(Setting.OPERATIONS, "");
      settings.putIfAbsent(Setting.DURATION, "");
    }
    SortedMap<Operation, Integer> weights = new TreeMap<>();
    contents
        .operations()
        .forEach(
            (operation, n) ->
                weights.put(
                    operation, (int) Math.max(1, MAX_WEIGHT * (double) n / replay.requests())));
    return Optional.of(
        new Workload(
            name,
            "%,d requests of a trace (%s), on %s."
                .formatted(replay.requests(), header.source(), start(replay)),
            new OperationMix(weights, KeyChoice.of(Distribution.UNIFORM), 1, false, fills),
            Optional.of(KeyShape.of(header.keyBytes(), 1, ROOM * replay.records())),
            Optional.of(new ValueShape(ValueShape.Kind.RANDOM, header.sizes(), 0)),
            Optional.empty(),
            Optional.empty(),
            Optional.of(replay),
            List.of()));
  }

  private static String start(Replay replay) {
    return replay.loaded() == 0
        ? "an empty store"
        : "%,d records that existed before".formatted(replay.loaded());
  }
}

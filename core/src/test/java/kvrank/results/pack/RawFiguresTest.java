package kvrank.results.pack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import kvrank.Wording;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.results.CrashTrialResult;
import kvrank.results.CrashTrialResult.Crash;
import kvrank.results.CrashTrialResult.LostWrites;
import kvrank.results.ExecutionResults;
import kvrank.results.LatencyLog;
import kvrank.results.OperationRecord;
import kvrank.results.PhaseRecord;
import kvrank.results.RatePoint;
import kvrank.results.ResultsDirectory;
import kvrank.results.RunDirectory;
import kvrank.results.RunRecord;
import kvrank.stats.Runs;
import kvrank.stats.Sample;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Records are falsified in one figure or in all that depend on it, and raw files are not. */
class RawFiguresTest {

  @RegisterExtension final Wording wording = new Wording();

  private static final JsonMapper JSON = new JsonMapper();

  private static final Path README =
      Path.of(requireNonNull(System.getProperty("kvrank.home"), "kvrank.home is not set"))
          .resolve("board/README.md");

  private static final Pattern NUMBER = Pattern.compile("[0-9]+(?:\\.[0-9]+)?");

  /** The metrics that depend only on what an engine, its JVM or the kernel states. */
  private static final Set<String> STATED =
      Set.of(
          "data-per-cache",
          "data-per-memory",
          "data-per-write-buffer",
          "engine-memory",
          "expired-space",
          "flushes",
          "go-heap",
          "heap",
          "others-cpu",
          "pending-bytes",
          "pending-start-bytes",
          "steal-cpu");

  @TempDir private Path folder;

  private ResultsDirectory directory;

  @BeforeEach
  void write() throws IOException {
    directory = PackExamples.execution(folder, 1);
  }

  private Path record(String engine) {
    return directory.run(engine + "[off]1").record();
  }

  /** Returns the contradictions of the first repetition of an engine. */
  private List<String> found(String engine) throws Exception {
    ExecutionResults results = directory.read();
    List<String> found = new ArrayList<>(results.unreadable());
    for (RunRecord run : results.runs()) {
      if (run.id().equals(engine + "[off]1")) {
        RunDirectory files = directory.run(run.id());
        Contradictions raw =
            RawFigures.of(run, RawLatencies.of(files), files, results.manifest().phases());
        found.addAll(raw.found());
        assertThat(raw.unchecked()).isEmpty();
      }
    }
    Siblings.contradictions(results).values().forEach(found::addAll);
    return found;
  }

  /** Multiplies the numbers of a tree at the places that {@code which} accepts. */
  private static void change(
      JsonNode node, String path, Predicate<String> which, DoubleUnaryOperator by) {
    if (node instanceof ArrayNode array) {
      array.forEach(each -> change(each, path + "." + each.path("name").asString(""), which, by));
    }
    if (!(node instanceof ObjectNode object)) {
      return;
    }
    for (String name : List.copyOf(object.propertyNames())) {
      JsonNode value = object.get(name);
      String place = path + "." + name;
      boolean text = value.isString() && NUMBER.matcher(value.asString()).matches();
      if (!value.isNumber() && !text) {
        change(value, place, which, by);
      } else if (which.test(place)) {
        double changed =
            by.applyAsDouble(text ? Double.parseDouble(value.asString()) : value.asDouble());
        if (text) {
          object.put(name, Long.toString(Math.round(changed)));
        } else if (value.isIntegralNumber()) {
          object.put(name, Math.round(changed));
        } else {
          object.put(name, changed);
        }
      }
    }
  }

  private static List<String> places(JsonNode tree) {
    List<String> places = new ArrayList<>();
    change(
        tree,
        "",
        place -> {
          places.add(place);
          return false;
        },
        value -> value);
    return places;
  }

  @ParameterizedTest
  @ValueSource(strings = {"redis", "rocksdb"})
  void anyChangedNumberThatARankingUsesIsFound(String engine) throws Exception {
    assertThat(found(engine)).isEmpty();
    String original = Files.readString(record(engine), UTF_8);
    Set<String> unnoticed = new TreeSet<>();
    SortedSet<String> metrics = new TreeSet<>();
    SortedMap<String, OptionalDouble> before = metrics(engine);
    int changed = 0;
    for (String place : places(JSON.readTree(original))) {
      if (place.matches(".*\\.(settings|factors)\\..*|\\.schema")) {
        continue;
      }
      JsonNode tree = JSON.readTree(original);
      change(
          tree, "", place::equals, value -> value == 0 ? 1_000_000 : Math.max(value * 100, 1000));
      Files.writeString(record(engine), tree.toString(), UTF_8);
      changed++;
      if (found(engine).isEmpty()) {
        unnoticed.add(place);
        metrics(engine)
            .forEach(
                (metric, value) -> {
                  if (!value.equals(before.get(metric))) {
                    metrics.add(metric.replaceFirst(".* ", ""));
                  }
                });
      }
    }

    assertThat(changed).isGreaterThan(150);
    assertThat(metrics).as("changed by %s", unnoticed).isSubsetOf(STATED);
  }

  private SortedMap<String, OptionalDouble> metrics(String engine) throws Exception {
    SortedMap<String, OptionalDouble> metrics = new TreeMap<>();
    for (RunRecord run : directory.read().runs()) {
      if (run.id().equals(engine + "[off]1")) {
        for (PhaseRecord phase : run.phases()) {
          Stream.concat(
                  Stream.of(Optional.<String>empty()),
                  phase.operations().keySet().stream().map(Optional::of))
              .forEach(
                  operation -> {
                    for (Metric metric : Metrics.ALL) {
                      metrics.put(
                          "%s %s %s".formatted(phase.name(), operation, metric.id()),
                          metric.value(new Sample(run, phase, operation)));
                    }
                  });
        }
      }
    }
    return metrics;
  }

  /** The example has every metric, so that the test above tries all of them. */
  @Test
  void theExamplesHaveAllMetricsButThoseOfOthers() throws Exception {
    Set<String> measured = new TreeSet<>();
    for (String engine : List.of("redis", "rocksdb")) {
      metrics(engine)
          .forEach(
              (name, value) -> {
                if (value.isPresent()) {
                  measured.add(name.replaceFirst(".* ", ""));
                }
              });
    }
    Set<String> missing = new TreeSet<>();
    Metrics.ALL.forEach(
        metric -> {
          if (!measured.contains(metric.id()) && !metric.id().startsWith("run-")) {
            missing.add(metric.id());
          }
        });
    assertThat(missing).isSubsetOf(STATED);
  }

  @Test
  void theBoardNamesWhatIsOnlyStated() throws Exception {
    String readme = Files.readString(README, UTF_8);
    for (String metric : STATED) {
      assertThat(readme).contains("`" + metric + "`");
    }
  }

  /** Each row changes all figures of the phase mixed that depend on each other. */
  @ParameterizedTest
  @CsvSource({
    "'elapsedNanos', 0.01, 'throughput', 100, 'mixed: elapsedNanos is 100,000,000, but latency.hlog'",
    "'ok|count|notFound|user.*', 100, 'throughput', 100, 'mixed, read: ok is '",
    "'mean|stddev|min|p50|p90|p95|p99|p999|p9999|max', 0.01, 'none', 1, 'mixed, read: p99 is '",
    "'userSeconds|systemSeconds', 0.01, 'none', 1, 'mixed: server.userSeconds is 0.030, but'",
    "'resident.*|anonymous.*', 0.5, 'none', 1, 'mixed: server.residentEndBytes is '",
    "'anonymous.*', 0.5, 'none', 1, 'mixed: server.anonymousEndBytes is '",
    "'footprintBytes|footprint.peakBytes', 0.01, 'none', 1, 'mixed: footprintBytes is '",
    "'reads.hits', 2, 'none', 1, 'mixed: reads.hits is '",
    "'readBytes|writtenBytes|cancelledBytes', 0.01, 'none', 1, 'mixed: server.writtenBytes is '"
  })
  void figuresThatAgreeWithEachOtherAreFound(
      String names, double factor, String others, double otherFactor, String expected)
      throws Exception {
    multiply(place -> named(place, names), factor);
    multiply(place -> named(place, others), otherFactor);
    assertThat(found("redis")).anyMatch(text -> text.startsWith(expected));
  }

  /** Multiplies figures of the phases in the record of the first engine. */
  private void multiply(Predicate<String> which, double factor) throws IOException {
    JsonNode tree = JSON.readTree(Files.readString(record("redis"), UTF_8));
    change(tree.get("phases"), "", which, value -> value * factor);
    Files.writeString(record("redis"), tree.toString(), UTF_8);
  }

  private static boolean named(String place, String names) {
    return place.matches("\\.mixed(\\.facts|.*)\\.(" + names + ")")
        && !place.contains(".settings.");
  }

  private List<String> found(RunRecord run, Map<String, Histogram> latencies) throws Exception {
    RunDirectory files = new RunDirectory(folder.resolve("made-up").resolve(run.id()));
    RawFiles.write(files, run, latencies);
    return RawFigures.of(run, RawLatencies.of(files), files, List.of("get")).found();
  }

  private RunRecord redis() throws Exception {
    return directory.read().runs().stream()
        .filter(each -> each.id().equals("redis[off]1"))
        .findFirst()
        .orElseThrow();
  }

  private static RunRecord run(PhaseRecord... phases) {
    return Runs.run("a").time(Runs.THEN, Duration.ofSeconds(100)).phases(phases).build();
  }

  private static PhaseRecord reads(Histogram histogram, long elapsedNanos) {
    return Runs.phase("get")
        .at("threads", "2")
        .elapsedNanos(elapsedNanos)
        .operation("read", PackExamples.operation(histogram, 0, Map.of(), elapsedNanos))
        .build();
  }

  @Test
  void requestsTakeNoLongerThanTheirClientsHave() throws Exception {
    Histogram histogram = PackExamples.histogram(2000, 1000); // 2 s in all
    Map<String, Histogram> raw = Map.of("get/read", histogram);

    assertThat(found(run(reads(histogram, 1_050_000_000)), raw)).isEmpty();
    wording.check(found(run(reads(histogram, 100_000_000)), raw));
  }

  @Test
  void phasesFitTheRunAndFollowEachOther() throws Exception {
    Histogram histogram = PackExamples.histogram(2000, 1000);
    Map<String, Histogram> raw = Map.of("get/read", histogram);
    RunRecord run = run(reads(histogram, 3_000_000_000L));
    wording.check(found(Runs.from(run).time(Runs.THEN, Duration.ofSeconds(3)).build(), raw));
    assertThat(found(run(), raw)).isEmpty();

    RunDirectory files = new RunDirectory(folder.resolve("made-up").resolve(run.id()));
    RawFiles.write(files, run, raw);
    RunRecord later =
        Runs.from(run).time(Runs.THEN.plusSeconds(500), Duration.ofSeconds(100)).build();
    wording.check(RawFigures.of(later, RawLatencies.of(files), files, List.of("get")).found());
    wording.check(
        RawFigures.of(run.with(List.of()), RawLatencies.of(files), files, List.of("get")).found());
  }

  @Test
  void stepsOfASweepAreCompared() throws Exception {
    Histogram unlimited = PackExamples.histogram(4000, 100);
    Histogram at = PackExamples.histogram(3000, 50);
    long elapsed = 1_000_000_000;
    OperationRecord best = PackExamples.operation(at, 0, Map.of(), elapsed);
    PhaseRecord plain =
        Runs.phase("get").at("threads", "2").elapsedNanos(elapsed).operation("read", best).build();
    List<RatePoint> points =
        List.of(point(0, 4000, unlimited), point(3000, 3000, at), point(3300, 3000, at));
    PhaseRecord search =
        plain.scaled(1.05).with(points, new Facts().put(Fact.SEARCH_RATE, "3150.000"));
    // The raw files have a phase for each step.
    RunRecord steps =
        run(
            step("get@max", unlimited, elapsed),
            step("get@3000", at, elapsed),
            step("get@3300", at, elapsed));
    Map<String, Histogram> raw =
        Map.of("get@max/read", unlimited, "get@3000/read", at, "get@3300/read", at);
    RunDirectory files = new RunDirectory(folder.resolve("sweep").resolve("a1"));
    RawFiles.write(files, steps, raw);

    assertThat(sweep(files, search)).isEmpty();
    wording.check(sweep(files, search.scaled(2)));
    wording.check(sweep(files, search.with(points, new Facts().put(Fact.SEARCH_RATE, "9450.000"))));
    List<RatePoint> faster = List.of(points.get(0), point(3000, 9000, at), points.get(2));
    wording.check(sweep(files, search.with(faster, search.facts())));
    List<RatePoint> shorter = List.of(points.get(0), point(3000, 3000, unlimited), points.get(2));
    wording.check(sweep(files, search.with(shorter, search.facts())));
  }

  private static RatePoint point(double asked, double achieved, Histogram histogram) {
    return new RatePoint(
        asked, achieved, new TreeMap<>(Map.of("read", LatencyLog.summary(histogram))), true, "");
  }

  private static PhaseRecord step(String name, Histogram histogram, long elapsed) {
    return Runs.phase(name)
        .elapsedNanos(elapsed)
        .operation("read", PackExamples.operation(histogram, 0, Map.of(), elapsed))
        .build();
  }

  private List<String> sweep(RunDirectory files, PhaseRecord phase) throws Exception {
    return RawFigures.of(run(phase), RawLatencies.of(files), files, List.of("get")).found();
  }

  @Test
  void aPacedGroupMayHaveRequestsThatWereNeverSent() throws Exception {
    Histogram late = PackExamples.histogram(3000, 1000);
    long elapsed = 2_000_000_000;
    OperationRecord all = PackExamples.operation(late, 0, Map.of(), elapsed);
    OperationRecord sent =
        new OperationRecord(2500, 0, new TreeMap<>(), 2500 * 1e9 / elapsed, all.latencyNanos());
    PhaseRecord plain =
        Runs.phase("get")
            .at("threads", "4")
            .elapsedNanos(elapsed)
            .operation("w:update", sent)
            .build();
    Map<String, Histogram> raw = Map.of("get/w:update", late);

    wording.check(found(run(plain), raw));
    Facts paced = new Facts().put(Fact.GROUP_RATE_ASKED, "w", "1500");
    assertThat(found(run(plain.with(paced)), raw)).isEmpty();
  }

  @Test
  void bytesThatNoFileShowsAreNamed() throws Exception {
    Histogram histogram = PackExamples.histogram(2000, 1000);
    OperationRecord inserts = PackExamples.operation(histogram, 0, Map.of(), 3_000_000_000L);
    PhaseRecord load =
        Runs.phase("load").elapsedNanos(3_000_000_000L).operation("insert", inserts).build();
    Map<String, Histogram> raw = Map.of("load/insert", histogram);
    for (long bytes : new long[] {200_000, 200_001}) {
      RunRecord run = run(load.with(new Facts().put(Fact.USER_WRITTEN_BYTES, bytes)));
      RunDirectory files = new RunDirectory(folder.resolve("bytes").resolve(run.id()));
      RawFiles.write(files, run, raw);
      Contradictions found = RawFigures.of(run, RawLatencies.of(files), files, List.of("load"));
      assertThat(found.found()).isEmpty();
      assertThat(found.unchecked())
          .isEqualTo(bytes % 2000 == 0 ? Set.of() : Set.of("bytes of values that vary in length"));
    }
  }

  /** A pack of the board was refused: the sampler read a size while the end's was being read. */
  @Test
  void aSizeThatIsReadAtTheEndOfAPhaseMayBeItsPeak() throws Exception {
    RunRecord run = redis();
    RunDirectory files = directory.run(run.id());
    List<String> lines = new ArrayList<>(Files.readAllLines(files.resources()));
    String end =
        lines.stream()
            .filter(line -> line.matches("get,\\d+,data,false,.*"))
            .reduce((first, second) -> second)
            .orElseThrow();
    long most =
        lines.stream()
            .filter(line -> line.contains(",data,"))
            .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(',') + 1)))
            .max()
            .orElseThrow();
    lines.add(lines.indexOf(end), end);
    lines.add(
        lines.lastIndexOf(end),
        end.replaceFirst("get", "").replaceFirst("\\d+$", Long.toString(2 * most)));
    Files.write(files.resources(), lines);
    for (long peak : new long[] {2 * most, 4 * most}) {
      RunRecord larger =
          run(
              run.phases().stream()
                  .map(
                      phase ->
                          phase.name().equals("get")
                              ? phase.with(new Facts().put(Fact.FOOTPRINT_PEAK_BYTES, peak))
                              : phase)
                  .toArray(PhaseRecord[]::new));
      assertThat(
              RawFigures.of(larger, RawLatencies.of(files), files, List.of("load", "get", "mixed"))
                  .found())
          .filteredOn(text -> text.contains("peakBytes"))
          .hasSize(peak == 2 * most ? 0 : 1);
    }
  }

  /** On a busy machine, the sampler read the flushes of a sample after the start's were read. */
  @Test
  void flushesInAnUnfinishedSampleCount() throws Exception {
    RunRecord run = redis();
    double flushes = run.phases().get(0).durability().orElseThrow().flushes().orElseThrow();
    RunDirectory files = directory.run(run.id());
    List<String> lines = new ArrayList<>(Files.readAllLines(files.resources()));
    List<String> device =
        lines.stream().filter(line -> line.matches("load,\\d+,device,.*")).toList();
    assertThat(device).hasSize(3);
    String[] start = device.get(1).split(",", -1);
    long at = Long.parseLong(start[1]);
    int column = List.of(lines.get(0).split(",", -1)).indexOf("flushes");
    start[column] = Long.toString(Math.round(flushes / 10));
    int place = lines.indexOf(device.get(1));
    lines.set(place, String.join(",", start));
    start[1] = Long.toString(at - 100);
    start[3] = "true";
    lines.add(place, String.join(",", start));
    start[column] = "0";
    start[1] = Long.toString(at - 300);
    lines.set(lines.indexOf(device.get(0)), String.join(",", start));
    Files.write(files.resources(), lines);
    for (int factor : new int[] {1, 2}) {
      multiply(".load.durability.flushes"::equals, factor);
      assertThat(found("redis"))
          .filteredOn(text -> text.contains("durability.flushes is"))
          .hasSize(factor - 1);
    }
  }

  /** A machine may be busy with others just after the last sample of the last phase. */
  @Test
  void aReadingAfterTheLastSampleIsBoundedByThePace() throws Exception {
    RunRecord run = redis();
    PhaseRecord last = run.phases().get(run.phases().size() - 1);
    RunDirectory files = directory.run(run.id());
    List<String> lines = Files.readAllLines(files.resources());
    int settled = 0;
    for (int i = 0; i < lines.size(); i++) {
      settled = lines.get(i).startsWith(last.name() + ",") ? i : settled;
    }
    Files.write(files.resources(), lines.subList(0, settled + 1));
    for (double factor : new double[] {1.025, 2}) {
      multiply(place -> place.matches("\\.mixed.*\\.device\\.writtenBytes"), factor);
      assertThat(found("redis"))
          .filteredOn(text -> text.startsWith("mixed: device.writtenBytes"))
          .hasSize(factor < 1.5 ? 0 : 1);
    }
  }

  @Test
  void missingAndOlderFilesAreReported() throws Exception {
    RunRecord run = redis();
    RunDirectory files = directory.run(run.id());
    String resources = Files.readString(files.resources());
    StringBuilder older = new StringBuilder();
    resources
        .lines()
        .filter(line -> !line.contains(",data,"))
        .forEach(line -> older.append(line.replaceFirst("(?:,[^,]*){3}$", "")).append('\n'));
    Files.writeString(files.resources(), older);
    Contradictions found =
        RawFigures.of(run, RawLatencies.of(files), files, List.of("load", "get", "mixed"));
    assertThat(found.found()).isEmpty();
    assertThat(found.unchecked())
        .containsExactly("major page faults", "memory without pages of files", "storage");

    for (Path file : List.of(files.resources(), files.timeline(), files.latencyLog())) {
      Files.delete(file);
      assertThat(
              RawFigures.of(run, RawLatencies.of(files), files, List.of("load", "get", "mixed"))
                  .found())
          .as(file.toString())
          .anyMatch(text -> text.contains(file.getFileName().toString()));
    }
  }

  @Test
  void lossesOfACrashFitItsWrites() {
    LostWrites lost =
        new LostWrites(
            90, 4, 5, 1, 0, 0, "k1: lost", OptionalLong.of(9_000), OptionalLong.of(1_000));
    assertThat(crash(crash(100, lost), 1)).isEmpty();
    wording.check(crash(crash(80, lost), 1));
    wording.check(
        crash(
            crash(
                100,
                new LostWrites(8, 4, 5, 1, 0, 0, "k1", OptionalLong.of(9), OptionalLong.of(1))),
            1));
    wording.check(
        crash(
            crash(
                100,
                new LostWrites(90, 0, 0, 0, 0, 0, "k1", OptionalLong.of(9), OptionalLong.of(1))),
            1));
    wording.check(crash(crash(100, lost), 3));
  }

  private static Crash crash(long acknowledged, LostWrites lost) {
    return new Crash(
        "was killed",
        acknowledged,
        OptionalLong.of(1_000_000),
        Optional.of(lost),
        "",
        Optional.empty(),
        OptionalLong.of(50),
        List.of(),
        List.of());
  }

  private static List<String> crash(Crash crash, int planned) {
    Contradictions found = new Contradictions();
    RunRecord run =
        Runs.run("a")
            .time(Runs.THEN, Duration.ofSeconds(10))
            .crashTest(new CrashTrialResult(false, List.of(crash), ""))
            .build();
    RawCrashes.compare(run, OptionalInt.of(planned), found);
    return found.found();
  }
}

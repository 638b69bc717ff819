package kvrank.scenario.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import kvrank.Wording;
import kvrank.input.InvalidInputException;
import kvrank.plan.PlannedPhase;
import kvrank.plan.Planner;
import kvrank.plan.RunSpec;
import kvrank.scenario.Scenario;
import kvrank.workload.request.Operation;
import kvrank.workload.trace.Replay;
import kvrank.workload.trace.TraceWriter;
import kvrank.workload.value.ValueSizes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class TracePhaseTest {

  @RegisterExtension final Wording wording = new Wording();

  private static final ValueSizes SIZES = ValueSizes.between(20, 80, ValueSizes.Spread.UNIFORM);

  @TempDir private Path folder;

  private ScenarioReader reader;

  @BeforeEach
  void home() throws IOException {
    reader = new ScenarioReader(TestHome.in(folder.resolve("home")));
    trace("some.trace", true, 1_000);
  }

  /** Each key is read, then written: 200 requests of 100 keys, all of which are loaded or none. */
  private void trace(String name, boolean loaded, long step) throws IOException {
    trace(name, loaded, step, 0);
  }

  private void trace(String name, boolean loaded, long step, long ttlMillis) throws IOException {
    try (TraceWriter out = new TraceWriter(folder.resolve(name))) {
      for (int i = 0; i < 200; i++) {
        boolean read = i % 2 == (loaded ? 0 : 1);
        int key = i % 2 == 0 ? 12 : 0;
        out.request(i * step, read ? Operation.READ : Operation.UPDATE, i / 2, key, 50, ttlMillis);
      }
      for (int i = 0; i < (loaded ? 100 : 0); i++) {
        out.load(i, 30);
      }
      out.end("test", step > 0, SIZES);
    }
  }

  private Path file(String phases, String... more) throws IOException {
    Path file = folder.resolve("x.yaml");
    Files.writeString(
        file,
        """
        question: Which?
        engines: [redis]
        fsync: off
        %s
        phases: %s
        """
            .formatted(String.join("\n", more), phases));
    return file;
  }

  private Scenario read(String phases, String... more) throws Exception {
    return reader.read(file(phases, more), List.of(), List.of());
  }

  private String problems(String phases, String... more) throws IOException {
    Path file = file(phases, more);
    InvalidInputException refused =
        catchThrowableOfType(
            InvalidInputException.class, () -> reader.read(file, List.of(), List.of()));
    return refused.problems().stream()
        .map(problem -> problem.path() + ": " + problem.message())
        .collect(Collectors.joining("\n"));
  }

  private static RunSpec run(Scenario scenario) {
    return Planner.plan(scenario).runs().get(0);
  }

  @Test
  void aTraceSaysWhatIsLoadedAndAsked() throws Exception {
    Scenario scenario = read("[{trace: some.trace}]", "threads: 2");
    RunSpec run = run(scenario);
    assertThat(run.phases()).extracting(PlannedPhase::name).containsExactly("load", "some");
    assertThat(run.dataset().records()).isEqualTo(100);
    assertThat(run.dataset().loaded()).isEqualTo(100);
    assertThat(run.dataset().values().sizes()).isEqualTo(SIZES);
    assertThat(run.dataset().keys().bytes()).isEqualTo(12);
    Replay replay = run.dataset().trace().orElseThrow();
    assertThat(replay.requests()).isEqualTo(200);
    assertThat(replay.paced()).isFalse();
    PlannedPhase phase = run.phases().get(1);
    assertThat(phase.settings().pacing().open()).isFalse();
    assertThat(phase.settings().limits().total()).isZero();
    assertThat(phase.spec().workload().mix().weights())
        .isEqualTo(new TreeMap<>(Map.of(Operation.READ, 500_000, Operation.UPDATE, 500_000)));
  }

  @Test
  void theClockIsTheRateAndKeysAreASampleOrCopies() throws Exception {
    RunSpec tenth = run(read("[{trace: some.trace, clock: 10x, keys: 1/10, as: tenth}]"));
    assertThat(tenth.dataset().records()).isEqualTo(10);
    Replay replay = tenth.dataset().trace().orElseThrow();
    // 20 requests in 0.0199 s.
    assertThat(replay.requests()).isEqualTo(20);
    assertThat(tenth.phases().get(1).settings().pacing().rate()).isEqualTo(1005.025);
    RunSpec copies = run(read("[{trace: some.trace, clock: recorded, keys: 3}]"));
    assertThat(copies.dataset().records()).isEqualTo(300);
    assertThat(copies.dataset().loaded()).isEqualTo(300);
    assertThat(copies.phases().get(1).settings().pacing().rate()).isEqualTo(3015.075);
  }

  @Test
  void whatIsWrittenFirstIsNotLoaded() throws Exception {
    trace("written.trace", false, 1);
    RunSpec run = run(read("[{trace: written.trace}]"));
    assertThat(run.phases()).extracting(PlannedPhase::name).containsExactly("written");
    wording.check(problems("[load, {trace: written.trace}]"));
  }

  @Test
  void startsEmptyIfMissesAreFilledOrTheScenarioSaysIt() throws Exception {
    Map<String, Long> loaded =
        Map.of(
            "",
            100L,
            ", before: trace",
            100L,
            ", before: none",
            0L,
            ", misses: fill",
            0L,
            ", misses: fill, before: trace",
            100L,
            ", misses: none, before: none",
            0L);
    for (Map.Entry<String, Long> each : loaded.entrySet()) {
      RunSpec run = run(read("[{trace: some.trace%s}]".formatted(each.getKey())));
      assertThat(run.dataset().loaded()).as(each.getKey()).isEqualTo(each.getValue());
      assertThat(run.phases()).as(each.getKey()).hasSize(each.getValue() > 0 ? 2 : 1);
      assertThat(run.phases().get(run.phases().size() - 1).spec().workload().description())
          .isEqualTo(
              "200 requests of a trace (test), on %s."
                  .formatted(
                      each.getValue() > 0 ? "100 records that existed before" : "an empty store"));
    }
    wording.check(problems("[load, {trace: some.trace, before: none}]"));
    assertThat(problems("[{trace: some.trace, before: load}]")).startsWith("phases[0].before: ");
    assertThat(problems("[{workload: load, before: none}]"))
        .startsWith("phases[0].before: applies only to a trace");
  }

  @Test
  void isWrittenAsItWasRead() throws Exception {
    trace("ttl.trace", true, 1_000, 60_000);
    for (String phase :
        List.of(
            "{trace: some.trace}",
            "{trace: some.trace, clock: 2.5x, keys: 1/10, as: x, warmup: 10ms}",
            "{trace: some.trace, clock: none, keys: 3, operations: 77, pipeline: 4}",
            "{trace: some.trace, clock: recorded, duration: 20ms}",
            "{trace: ttl.trace, ttl: recorded, misses: fill, before: trace}",
            "{trace: ttl.trace, clock: recorded, ttl: none}")) {
      assertIsWrittenAsItWasRead("[{workload: load, batch: 10}, " + phase + "]");
    }
    for (String start : List.of("before: none", "misses: fill")) {
      assertIsWrittenAsItWasRead("[{trace: some.trace, %s}]".formatted(start));
    }
  }

  private void assertIsWrittenAsItWasRead(String phases) throws Exception {
    Scenario scenario = read(phases);
    Path again = folder.resolve("again.yaml");
    Files.writeString(again, new ScenarioWriter().write(scenario));
    Scenario reread = reader.read(again, List.of(), List.of());
    assertThat(reread.phases()).isEqualTo(scenario.phases());
    assertThat(reread.factors()).isEqualTo(scenario.factors());
    assertThat(new ScenarioWriter().write(reread)).isEqualTo(new ScenarioWriter().write(scenario));
  }

  @Test
  void whatDoesNotGoWithATraceIsRefused() throws IOException {
    wording.check(problems("[{trace: some.trace}]", "records: 50"));
    wording.check(problems("[{trace: some.trace}]", "value-bytes: 100"));
    for (String setting :
        List.of("rate: 100", "measure: {duration: 2s}", "factors: {rate: [1, 2]}")) {
      assertThat(problems("[{trace: some.trace}]", setting))
          .endsWith("put 'warmup', 'duration' and 'operations' into its phase");
    }
    wording.check(problems("[{trace: some.trace}]", "batch: 10"));
    assertThat(problems("[{trace: some.trace, clock: recorded, pipeline: 2}]"))
        .contains("each request has its own time;");
    assertThat(problems("[{trace: some.trace, machines: 2}]", "factors: {machines: [1, 2]}"))
        .contains("'machines' is for the whole run");
    wording.check(problems("[{trace: some.trace}]", "threads: 2", "machines: 2"));
    wording.check(problems("[{trace: some.trace}, get]"));
    assertThat(problems("[{trace: some.trace, misses: maybe}]")).startsWith("phases[0].misses: ");
    assertThat(problems("[{trace: some.trace, digest: 12}]"))
        .startsWith("phases[0].digest: the trace has changed: its digest is ");
    wording.check(problems("[{trace: some.trace, keys: 1/99999}]"));
  }

  @Test
  void timesToLiveAreTheTracesUnlessTheyAreLeftOut() throws Exception {
    Path engine = folder.resolve("home/bindings/redis/engine.yaml");
    String able = Files.readString(engine).replace("batch, pipeline]", "batch, pipeline, ttl]");
    Files.writeString(engine, able);
    reader = new ScenarioReader(folder.resolve("home"));
    trace("ttl.trace", true, 1_000, 60_000);
    RunSpec run = run(read("[{trace: ttl.trace, clock: recorded}]"));
    assertThat(run.dataset().expires()).isTrue();
    assertThat(run.dataset().stays()).isFalse();
    assertThat(run.unsupported()).isEmpty();
    run = run(read("[{trace: ttl.trace, clock: recorded, ttl: none}]"));
    assertThat(run.dataset().expires()).isFalse();
    wording.check(problems("[{trace: ttl.trace}]"));
    wording.check(problems("[{trace: ttl.trace, clock: 0x}]"));
    assertThat(run(read("[{trace: ttl.trace, ttl: recorded}]")).dataset().expires()).isTrue();
    assertThat(run(read("[{trace: ttl.trace, ttl: none}]")).dataset().expires()).isFalse();
    assertThat(problems("[{trace: ttl.trace, ttl: 60}]")).startsWith("phases[0].ttl: ");
    assertThat(run(read("[{trace: some.trace}]")).dataset().expires()).isFalse();
  }

  @Test
  void anEngineWithoutTimesToLiveIsUnsupportedForATraceThatHasThem() throws Exception {
    trace("ttl.trace", true, 1_000, 60_000);
    RunSpec run = run(read("[{trace: ttl.trace, clock: recorded}]"));
    assertThat(run.unsupported()).contains("redis has no ttl");
    // If there is no load, the phase has the reason.
    trace("written.trace", false, 1_000, 60_000);
    run = run(read("[{trace: written.trace, clock: recorded}]"));
    assertThat(run.phases().get(0).unsupported()).contains("redis has no ttl");
    run = run(read("[{trace: ttl.trace, clock: recorded, ttl: none}]"));
    assertThat(run.unsupported()).isEmpty();
  }

  @Test
  void missesAreFilledWhereThereAreReads() throws Exception {
    RunSpec run = run(read("[{trace: some.trace, misses: fill}]"));
    assertThat(run.phases().get(0).spec().workload().operations()).contains(Operation.FILL);
    try (TraceWriter out = new TraceWriter(folder.resolve("sets.trace"))) {
      out.request(0, Operation.INSERT, 0, 12, 50, 0);
      out.end("test", true, SIZES);
    }
    wording.check(problems("[{trace: sets.trace, misses: fill}]"));
  }

  @Test
  void aTraceWithoutTimesHasNoClock() throws Exception {
    trace("untimed.trace", true, 0);
    wording.check(problems("[{trace: untimed.trace, clock: 10x}]"));
    assertThat(read("[{trace: untimed.trace, clock: none}]").phases()).hasSize(2);
  }

  @Test
  void aDamagedTraceIsRefusedBeforeAnythingIsStarted() throws IOException {
    Path trace = folder.resolve("some.trace");
    byte[] bytes = Files.readAllBytes(trace);
    bytes[4_200] ^= 1;
    Files.write(trace, bytes);
    assertThat(problems("[{trace: some.trace}]"))
        .isEqualTo(
            "phases[0].trace: %s: byte 4,096: the trace is damaged here; copy or import it again"
                .formatted(trace));
  }
}

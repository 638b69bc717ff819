package kvrank.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.Thread.State;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import kvrank.machine.BackgroundLoad;
import kvrank.machine.CpuSets;
import kvrank.machine.QuietLook;
import kvrank.metric.Expectation;
import kvrank.metric.Metrics;
import kvrank.plan.Plan;
import kvrank.plan.Planner;
import kvrank.plan.RunSpec;
import kvrank.provision.DataFolder;
import kvrank.provision.ListenAddress;
import kvrank.provision.MethodStatus;
import kvrank.provision.Provisioner;
import kvrank.provision.Server;
import kvrank.provision.ServerSpec;
import kvrank.report.Report;
import kvrank.results.ExecutionResults;
import kvrank.results.Outcome;
import kvrank.results.ResultsDirectory;
import kvrank.results.RunRecord;
import kvrank.results.Tuned;
import kvrank.results.UnreadableException;
import kvrank.run.MachineLock.Held;
import kvrank.run.RunExecutor.Task;
import kvrank.scenario.EngineDefinition;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.Fsync;
import kvrank.scenario.ProvisionMethod;
import kvrank.scenario.Reason;
import kvrank.scenario.ScenarioReader;
import kvrank.scenario.TestHome;
import kvrank.stats.OpenComparison;
import kvrank.stats.RankingIndex;
import kvrank.stats.Rankings;
import kvrank.stats.Runs;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The life of an execution, by runs that are scripted: no process is started. */
class ExecutionTest {

  private static final Outcome COMPLETED = new Outcome.Completed();
  private static final Outcome FAILED = new Outcome.Failed("get", "the server ended");
  private static final String NO_TIME = "no time was left of the budget";
  private static final MethodStatus HERE = new MethodStatus(ProvisionMethod.PROCESS, true, "/it");
  private static final MethodStatus NOT_PULLED =
      new MethodStatus(
          ProvisionMethod.CONTAINER,
          false,
          "image 'redis:7.2' is not here and it could not be pulled: no such host");

  @TempDir private Path folder;
  private ScenarioReader reader;
  private Plan plan;
  private final Script script = new Script();
  private final Shelf shelf = new Shelf();
  private final Log log = new Log();
  private Held then = Held.REFUSE;
  private final List<QuietLook> looks = new ArrayList<>();

  @BeforeEach
  void fourRunsOfTwoEngines() throws Exception {
    reader = new ScenarioReader(TestHome.in(folder.resolve("home")));
    Path file = folder.resolve("two.yaml");
    Files.writeString(
        file,
        """
        question: Which one?
        engines: [redis, rocksdb]
        fsync: off
        phases: [get]
        repetitions: 2
        """);
    plan = Planner.plan(reader.read(file, List.of(), List.of()));
  }

  @Test
  void everyRunHasARecordInTheEnd() throws Exception {
    ExecutionResults results = run().read();

    assertThat(script.executed).isEqualTo(plan.ids()).hasSize(4);
    assertThat(results.unreadable()).isEmpty();
    assertThat(results.runs()).extracting(RunRecord::outcome).containsOnly(COMPLETED);
    assertThat(results.environment()).containsKeys("storage.fileSystem", "isolation");
    assertThat(folder.resolve("results/latest")).isSymbolicLink();
  }

  @Test
  void nothingHappensWhileAnotherExecutionHoldsTheLock() throws Exception {
    try (Closeable other = lock().acquire("pid 7, scenario first", log::warned)) {
      assertThatIOException()
          .isThrownBy(this::run)
          .withMessageContaining("another kvrank is measuring on this machine")
          .withMessageContaining("pid 7, scenario first; --wait waits")
          .withMessageContaining(lock().file().toString());
      assertThat(other).isNotNull();
    }
    assertThat(log.events).isEmpty();
    assertThat(folder.resolve("results")).doesNotExist();

    run();
    assertThat(script.executed).as("the lock is given back").hasSize(4);
  }

  @Test
  void anExecutionMayGoOnWhileAnotherHoldsTheLock() throws Exception {
    try (Closeable other = lock().acquire("pid 7", log::warned)) {
      then = Held.FORCE;
      run();
      assertThat(other).isNotNull();
    }
    assertThat(script.executed).hasSize(4);
    assertThat(log.warnings)
        .contains("another kvrank is measuring, and each disturbs the other: pid 7");
  }

  @Test
  void anExecutionMayWaitForTheLock() throws Exception {
    Closeable other = lock().acquire("pid 7", log::warned);
    then = Held.WAIT;
    log.atWarning = () -> assertThatNoException().isThrownBy(other::close);

    run();

    assertThat(script.executed).hasSize(4);
    assertThat(log.warnings).contains("waiting until another kvrank has ended: pid 7");
    assertThat(Files.readString(lock().file())).contains("scenario two, since ");
  }

  @Test
  void anImageThatCannotBePulledMakesItsEngineUnavailableAlone() throws Exception {
    shelf.methods.put("redis", NOT_PULLED);

    ExecutionResults results = run().read();

    assertThat(log.events).contains("redis: " + NOT_PULLED.detail(), "missing: [redis]");
    assertThat(outcomes(results, "rocksdb")).containsOnly(COMPLETED);
    assertThat(outcomes(results, "redis"))
        .allSatisfy(
            outcome ->
                assertThat(outcome)
                    .isInstanceOf(Outcome.Unavailable.class)
                    .extracting(Outcome::reason)
                    .asString()
                    .contains("could not be pulled", "To get it: apt-get install"));
  }

  @Test
  void nothingStartsIfAnEngineIsMissingAndAllAreRequired() {
    shelf.methods.put("redis", NOT_PULLED);

    assertThatExceptionOfType(UnavailableException.class)
        .isThrownBy(() -> execution().execute(folder.resolve("results"), "test", true))
        .withMessage("--require-all: redis is not available here; nothing was started")
        .matches(e -> !e.nothingLeft());
    assertThat(folder.resolve("results")).doesNotExist();
  }

  @Test
  void nothingStartsIfNoEngineIsAvailable() {
    shelf.methods.put("redis", NOT_PULLED);
    shelf.methods.put("rocksdb", new MethodStatus(ProvisionMethod.EMBEDDED, false, "no library"));

    assertThatExceptionOfType(UnavailableException.class)
        .isThrownBy(this::run)
        .matches(UnavailableException::nothingLeft);
    assertThat(log.events)
        .containsExactlyInAnyOrder("redis: " + NOT_PULLED.detail(), "rocksdb: no library");
    assertThat(folder.resolve("results")).doesNotExist();
  }

  @Test
  void aRunThatBreaksDoesNotHinderTheNext() throws Exception {
    script.outcomes.put(plan.ids().get(1), FAILED);

    ExecutionResults results = run().read();

    assertThat(results.runs())
        .extracting(RunRecord::outcome)
        .containsExactly(COMPLETED, FAILED, COMPLETED, COMPLETED);
    assertThat(log.events)
        .contains(plan.ids().get(1) + " failed", plan.ids().get(2) + " completed");
  }

  @Test
  void aWorkerThatIsNotBuiltIsTheFailureOfItsRunsAlone() throws Exception {
    EngineDefinition rocksdb = plan.scenario().engines().get(1).definition();
    shelf.servers.put(
        "rocksdb",
        data ->
            new ServerSpec(
                ProvisionMethod.EMBEDDED,
                rocksdb,
                "",
                new EngineSpec.Access(false),
                new TreeMap<>(),
                new TreeMap<>(),
                data,
                data,
                List.of(),
                Optional.empty()));

    ExecutionResults results = run().read();

    assertThat(outcomes(results, "redis")).hasSize(2).containsOnly(COMPLETED);
    assertThat(outcomes(results, "rocksdb"))
        .hasSize(2)
        .allSatisfy(outcome -> assertThat(outcome).isInstanceOf(Outcome.Failed.class))
        .extracting(Outcome::reason)
        .allMatch(reason -> reason.contains("is not built; run 'mvn -DskipTests package'"));
  }

  @Test
  void whatFailsForTheMachineIsSaidWithoutTypesAndDoneAgainByResume() throws Exception {
    shelf.servers.put(
        "redis",
        data -> {
          throw new UncheckedIOException(
              new FileSystemException(data.toString(), null, "No space left on device"));
        });
    ResultsDirectory results = run();
    List<String> failed = plan.ids().stream().filter(id -> id.startsWith("redis")).toList();

    assertThat(outcomes(results.read(), "redis"))
        .hasSize(2)
        .extracting(Outcome::reason)
        .allMatch(reason -> reason.endsWith("': No space left on device; make room there"));
    shelf.servers.clear();
    script.executed.clear();
    script.outcomes.put(failed.get(0), FAILED);
    execution().resume(results, false);
    assertThat(script.executed).isEqualTo(failed);
    assertThat(outcomes(results.read(), "redis")).containsExactlyInAnyOrder(COMPLETED, FAILED);

    script.executed.clear();
    execution().resume(results, false);
    assertThat(script.executed).as("an engine's own failure stays").isEmpty();
  }

  @Test
  void aClassThatCannotBeLoadedIsTheFailureOfItsRunAlone() throws Exception {
    shelf.servers.put(
        "redis",
        data -> {
          throw new NoClassDefFoundError("kvrank/Some");
        });

    assertThat(outcomes(run().read(), "redis"))
        .extracting(Outcome::reason)
        .containsOnly("a class cannot be loaded: kvrank.Some");
  }

  @Test
  void anEngineThatIsInstalledMeanwhileIsMeasuredByResume() throws Exception {
    shelf.methods.put("redis", NOT_PULLED);
    ResultsDirectory results = run();
    assertThat(outcomes(results.read(), "redis")).hasOnlyElementsOfType(Outcome.Unavailable.class);
    shelf.methods.clear();

    execution().resume(results, false);

    assertThat(outcomes(results.read(), "redis")).hasSize(2).containsOnly(COMPLETED);
  }

  @Test
  void whatNobodyExpectsIsTheFailureOfItsRunAlone() throws Exception {
    shelf.servers.put(
        "redis",
        data -> {
          throw new IllegalStateException("a defect");
        });

    ExecutionResults results = run().read();

    assertThat(outcomes(results, "rocksdb")).hasSize(2).containsOnly(COMPLETED);
    assertThat(outcomes(results, "redis"))
        .hasSize(2)
        .extracting(Outcome::reason)
        .allMatch(reason -> reason.contains("IllegalStateException: a defect"));
  }

  @Test
  void aRecordThatCannotBeWrittenFailsItsRunAlone() throws Exception {
    Path results = folder.resolve("results");
    log.atStartOf(
        plan.ids().get(1),
        () -> {
          Path record = results.resolve("latest/runs/%s/record.json".formatted(plan.ids().get(1)));
          assertThat(record.resolve("in the way").toFile().mkdirs()).isTrue();
        });

    ExecutionResults read = run().read();

    assertThat(script.executed).hasSize(4);
    assertThat(log.events).contains(plan.ids().get(1) + " failed");
    assertThat(read.runs()).hasSize(3);
    assertThat(read.unreadable()).hasSize(1);
  }

  @Test
  void resultsThatAreRemovedMeanwhileEndTheExecution() {
    Path results = folder.resolve("results");
    script.meanwhile =
        () -> {
          try (Stream<Path> files = Files.walk(results)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        };

    assertThatIOException().isThrownBy(this::run).withMessageContaining("was removed meanwhile");

    assertThat(script.executed).hasSize(1);
    assertThat(results).as("nothing is made anew").doesNotExist();
  }

  @Test
  void recordsThatAreRemovedMeanwhileEndTheExecutionAndResumeDoesThemAgain() throws Exception {
    List<String> ids = plan.ids();
    Path results = folder.resolve("results");
    log.atStartOf(
        ids.get(2),
        () -> {
          try {
            new DataFolder(results.resolve("latest/runs").toRealPath()).delete();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });

    assertThatIOException()
        .isThrownBy(this::run)
        .withMessageContaining(ids.get(0))
        .withMessageContaining("was removed meanwhile; the remaining runs are not started");

    assertThat(log.events).contains(ids.get(2) + " completed").doesNotContain(ids.get(3));
    script.executed.clear();
    ResultsDirectory kept = ResultsDirectory.at(results.resolve("latest"));
    execution().resume(kept, false);
    assertThat(script.executed).containsExactly(ids.get(0), ids.get(1), ids.get(3));
    assertThat(kept.read().unreadable()).isEmpty();
  }

  @Test
  void aHolderOfTheLockThatHasNotSaidWhoItIsIsNotNothing() throws Exception {
    try (FileChannel silent =
            FileChannel.open(lock().file(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock other = silent.lock()) {
      assertThatIOException()
          .isThrownBy(() -> lock().acquire("pid 8", log::warned))
          .withMessageContaining(
              "would disturb the other: one that has not said who it is; --wait");
      assertThat(other.isValid()).isTrue();
    }
  }

  @Test
  void aLockThatCannotBeTakenHasItsPlaceAndTheReason() throws Exception {
    Path file = Files.writeString(folder.resolve("no folder"), "").resolve("lock");

    assertThatIOException()
        .isThrownBy(() -> new MachineLock(file, Held.REFUSE).acquire("pid 8", log::warned))
        .withMessageStartingWith("the lock %s cannot be held: Not a directory".formatted(file))
        .withMessageContaining("-Djava.io.tmpdir=DIR");
  }

  @Test
  void anInterruptKeepsWhatWasMeasuredAndResumeDoesTheRest() throws Exception {
    Execution interrupted = execution();
    log.atStartOf(plan.ids().get(2), interrupted::abort);
    ResultsDirectory results = interrupted.execute(folder.resolve("results"), "test", false);

    assertThat(results.read().runs()).hasSize(2);
    assertThat(shelf.closed).as("servers are stopped").isTrue();
    assertThat(script.aborted).as("the worker is ended").isTrue();

    script.executed.clear();
    log.events.clear();
    plan = new Continuation(results).plan(reader, "test", Optional.empty());
    execution().resume(results, false);

    assertThat(script.executed).isEqualTo(plan.ids().subList(2, 4));
    assertThat(log.events)
        .contains(plan.ids().get(0) + " was done", plan.ids().get(1) + " was done");
    assertThat(results.read().runs()).hasSize(4);
  }

  @Test
  void aRunThatIsInterruptedHasNoRecord() throws Exception {
    Execution interrupted = execution();
    script.meanwhile = interrupted::abort;
    script.outcomes.put(plan.ids().get(0), FAILED);

    ResultsDirectory results = interrupted.execute(folder.resolve("results"), "test", false);

    assertThat(script.executed).containsExactly(plan.ids().get(0));
    assertThat(results.read().runs()).isEmpty();
  }

  /** The report had no record of it, and resume found it done. */
  @Test
  void resumeDoesARunAgainWhoseRecordIsOfAnother() throws Exception {
    ResultsDirectory results = run();
    Path wrong = results.run(plan.ids().get(1)).record();
    Files.copy(results.run(plan.ids().get(0)).record(), wrong, StandardCopyOption.REPLACE_EXISTING);
    assertThat(results.read().unreadable())
        .containsExactly(
            "%s: is of the run %s; 'run --resume' does this one again"
                .formatted(wrong, plan.ids().get(0)));
    script.executed.clear();

    plan = new Continuation(results).plan(reader, "test", Optional.empty());
    execution().resume(results, false);

    assertThat(script.executed).containsExactly(plan.ids().get(1));
    assertThat(results.read().unreadable()).isEmpty();
  }

  @Test
  void resumeDoesARunAgainWhoseRecordAPowerCutEmptied() throws Exception {
    ResultsDirectory results = run();
    Files.writeString(results.run(plan.ids().get(1)).record(), "");
    script.executed.clear();

    plan = new Continuation(results).plan(reader, "test", Optional.empty());
    execution().resume(results, false);

    assertThat(script.executed).containsExactly(plan.ids().get(1));
    assertThat(results.read().unreadable()).isEmpty();
  }

  @Test
  void resumeRefusesWhatANewerKvrankMeasured() throws Exception {
    ResultsDirectory results = run();
    Path record = results.run(plan.ids().get(1)).record();
    String newer =
        Files.readString(record).replaceFirst("\"schema\" : \"2[.]", "\"schema\" : \"3.");
    Files.writeString(record, newer);

    assertThatExceptionOfType(UnreadableException.class)
        .isThrownBy(() -> new Continuation(results).plan(reader, "test", Optional.empty()))
        .withMessage(
            "%s: schema 3.0 is newer than this kvrank reads (2.0); use a newer kvrank", record);
    assertThat(record).hasContent(newer);
  }

  @Test
  void resumeRefusesAnotherScenarioAndSaysWhatDiffers() throws Exception {
    ResultsDirectory results = run();
    Path scenario = results.scenarioFile();
    String text = Files.readString(scenario);

    Files.writeString(scenario, text.replace("repetitions: 2", "repetitions: 3"));
    assertThatExceptionOfType(UnreadableException.class)
        .isThrownBy(() -> new Continuation(results).plan(reader, "test", Optional.empty()))
        .withMessageContaining("repetitions was 2, is 3; start a new execution");

    Files.writeString(scenario, text + "# changed\n");
    assertThatExceptionOfType(UnreadableException.class)
        .isThrownBy(() -> new Continuation(results).plan(reader, "test", Optional.empty()))
        .withMessageContaining("is not as it was");
  }

  /** Two of them with --force removed each other's runs. */
  @Test
  void resumeRefusesWhatAnotherExecutionDoes() throws Exception {
    ResultsDirectory results = run();
    try (Closeable other = MachineLock.ofResults(results.path())) {
      assertThat(other).isNotNull();
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> execution().resume(results, false))
          .withMessageContaining(results.path() + ": another kvrank does its runs");
    }
    execution().resume(results, false);
  }

  @Test
  void resumeRefusesAnotherKvrank() throws Exception {
    ResultsDirectory results = run();
    assertThatExceptionOfType(UnreadableException.class)
        .isThrownBy(() -> new Continuation(results).plan(reader, "9.9", Optional.empty()))
        .withMessageContaining("kvrank was test, is 9.9");
  }

  @Test
  void repetitionsAreAddedToAnExecutionThatHasEnded() throws Exception {
    planOfThree("repetitions: 3");
    script.throughput = ExecutionTest::throughput;
    ResultsDirectory results = run();
    List<String> first = plan.ids();
    assertThat(needed(results)).isEqualTo(0.05, within(1e-9));

    script.executed.clear();
    plan = new Continuation(results).plan(reader, "test", Optional.of(5));
    assertThat(plan.ids()).startsWith(first.toArray(String[]::new));
    execution().resume(results, false);

    assertThat(script.executed).isEqualTo(plan.ids().subList(first.size(), plan.ids().size()));
    assertThat(results.read().runs()).hasSize(5 * first.size() / 3);
    assertThat(results.read().manifest().extended()).containsExactly(3);
    assertThat(needed(results)).as("each look is paid for").isLessThan(0.01);
    plan = new Continuation(results).plan(reader, "test", Optional.empty());
    assertThat(plan.ids()).isEqualTo(results.read().manifest().runs());
    assertThatExceptionOfType(UnreadableException.class)
        .isThrownBy(() -> new Continuation(results).plan(reader, "test", Optional.of(5)))
        .withMessageContaining("has 5 repetitions; give more");
  }

  /** Returns what p may be for two engines to be separated. */
  private static double needed(ResultsDirectory results) throws Exception {
    return Rankings.of(results.read()).stream()
        .filter(each -> each.metric().equals(Metrics.THROUGHPUT))
        .filter(each -> each.group().phase().equals("get") && each.group().operation().isEmpty())
        .findFirst()
        .orElseThrow()
        .verdict("rocksdb", "other")
        .needed();
  }

  @Test
  void resumeRefusesAnotherMachine() throws Exception {
    ResultsDirectory results = run();
    Path environment = results.path().resolve("environment.json");
    Files.writeString(
        environment,
        Files.readString(environment)
            .replaceFirst("\"cpu.cores\" : \"\\d+\"", "\"cpu.cores\" : \"4000\""));

    assertThatExceptionOfType(UnreadableException.class)
        .isThrownBy(() -> execution().resume(results, false))
        .withMessageContaining("cpu.cores was 4000, is");
  }

  @Test
  void resumeRefusesWhereItIsNotKnownWhatItBeganOn() throws Exception {
    ResultsDirectory results = run();
    Path environment = results.path().resolve("environment.json");
    String text = Files.readString(environment);
    List<String> broken =
        List.of(
            "",
            text.substring(0, text.length() / 2),
            "{\"schema\": \"2.0\", \"facts\": {}}",
            "{\"schema\": \"2.0\", \"facts\": null}",
            "{\"schema\": \"2.0\"}");
    for (String each : broken) {
      Files.writeString(environment, each);
      assertResumeRefused(results, environment);
    }
    Files.delete(environment);
    assertResumeRefused(results, environment);
    Files.createDirectory(environment);
    assertResumeRefused(results, environment);

    Files.delete(environment);
    Files.writeString(environment, text.replaceFirst("\"cpu.cores\" : \"\\d+\",", ""));
    assertThatExceptionOfType(UnreadableException.class)
        .isThrownBy(() -> execution().resume(results, false))
        .withMessageContaining("cpu.cores was unknown, is");
  }

  private void assertResumeRefused(ResultsDirectory results, Path file) {
    assertThatExceptionOfType(UnreadableException.class)
        .isThrownBy(() -> new Continuation(results).plan(reader, "test", Optional.empty()))
        .withMessageStartingWith(file.toString());
  }

  private void planOfThree(String repetitions) throws Exception {
    Path file = folder.resolve("three.yaml");
    Files.writeString(
        file,
        """
        question: Which one?
        engines: [redis, {engine: redis, as: other}, rocksdb]
        fsync: off
        phases: [get]
        """
            + repetitions);
    plan = Planner.plan(reader.read(file, List.of(), List.of()));
  }

  /** Redis is far behind from the start; the other two differ by less than their noise at first. */
  private static double throughput(RunSpec run) {
    int repetition = run.key().repetition();
    double noise = 1 + 0.05 * (repetition % 2 == 0 ? 1 : -1) * (repetition > 4 ? 0 : 1);
    return switch (run.engine().label()) {
      case "rocksdb" -> 2_000;
      case "other" -> 1_900 * noise;
      default -> 1_000 + repetition;
    };
  }

  /** One engine of which an option is tuned, on a grid of the powers of two. */
  private void planOfTuned(String repetitions) throws Exception {
    Path file = folder.resolve("tuned.yaml");
    Files.writeString(
        file,
        """
        question: Which value?
        engines: [{engine: redis, tune: {option: hz, from: 1, to: 64Ki, maximise: throughput}}, rocksdb]
        fsync: off
        records: 1000
        phases: [get]
        measure: {warmup: 0s, duration: 1s}
        expect: [redis get throughput > 1k]
        """
            + repetitions);
    plan = Planner.plan(reader.read(file, List.of(), List.of()));
    script.throughput =
        run -> {
          int hz = Integer.parseInt(run.key().options().getOrDefault("hz", "1"));
          return 5_000 - 100 * Math.abs(Math.log(hz) / Math.log(2) - 6.4) + run.key().repetition();
        };
  }

  @Test
  void anOptionIsTunedFromCoarseToFineAndTheBestValuesAreRepeated() throws Exception {
    planOfTuned("repetitions: 3");

    ExecutionResults results = run().read();

    assertThat(executed(0))
        .containsExactlyInAnyOrder(
            "redis.hz-1",
            "redis.hz-16",
            "redis.hz-256",
            "redis.hz-4096",
            "redis.hz-65536",
            "redis.hz-64",
            "redis.hz-1024",
            "redis.hz-32",
            "redis.hz-128");
    assertThat(script.executed).hasSize(9 + 3 * 4);
    assertThat(script.executed.subList(5, 7)).containsExactly("redis.hz-64.r0", "redis.hz-1024.r0");
    assertThat(results.manifest().engines())
        .containsExactly("redis hz=32", "redis hz=64", "redis hz=128", "rocksdb");
    assertThat(results.runs()).as("trials are not ranked").hasSize(12);
    assertThat(results.unreadable()).isEmpty();
    assertThat(results.manifest().expectations())
        .extracting(Expectation::engine)
        .containsExactly("redis hz=32", "redis hz=64", "redis hz=128");
    assertThat(log.events)
        .contains("redis hz: 64 has the best throughput of 9 values; its rows are 64, 128, 32");
    Tuned tuned = results.tuned().get(0);
    assertThat(tuned.rows()).containsExactly("64", "128", "32");
    assertThat(tuned.trials().get(0).measured().orElseThrow()).isEqualTo(4_360, within(1e-6));
  }

  @Test
  void aSearchThatIsInterruptedGoesOnAsIfItHadNotBeen() throws Exception {
    planOfTuned("repetitions: 3");
    run();
    List<String> whole = List.copyOf(script.executed);
    Plan placeholders = plan;
    for (String last : List.of("redis.hz-1.r0", "redis.hz-1024.r0", "redis.hz-64.r1")) {
      script.executed.clear();
      plan = placeholders;
      Execution interrupted = execution();
      log.atStartOf(last, interrupted::abort);
      ResultsDirectory results = interrupted.execute(folder.resolve("results"), "test", false);
      log.atStartOf(last, () -> {});
      assertThat(script.executed).last().isEqualTo(last);
      script.executed.remove(script.executed.size() - 1);

      plan = new Continuation(results).plan(reader, "test", Optional.empty());
      execution().resume(results, false);

      assertThat(script.executed).isEqualTo(whole);
      assertThat(results.read().runs()).hasSize(12);
    }
  }

  @Test
  void aValueThatFailsIsDroppedWithTheReason() throws Exception {
    planOfTuned("repetitions: 3");
    script.outcomes.put("redis.hz-256.r0", FAILED);
    script.outcomes.put("redis.hz-64.r0", FAILED);

    Tuned tuned = run().read().tuned().get(0);

    assertThat(tuned.rows()).containsExactly("32", "16", "8");
    assertThat(tuned.trials())
        .filteredOn(trial -> trial.measured().isEmpty())
        .extracting(Tuned.Trial::value, Tuned.Trial::dropped)
        .containsExactly(
            tuple("256", "failed: in phase get: the server ended"),
            tuple("64", "failed: in phase get: the server ended"));
  }

  @Test
  void aSearchLeavesTheBudgetToTheRepetitions() throws Exception {
    planOfTuned("repetitions: {at-least: 3, at-most: 9, until: separated}\nbudget: 145s");
    script.seconds = 10;

    ExecutionResults results = run().read();

    assertThat(executed(0)).containsExactly("redis.hz-1", "redis.hz-16");
    assertThat(results.tuned().get(0).rows()).containsExactly("16", "1");
    assertThat(results.tuned().get(0).trials())
        .extracting(Tuned.Trial::dropped)
        .startsWith("", "", NO_TIME, NO_TIME, NO_TIME);
  }

  @Test
  void aSearchWithoutTimeSaysThatItsRowsAreNotTheBest() throws Exception {
    planOfTuned("repetitions: {at-least: 3, at-most: 9, until: separated}\nbudget: 10s");
    script.seconds = 10;

    ExecutionResults results = run().read();

    assertThat(results.tuned().get(0).trials())
        .extracting(Tuned.Trial::dropped)
        .containsOnly(NO_TIME);
    assertThat(results.tuned().get(0))
        .hasToString(
            "redis hz: no value is measured, so its rows are the first to be tried and not the"
                + " best");
  }

  private List<String> executed(int repetition) {
    return script.executed.stream()
        .filter(id -> id.endsWith(".r" + repetition))
        .map(id -> id.replaceFirst("\\.r\\d+$", ""))
        .sorted()
        .toList();
  }

  @Test
  void onlyWhatIsNotSettledIsRepeated() throws Exception {
    planOfThree("repetitions: {at-least: 3, at-most: 9, until: separated}");
    script.throughput = ExecutionTest::throughput;

    ExecutionResults results = run().read();

    assertThat(executed(3)).containsExactly("other", "redis", "rocksdb");
    assertThat(executed(4)).containsExactly("other", "rocksdb");
    int last = results.runs().stream().mapToInt(RunRecord::repetition).max().orElseThrow();
    assertThat(last).isLessThan(9);
    assertThat(OpenComparison.of(results)).isEmpty();
    assertThat(OpenComparison.of(results.upTo(3))).isNotEmpty();
    assertThat(log.events)
        .anyMatch(
            said ->
                said.matches(
                    "after repetition 3 of 9: not settled: get at fsync=off: other and rocksdb"
                        + " \\(0.933x, 0.\\d+ to 1.\\d+x\\); once more: rocksdb, other"));
    assertThat(log.events)
        .last()
        .isEqualTo("after repetition " + last + " of 9: every comparison is settled");
    assertThat(results.unreadable()).isEmpty();
  }

  /** The best and its rival are open, too, but nobody asks about them. */
  @Test
  void comparisonsThatTheScenarioNamesAreSettledInsteadOfThoseWithTheBest() throws Exception {
    planOfThree(
        "repetitions: {at-least: 3, at-most: 9, until: separated, compare: [[redis, other]]}");
    script.throughput = run -> throughput(run) * (run.engine().label().equals("redis") ? 1.85 : 1);

    ResultsDirectory directory = run();
    ExecutionResults results = directory.read();

    assertThat(executed(4)).containsExactly("other", "redis");
    assertThat(OpenComparison.of(results.upTo(3)))
        .extracting(OpenComparison::engine, OpenComparison::other)
        .containsExactly(tuple("redis", "other"));
    assertThat(new Continuation(directory).plan(reader, "test", Optional.empty()).scenario())
        .extracting(each -> each.repetitions().compare())
        .isEqualTo(List.of(List.of("redis", "other")));
    assertThat(new Report(RankingIndex.of(results)).brief().toString())
        .contains("get at fsync=off, as asked: other and redis are equal within 10 %, 1.02x, ");
    assertThat(new Report(RankingIndex.of(results.upTo(2))).brief().toString())
        .contains("as asked: other and redis have too few repetitions, 1.0");
  }

  @Test
  void theAnswerSaysWhatNamedComparisonsCameTo() throws Exception {
    planOfThree(
        "repetitions: {at-least: 3, at-most: 9, until: separated, compare: [redis, [other, rocksdb]]}");
    script.throughput = ExecutionTest::throughput;

    ExecutionResults results = run().read().upTo(4);

    assertThat(new Report(RankingIndex.of(results)).brief().toString())
        .contains(
            "as asked: rocksdb is faster than redis, 2.0x, ",
            "; other is faster than redis, 1.9x, ",
            "; rocksdb and other are not separated, 1.05x, ");
  }

  /** It said that every comparison was settled. */
  @Test
  void aComparisonOfWhichAnEngineIsMissingIsNotCalledSettled() throws Exception {
    planOfThree(
        "repetitions: {at-least: 3, at-most: 4, until: separated, compare: [[redis, other]]}");
    script.throughput = ExecutionTest::throughput;
    plan =
        Planner.plan(
            reader.read(folder.resolve("three.yaml"), List.of(), List.of("redis", "rocksdb")));

    run();

    assertThat(log.events)
        .last()
        .asString()
        .isEqualTo(
            "after repetition 3 of 4: there is nothing to compare; not compared for want of values:"
                + " redis and other");
  }

  @Test
  void anEngineMayBeWhatTheOthersAreComparedWith() throws Exception {
    planOfThree("repetitions: {at-least: 3, at-most: 4, until: separated, compare: [other, best]}");
    script.throughput = run -> throughput(run) * (run.engine().label().equals("redis") ? 1.85 : 1);

    ExecutionResults results = run().read();

    assertThat(OpenComparison.of(results.upTo(3)))
        .extracting(OpenComparison::engine, OpenComparison::other)
        .contains(tuple("redis", "other"), tuple("rocksdb", "other"));
  }

  @Test
  void enginesThatAreNearEnoughNeedNotBeSeparated() throws Exception {
    planOfThree("repetitions: {at-least: 3, at-most: 9, until: {ratio: 1.5}}");
    script.throughput = ExecutionTest::throughput;

    ExecutionResults results = run().read();

    assertThat(script.executed).hasSize(9);
    assertThat(OpenComparison.of(results.upTo(3))).isEmpty();
  }

  @Test
  void anExecutionThatIsInterruptedGoesOnAsIfItHadNotBeen() throws Exception {
    planOfThree("repetitions: {at-least: 3, at-most: 9, until: separated}");
    script.throughput = ExecutionTest::throughput;
    run();
    List<String> whole = List.copyOf(script.executed);
    script.executed.clear();

    Execution interrupted = execution();
    log.atStartOf("rocksdb.r4", interrupted::abort);
    ResultsDirectory results = interrupted.execute(folder.resolve("results"), "test", false);
    log.starts.clear();
    assertThat(script.executed).isNotEqualTo(whole);
    plan = new Continuation(results).plan(reader, "test", Optional.empty());
    execution().resume(results, false);

    assertThat(script.executed.stream().distinct().toList()).isEqualTo(whole);
  }

  @Test
  void repetitionsEndWithTheirBudget() throws Exception {
    planOfThree("repetitions: {at-least: 3, at-most: 9, until: {interval: 0.1%}}\nbudget: 100s");
    script.throughput = ExecutionTest::throughput;
    script.seconds = 7; // 9 runs take 63 s, and 5 more are all that fit

    ResultsDirectory results = run();

    assertThat(script.executed).hasSizeBetween(10, 14);
    assertThat(results.read().manifest().adaptive().orElseThrow().ended()).contains(5);
    assertThat(needed(results)).as("the last look spends what is left").isGreaterThan(0.02);
    assertThat(log.events)
        .last()
        .asString()
        .contains(" of 9, and no more fit into the budget: not settled: get at fsync=off");

    script.executed.clear();
    plan = new Continuation(results).plan(reader, "test", Optional.empty());
    execution().resume(results, false);
    assertThat(script.executed).isEmpty();

    plan = new Continuation(results).plan(reader, "test", Optional.of(10));
    execution().resume(results, false);
    assertThat(executed(5)).as("who adds some has the time").isNotEmpty();
    assertThat(needed(results)).isLessThan(0.01);
  }

  /** Two engines as good as each other, of which each is now three times as fast, now the other. */
  private static double wild(RunSpec run) {
    double noise = run.key().repetition() % 2 == 0 ? 1.7 : 0.6;
    return switch (run.engine().label()) {
      case "rocksdb" -> 2_000 * noise;
      case "other" -> 2_000 / noise;
      default -> 1;
    };
  }

  @Test
  void whatIsOutOfReachIsSetAsideUntilSomebodyAsksForMore() throws Exception {
    planOfThree("repetitions: {at-least: 3, at-most: 20, until: separated}\nbudget: 30m");
    script.throughput = ExecutionTest::wild;
    script.seconds = 7;

    ResultsDirectory results = run();

    int last = results.read().repetitions();
    assertThat(last).isBetween(5, 12);
    assertThat(log.events)
        .last()
        .asString()
        .startsWith("after repetition " + last + " of 20: not settled: get at fsync=off: ")
        .containsPattern("set aside: at this noise about \\d{2,3} repetitions would settle it\\)$");
    assertThat(OpenComparison.of(results.read())).hasSize(1);

    script.executed.clear();
    plan = new Continuation(results).plan(reader, "test", Optional.empty());
    execution().resume(results, false);
    assertThat(script.executed).as("the same looks").isEmpty();

    plan = new Continuation(results).plan(reader, "test", Optional.of(60));
    execution().resume(results, false);
    assertThat(script.executed).as("what is over stays as it is").isNotEmpty();
    assertThat(script.executed)
        .allMatch(id -> Integer.parseInt(id.replaceFirst(".*\\.r", "")) > last);
    assertThat(results.read().manifest().adaptive().orElseThrow().stopped()).containsExactly(last);
  }

  @Test
  void whatDoesNotFitIntoTheBudgetIsOutOfReach() throws Exception {
    planOfThree("repetitions: {at-least: 3, at-most: 20, until: separated}\nbudget: 150s");
    script.throughput = ExecutionTest::wild;
    script.seconds = 10;

    ExecutionResults results = run().read();

    assertThat(script.executed).as("of 15 for which there is time").hasSizeLessThan(15);
    assertThat(results.manifest().adaptive().orElseThrow().ended()).isEmpty();
    assertThat(OpenComparison.of(results))
        .singleElement()
        .asString()
        .contains("set aside: at this noise about ");
  }

  /** Nothing was repeated where there was no time for all. */
  @Test
  void whereTimeIsShortTheComparisonsThatAreNamedFirstGoOn() throws Exception {
    planOfThree(
        "repetitions: {at-least: 3, at-most: 9, until: separated, compare: [[redis, other], best]}\n"
            + "budget: 115s");
    List<String> engines = List.of("rocksdb", "other", "redis");
    script.throughput =
        run -> {
          int engine = engines.indexOf(run.engine().label());
          double noise = 0.017 * ((engine + run.key().repetition()) % 3 - 1);
          return 2_000 * Math.pow(0.95, engine) * (1 + noise);
        };
    script.seconds = 10;

    run();

    assertThat(executed(4)).as("%s", log.events).containsExactly("other", "redis");
    assertThat(log.events)
        .anyMatch(said -> said.contains("25 s of the budget left, not enough for all: "));
    assertThat(log.events).last().asString().contains("and no more fit into the budget");
  }

  @Test
  void anEngineThatFailsTwiceInARowIsNotRepeated() throws Exception {
    planOfThree("repetitions: {at-least: 3, at-most: 9, until: separated}");
    script.throughput = ExecutionTest::throughput;
    for (int repetition = 3; repetition <= 9; repetition++) {
      script.outcomes.put("other.r" + repetition, FAILED);
    }

    run();

    assertThat(executed(4)).containsExactly("other", "rocksdb");
    assertThat(executed(5)).isEmpty();
    assertThat(log.events)
        .last()
        .asString()
        .contains("other and rocksdb (")
        .contains("failed twice in a row)");
  }

  @Test
  void afterTheMostRepetitionsThereAreNoMore() throws Exception {
    planOfThree("repetitions: {at-least: 3, at-most: 4, until: {interval: 0.1%}}");
    script.throughput = ExecutionTest::throughput;

    run();

    assertThat(executed(4)).contains("other");
    assertThat(executed(5)).isEmpty();
  }

  private static QuietLook busy(double others) {
    return new QuietLook(new BackgroundLoad.Shares(others, 0), Optional.of("make (pid 17)"));
  }

  private List<String> said(String part) {
    return log.events.stream().filter(each -> each.contains(part)).toList();
  }

  @Test
  void waitsUntilOthersAreQuietBeforeARunAndDisturbedRunsAreDoneAgain() throws Exception {
    planOfThree("repetitions: 3");
    script.throughput = ExecutionTest::throughput;
    script.others =
        run ->
            run.equals("other.r2") && Collections.frequency(script.executed, run) == 1 ? 0.6 : 0.05;
    script.seconds = 4;

    ResultsDirectory results = run();

    int first = script.executed.indexOf("other.r2");
    assertThat(script.executed.subList(first, first + 2)).containsOnly("other.r2");
    assertThat(script.executed).hasSize(10);
    assertThat(said("others used"))
        .containsExactly("other.r2: others used 60 % of the machine in get; once more");
    RunRecord again = results.run("other.r2").read();
    assertThat(again.facts())
        .containsEntry("others.lostSeconds", "4.0")
        .containsEntry("others.disturbed.1", "others used 60 % of the machine in get");
    assertThat(results.run("other.r2").disturbed(1).read().phases().get(0).facts())
        .containsEntry("others.cpuShare", "0.6");
    assertThat(results.read().runs()).as("what was disturbed is not ranked").hasSize(9);
  }

  @Test
  void waitsAsLongAsPatienceLasts() throws Exception {
    planOfThree("repetitions: 3\npatience: 3s");
    script.throughput = ExecutionTest::throughput;
    script.others = run -> 0.6;
    script.seconds = 1;
    looks.addAll(Collections.nCopies(2, busy(0.4)));
    looks.add(busy(0.05));
    looks.addAll(Collections.nCopies(99, busy(0.5)));

    run();

    // A second less where this machine was quiet, so that the first run began at once.
    assertThat(said("others use ").get(0))
        .matches(
            "others use 40 % of the machine, most of it make \\(pid 17\\); waiting for less than"
                + " 10 %, up to [23] s \\(--no-wait does not\\)");
    assertThat(log.events)
        .contains("quiet after 1 s", "not quiet after 1 s; measuring all the same");
    assertThat(script.executed).as("one run more, and then there was no time").hasSize(10);
    assertThat(looks).as("what is left of 4 of them").hasSize(97);
  }

  @Test
  void nobodyWaitsWithoutPatience() throws Exception {
    planOfThree("repetitions: 3\npatience: 0s");
    script.throughput = ExecutionTest::throughput;
    script.others = run -> 0.6;
    looks.add(busy(0.5));

    run();

    assertThat(script.executed).hasSize(9);
    assertThat(looks).hasSize(1);
  }

  @Test
  void waitingIsWithinTheBudget() throws Exception {
    planOfThree("repetitions: {at-least: 3, at-most: 9, until: {interval: 0.1%}}\nbudget: 103s");
    script.throughput = ExecutionTest::throughput;
    script.seconds = 7; // 9 runs take 63 s, and a quarter of the rest may be lost
    script.others = run -> 0.6;
    looks.addAll(Collections.nCopies(99, busy(0.5)));

    ResultsDirectory results = run();

    assertThat(script.executed).hasSizeBetween(12, 14);
    double lost = results.read().runs().stream().mapToDouble(RunRecord::lostSeconds).sum();
    assertThat(lost).isBetween(7.0, 10.0);
  }

  @Test
  void whatIsDoneAgainDoesNotDependOnWhatWasMeasured() throws Exception {
    List<List<String>> orders = new ArrayList<>();
    for (double speed : List.of(1.0, 0.1, 10.0)) {
      planOfThree("repetitions: 3");
      script.executed.clear();
      script.throughput = run -> speed * run.key().repetition() * 100;
      script.others = run -> run.hashCode() % 3 == 0 ? 0.5 : 0.05;
      run();
      orders.add(List.copyOf(script.executed));
    }
    assertThat(orders.get(0))
        .hasSizeGreaterThan(9)
        .isEqualTo(orders.get(1))
        .isEqualTo(orders.get(2));
  }

  @Test
  void aFailureStaysHoweverBusyTheMachineIs() throws Exception {
    planOfThree("repetitions: 3");
    script.throughput = ExecutionTest::throughput;
    script.others = run -> run.equals("other.r2") ? 0.6 : 0.05;
    script.outcomes.put("other.r2", FAILED);

    ExecutionResults results = run().read();

    assertThat(script.executed).hasSize(9);
    assertThat(outcomes(results, "other")).containsExactly(COMPLETED, FAILED, COMPLETED);
  }

  @Test
  void aRunInWhichEverythingStoodStillIsDoneAgain() throws Exception {
    planOfThree("repetitions: 3");
    script.throughput = ExecutionTest::throughput;
    script.outcomes.put(
        "other.r2", new Outcome.Failed("get", Reason.STOOD_STILL + " for 6.0 s of 8.0 s"));
    script.seconds = 4;
    script.meanwhile =
        () -> {
          if (Collections.frequency(script.executed, "other.r2") == 2) {
            script.outcomes.remove("other.r2");
          }
        };

    ExecutionResults results = run().read();

    assertThat(Collections.frequency(script.executed, "other.r2")).isEqualTo(2);
    assertThat(outcomes(results, "other")).containsOnly(COMPLETED);
    assertThat(said("once more"))
        .containsExactly(
            "other.r2: in phase get: kvrank's worker stood still for 6.0 s of 8.0 s; once more");
  }

  @Test
  void anExecutionThatIsResumedKnowsWhatWasDisturbed() throws Exception {
    planOfThree("repetitions: 3");
    script.throughput = ExecutionTest::throughput;
    script.others = run -> run.equals("other.r2") ? 0.6 : 0.05;
    script.seconds = 4;
    run();
    List<String> whole = List.copyOf(script.executed);
    assertThat(whole).hasSize(11);
    script.executed.clear();

    Execution interrupted = execution();
    script.meanwhile =
        () -> {
          if (executed(2).stream().filter("other"::equals).count() == 2) {
            interrupted.abort();
          }
        };
    ResultsDirectory results = interrupted.execute(folder.resolve("results"), "test", false);
    assertThat(results.run("other.r2").complete()).isFalse();
    assertThat(results.run("other.r2").disturbed(1).complete()).isTrue();
    script.executed.remove(script.executed.size() - 1);
    script.meanwhile = () -> {};
    plan = new Continuation(results).plan(reader, "test", Optional.empty());
    execution().resume(results, false);

    assertThat(script.executed).isEqualTo(whole);
    assertThat(results.run("other.r2").read().facts())
        .containsKeys("others.disturbed.1", "others.disturbed.2")
        .containsEntry("others.lostSeconds", "8.0");
  }

  private MachineLock lock() {
    return new MachineLock(folder.resolve("lock"), then);
  }

  private Execution execution() {
    Instruments instruments =
        new Instruments(
            shelf,
            CpuSets.none("a test"),
            script,
            new HarnessBaselines(script, Optional.empty()),
            () -> looks.isEmpty() ? Optional.empty() : Optional.of(looks.remove(0)),
            Clock.systemUTC());
    return new Execution(plan, instruments, lock(), log);
  }

  private ResultsDirectory run() throws Exception {
    return execution().execute(folder.resolve("results"), "test", false);
  }

  private static List<Outcome> outcomes(ExecutionResults results, String engine) {
    return results.runs().stream()
        .filter(run -> run.engine().equals(engine))
        .map(RunRecord::outcome)
        .toList();
  }

  /** Gives each run the outcome that a test wrote down, or asks where to get its engine. */
  private final class Script implements RunExecutor {

    private final Map<String, Outcome> outcomes = new TreeMap<>();
    private final List<String> executed = new ArrayList<>();
    private Runnable meanwhile = () -> {};
    private ToDoubleFunction<RunSpec> throughput;
    private ToDoubleFunction<String> others = run -> 0;
    private int seconds;
    private boolean aborted;

    @Override
    public RunRecord execute(Task task) throws InterruptedException {
      RunSpec run = task.run();
      executed.add(run.id());
      meanwhile.run();
      if (!shelf.prepare(run.engine()).get(0).available()
          || shelf.servers.containsKey(run.engine().label())) {
        Workers none =
            new Workers(folder, CpuSets.none("a test"), Optional.empty(), ListenAddress.LOOPBACK);
        return new ProcessRunExecutor(shelf, none, Optional.empty(), false, Clock.systemUTC())
            .execute(task);
      }
      Outcome outcome = outcomes.getOrDefault(run.id(), COMPLETED);
      return throughput == null
          ? new RunRecorder(run, Instant.now()).end(outcome)
          : new RunRecord(
              run.key(),
              outcome,
              "",
              new TreeMap<>(),
              Runs.run("", run.key().factors(), 1, throughput.applyAsDouble(run)).phases().stream()
                  .map(phase -> phase.with(others(run)))
                  .toList(),
              Runs.THEN,
              Runs.THEN.plusSeconds(seconds),
              Optional.empty());
    }

    private SortedMap<String, String> others(RunSpec run) {
      return new TreeMap<>(
          Map.of("others.cpuShare", Double.toString(others.applyAsDouble(run.id()))));
    }

    @Override
    public void abort() {
      aborted = true;
    }
  }

  /** Has every engine, but for those that a test says otherwise of; starts none. */
  private static final class Shelf implements Provisioner {

    private final Map<String, MethodStatus> methods = new TreeMap<>();
    private final Map<String, Function<Path, ServerSpec>> servers = new TreeMap<>();
    private boolean closed;

    @Override
    public List<MethodStatus> survey(EngineSpec engine) {
      return List.of(methods.getOrDefault(engine.label(), HERE));
    }

    @Override
    public List<MethodStatus> prepare(EngineSpec engine) {
      return survey(engine);
    }

    @Override
    public Optional<String> absence(EngineSpec engine) {
      return Optional.empty();
    }

    @Override
    public Optional<ServerSpec> choose(EngineSpec engine, Fsync fsync, Path data, Path log) {
      return Optional.ofNullable(servers.get(engine.label())).map(server -> server.apply(data));
    }

    @Override
    public Server start(ServerSpec spec) {
      throw new AssertionError("nothing is started");
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  /** What was told, a line each. */
  private static final class Log implements ExecutionListener {

    private final List<String> events = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private final Map<String, Runnable> starts = new TreeMap<>();
    private Runnable atWarning = () -> {};
    private Runnable atInterrupt =
        () -> {
          throw new AssertionError("for the shutdown hook");
        };

    @Override
    public void warned(String warning) {
      warnings.add(warning);
      atWarning.run();
    }

    void atStartOf(String run, Runnable action) {
      starts.put(run, action);
    }

    @Override
    public void surveyed(EngineSpec engine, List<MethodStatus> methods) {
      events.add(engine.label() + ": " + methods.get(0).detail());
    }

    @Override
    public void began(List<RunSpec> runs, Set<String> missing) {
      events.add("missing: " + missing);
    }

    @Override
    public void found(String fact) {
      events.add(fact);
    }

    @Override
    public void looked(String known, List<RunSpec> next) {
      events.add(known);
    }

    @Override
    public void interrupted(ResultsDirectory results) {
      atInterrupt.run();
    }

    @Override
    public void started(RunSpec run, int index, int total) {
      starts.getOrDefault(run.id(), () -> {}).run();
    }

    @Override
    public void finished(RunSpec run, RunRecord record) {
      events.add(run.id() + " " + record.outcome().label());
    }

    @Override
    public void skipped(RunSpec run, int index, int total) {
      events.add(run.id() + " was done");
    }
  }

  /** A kvrank of its own that is ended in its first run; the argument is a folder. */
  static final class Ending {

    private Ending() {}

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws Exception {
      ExecutionTest test = new ExecutionTest();
      test.folder = Files.createDirectories(Path.of(arguments[0]));
      test.fourRunsOfTwoEngines();
      test.script.meanwhile = Ending::end;
      Thread main = Thread.currentThread();
      test.log.atInterrupt =
          () -> {
            System.out.println("interrupted");
            while (main.getState() != State.WAITING && main.getState() != State.TERMINATED) {
              Thread.onSpinWait();
            }
          };
      test.run();
      System.out.println("went on");
    }

    private static void end() {
      new Thread(() -> Runtime.getRuntime().exit(143)).start();
      try {
        while (true) {
          Thread none = new Thread();
          Runtime.getRuntime().addShutdownHook(none);
          Runtime.getRuntime().removeShutdownHook(none);
        }
      } catch (IllegalStateException e) {
        // It ends.
      }
    }
  }
}

package kvrank.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.AbstractMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.failure.Cause;
import kvrank.metric.Latency;
import kvrank.metric.Metrics;
import kvrank.metric.Usage;
import kvrank.plan.RunKey;
import kvrank.results.CrashTrialResult.Crash;
import kvrank.results.CrashTrialResult.Load;
import kvrank.results.CrashTrialResult.LostWrites;
import kvrank.results.CrashTrialResult.PowerCut;
import kvrank.stats.Runs;
import kvrank.table.TableRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsDirectoryTest {

  private static final Instant NOW = Instant.parse("2026-02-03T04:05:06Z");

  @TempDir private Path parent;

  @Test
  void readsBackEveryOutcomeAndEveryNumber() throws Exception {
    ResultsDirectory directory = begin("a.r1", "b.r1", "c.r1", "d.r1", "e.r1", "f.r1", "g.r1");
    List<RunRecord> records =
        List.of(
            record("a.r1", new Outcome.Completed()),
            record(
                "b.r1", new Outcome.Failed("get", Cause.ENGINE, "server \"redis\" was \\ killed")),
            record("c.r1", new Outcome.TimedOut("get", Cause.OUTSIDER, "stuck")),
            record("d.r1", new Outcome.Incorrect("load", "short")),
            record("e.r1", new Outcome.Unavailable("no docker")),
            record("f.r1", new Outcome.Unsupported("no fsync")),
            record("g.r1", new Outcome.Undetermined("142 requests")));
    for (RunRecord record : records) {
      Files.createDirectories(directory.run(record.id()).path());
      directory.run(record.id()).write(record);
    }

    ExecutionResults results = directory.read();

    assertThat(results.runs()).isEqualTo(records);
    assertThat(results.unreadable()).isEmpty();
    assertThat(results.manifest())
        .isEqualTo(manifest("a.r1", "b.r1", "c.r1", "d.r1", "e.r1", "f.r1", "g.r1"));
    assertThat(results.environment().asMap()).containsEntry("os", "Linux");
  }

  @Test
  void aReportThatFailsLeavesTheOneBefore() throws Exception {
    Path report = parent.resolve("report");
    ResultsDirectory.writeTexts(report, Map.of("a.md", "before", "charts/a.svg", "before"));
    String tooLong = "x".repeat(300);

    assertThatThrownBy(
            () ->
                ResultsDirectory.writeTexts(
                    report, Map.of("a.md", "after", "charts/a.svg", "after", tooLong, "after")))
        .isInstanceOf(IOException.class);

    try (Stream<Path> files = Files.walk(report)) {
      assertThat(files.filter(Files::isRegularFile))
          .hasSize(2)
          .allSatisfy(file -> assertThat(file).hasContent("before"));
    }
    ResultsDirectory.writeTexts(report, Map.of("a.md", "after"));
    assertThat(report).isDirectoryNotContaining("glob:**/.report-*");
    assertThat(report.resolve("a.md")).hasContent("after");
  }

  @Test
  void aRemovalThatFailsDoesNotHideWhyAReportDid() throws Exception {
    Path report = Files.createDirectory(parent.resolve("report"));
    Files.createSymbolicLink(report.resolve("a.md"), parent.resolve("elsewhere"));
    Map<String, byte[]> files =
        new AbstractMap<>() {
          @Override
          public Set<Map.Entry<String, byte[]>> entrySet() {
            // Another process removes the temporary folder.
            try (DirectoryStream<Path> temporary = Files.newDirectoryStream(report, ".report-*")) {
              for (Path each : temporary) {
                Files.delete(each);
              }
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
            return Map.of("a.md", new byte[0]).entrySet();
          }
        };

    assertThatThrownBy(() -> ResultsDirectory.writeReport(report, files))
        .hasMessageContaining("a.md' leads elsewhere; remove the link")
        .satisfies(thrown -> assertThat(thrown.getSuppressed()).hasSize(1));
  }

  @Test
  void nothingIsWrittenWhereAnotherUserCouldReplaceIt() throws Exception {
    Path open = Files.createDirectory(parent.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path below = Files.createDirectory(open.resolve("below"));
    String reason = "'%s' is writable for all users".formatted(open);

    assertThatThrownBy(() -> ResultsDirectory.create(below, NOW)).hasMessageContaining(reason);
    assertThatThrownBy(() -> ResultsDirectory.writeTexts(below, Map.of("a.md", "")))
        .hasMessageContaining(reason);

    assertThat(below).isEmptyDirectory();
  }

  @Test
  void aLinkOrAPipeThatWaitsForAPlanIsReplaced() throws Exception {
    ResultsDirectory directory = begin("a.r1");
    Path temporary = directory.path().resolve("plan.json.tmp");
    Path outside = Files.writeString(parent.resolve("outside"), "stays");
    Files.createSymbolicLink(temporary, outside);
    directory.plan("{}");
    assertThat(outside).hasContent("stays");
    assertThat(new ProcessBuilder("mkfifo", temporary.toString()).start().waitFor()).isZero();
    directory.plan("{}");
    assertThat(directory.path().resolve("plan.json")).isRegularFile().hasContent("{}");
  }

  @Test
  void runsBehindALinkAreNotContinued() throws Exception {
    ResultsDirectory directory = begin("a.r1");
    Path moved = Files.move(directory.path().resolve("runs"), parent.resolve("moved"));
    Files.createSymbolicLink(directory.path().resolve("runs"), moved);

    assertThatThrownBy(directory::requireNoneNewer)
        .isInstanceOf(UnreadableException.class)
        .hasMessageContaining("runs: is a link, which is not followed");
  }

  @Test
  void aNullFactIsNamedAndHidesNothingElse() throws Exception {
    ResultsDirectory directory = begin("a.r1");
    Path environment = directory.path().resolve("environment.json");
    rewrite(environment, "{\"schema\": \"2.0\", \"facts\": {\"x\": null}}");

    assertThat(directory.read().unreadable())
        .anySatisfy(problem -> assertThat(problem).startsWith(environment + ":1: facts.x: broken"));
  }

  @Test
  void readsRecordsFromBeforeDurabilityChecks() throws Exception {
    ResultsDirectory directory = begin("old.r1");
    Files.createDirectories(directory.run("old.r1").path());
    directory.run("old.r1").write(record("old.r1", new Outcome.Completed()));
    Path file = directory.run("old.r1").record();
    String text = Files.readString(file, StandardCharsets.UTF_8);
    String old =
        text.replaceFirst("(?s)\"durability\" : \\{.*?\\},", "")
            .replaceFirst("\"schema\" : \"2\\.\\d+\"", "\"schema\" : \"1.0\"");
    assertThat(old).isNotEqualTo(text).doesNotContain("durability");
    rewrite(file, old);

    RunRecord read = directory.read().runs().get(0);

    assertThat(read.phases().get(0).durability()).isEmpty();
    assertThat(read.phases().get(0).facts().asMap()).containsEntry("records", "100");
  }

  /** Once an engine's facts had no prefix, except for those in a phase. */
  @Test
  void readsFactsOfAnEngineThatHaveNoPrefix() throws Exception {
    ResultsDirectory directory = begin("old.r1");
    SortedMap<String, String> old = new TreeMap<>();
    old.put("engine.asked", "redis io-threads=2");
    old.put("version", "7.0.15");
    old.put("rocksdb.compression", "no");
    old.put("setting.save", "");
    old.put("member.1.address", "10.0.0.5:6379");
    old.put("member.1.version", "7.0.15");
    old.put("worker.jvm", "-Xmx2g");
    RunRecord record = record("old.r1", new Outcome.Completed());
    directory.run("old.r1").write(record.with(Facts.of(old)));

    RunRecord read = directory.run("old.r1").read();

    assertThat(read.facts())
        .isEqualTo(
            new Facts()
                .put(Fact.ASKED, "redis io-threads=2")
                .put(Fact.ENGINE_VERSION, "7.0.15")
                .put(Fact.ENGINE, "rocksdb.compression", "no")
                .put(Fact.SETTING, "save", "")
                .put(Fact.MEMBER_ADDRESS, 1, "10.0.0.5:6379")
                .put(Fact.ENGINE, "member.1.version", "7.0.15")
                .put(Fact.WORKER_JVM, "-Xmx2g"));
    assertThat(read.phases()).isEqualTo(record.phases());
    Facts engines = new Facts().put(Fact.ASKED, "redis").put(Fact.ENGINE, "asked", "a question");
    directory.run("old.r1").write(record.with(engines));
    assertThat(directory.run("old.r1").read().facts()).isEqualTo(engines);
  }

  @Test
  void namesBrokenNewerAndMissingRecordsAndReadsTheOthers() throws Exception {
    ResultsDirectory directory =
        begin("ok.r1", "truncated.r1", "newer.r1", "missing.r1", "empty.r1");
    RunRecord ok = record("ok.r1", new Outcome.Completed());
    for (String id : List.of("ok.r1", "truncated.r1", "newer.r1", "empty.r1")) {
      Files.createDirectories(directory.run(id).path());
      directory.run(id).write(record(id, new Outcome.Completed()));
    }
    String text = Files.readString(directory.run("ok.r1").record(), StandardCharsets.UTF_8);
    rewrite(directory.run("truncated.r1").record(), text.substring(0, text.length() / 2));
    rewrite(
        directory.run("newer.r1").record(),
        text.replaceFirst("\"schema\" : \"2\\.\\d+\"", "\"schema\" : \"3.0\""));
    rewrite(directory.run("empty.r1").record(), "");

    ExecutionResults results = directory.read();

    assertThat(results.runs()).containsExactly(ok);
    assertThat(results.unreadable())
        .satisfiesExactly(
            truncated ->
                assertThat(truncated)
                    .contains("truncated.r1", "record.json", "broken or truncated"),
            newer -> assertThat(newer).contains("newer.r1", "schema 3.0 is newer"),
            empty -> assertThat(empty).contains("empty.r1", "record.json"),
            missing ->
                assertThat(missing)
                    .contains("no record of 1 of 5 runs (missing.r1)", "run --resume"));
  }

  @Test
  void valuesThatKvrankNeverWritesAreRefusedWithLineAndKey() throws Exception {
    ResultsDirectory directory = begin("a.r1");
    directory.run("a.r1").write(record("a.r1", new Outcome.Completed()));
    Path record = directory.run("a.r1").record();
    String operation = "phases[0].operations.read.";
    assertRefused(
        record,
        RunRecord.class,
        "ok",
        "-5",
        operation + "ok: '-5' is too small; it must be at least 0");
    assertRefused(
        record,
        RunRecord.class,
        "throughput",
        "-5.0",
        operation + "throughput: '-5.0' is too small");
    assertRefused(
        record,
        RunRecord.class,
        "throughput",
        "1e999",
        operation + "throughput: '1e999' is not a finite");
    assertRefused(
        record,
        RunRecord.class,
        "throughput",
        "\"NaN\"",
        operation + "throughput: 'NaN' is not a finite");
    assertRefused(
        record,
        RunRecord.class,
        "throughput",
        "NaN",
        operation + "throughput: broken or truncated: ");
    assertRefused(
        record,
        RunRecord.class,
        "throughput",
        "\"5\"",
        operation + "throughput: broken or truncated: ");
    assertRefused(
        record,
        RunRecord.class,
        "ok",
        "99999999999999999999",
        operation + "ok: '99999999999999999999' is");
    assertRefused(record, RunRecord.class, "ok", "1.5", operation + "ok: broken or truncated: ");
    assertRefused(record, RunRecord.class, "seed", "1.5", "seed: '1.5' is not a whole number");
    assertRefused(
        record,
        RunRecord.class,
        "flushesPerWrite",
        "\"Infinity\"",
        "phases[0].durability.flushesPerWrite");
    assertRefused(
        record,
        RunRecord.class,
        "ok",
        "1, \"ok\" : 2",
        operation + "ok: broken or truncated: Duplicate");
    assertRefused(
        record, RunRecord.class, "ok", "1, \"pasword\" : geheim", operation + "pasword: broken");

    Path plan = directory.path().resolve("plan.json");
    assertRefused(plan, Manifest.class, "repetitions", "-1", "repetitions: '-1' is too small");
    assertRefused(plan, Manifest.class, "seed", "1.5", "seed: '1.5' is not a whole number");
    assertRefused(
        plan, Manifest.class, "seed", "5, \"seed\" : 6", "seed: broken or truncated: Duplicate");
  }

  @Test
  void aNegativeSeedOfTheOrderIsRead() throws Exception {
    Path plan = begin("ok.r1").path().resolve("plan.json");
    rewrite(
        plan, Files.readString(plan).replace("\"seed\" : 42", "\"seed\" : 42, \"orderSeed\" : -7"));

    assertThat(Json.read(plan, Manifest.class).orderSeed()).hasValue(-7L);
  }

  @Test
  void aSearchWhoseValuesAreNoNumbersIsRefused() throws Exception {
    ResultsDirectory directory = begin("ok.r1");
    directory.tuned(
        List.of(
            new Tuned(
                "redis",
                "hz",
                Metrics.THROUGHPUT,
                List.of(new Tuned.Trial("x", Optional.of(5.0), "")),
                List.of("8"))));

    assertThatThrownBy(directory::read)
        .isInstanceOf(UnreadableException.class)
        .hasMessageContaining("tunings: 'x' is not a whole number");
  }

  /** No run of the execution could be resumed. */
  @Test
  void aDamagedRecordOfAnEarlierAttemptDoesNotCount() throws Exception {
    RunDirectory run = begin("ok.r1").run("ok.r1");
    for (int attempt = 1; attempt <= 2; attempt++) {
      Files.createDirectories(run.path());
      run.write(record("ok.r1", new Outcome.Completed()));
      run.setAside();
    }
    rewrite(run.disturbed(2).record(), "{");

    assertThat(run.attempts()).isEqualTo(2);
    assertThat(run.earlier()).hasSize(1);
    assertThat(run.earlierCrashes()).isEmpty();
  }

  private static void assertRefused(
      Path file, Class<?> type, String key, String value, String answer) throws IOException {
    String text = Files.readString(file);
    String wrong = text.replaceFirst("\"" + key + "\" : [^,\\n]+", "\"" + key + "\" : " + value);
    rewrite(file, wrong);
    int line = (int) wrong.substring(0, wrong.indexOf("\"" + key)).lines().count();
    assertThatThrownBy(() -> Json.read(file, type))
        .isInstanceOf(UnreadableException.class)
        .hasMessageStartingWith("%s:%d: %s", file, line, answer)
        .hasMessageNotContaining("geheim");
    rewrite(file, text);
  }

  @Test
  void aMissingValueIsNamedWithoutTheAdviceOfTheParser() throws Exception {
    ResultsDirectory directory = begin("a.r1");
    directory.run("a.r1").write(record("a.r1", new Outcome.Completed()));
    Path record = directory.run("a.r1").record();
    String text = Files.readString(record);
    rewrite(record, text.replaceFirst("\"workload\" : [^,\n]+", "\"workload\" : null"));
    assertThatThrownBy(() -> Json.read(record, RunRecord.class))
        .isInstanceOf(UnreadableException.class)
        .hasMessageEndingWith(": phases[0].workload: broken or truncated: 'workload' is missing");
  }

  /** In a terminal or a log of CI, others would look like messages of kvrank, or commands. */
  @Test
  void textsOfResultsHaveOneLine() throws Exception {
    ResultsDirectory directory = begin("ok.r1");
    Files.createDirectories(directory.run("ok.r1").path());
    directory.run("ok.r1").write(record("ok.r1", new Outcome.Completed()));
    Path file = directory.run("ok.r1").record();
    String text = Files.readString(file);

    rewrite(file, text.replace("\"engine\" : \"", "\"engine\" : \"a\\n::error::forged\\n"));
    assertThat(directory.run("ok.r1").read().engine()).startsWith("a ::error::forged ");

    rewrite(
        file, text.replaceFirst("\"seed\" : [^,]+", "\"seed\" : \"x\\\\n::error::forged\\\\n\""));
    assertThatThrownBy(() -> directory.run("ok.r1").read())
        .isInstanceOf(UnreadableException.class)
        .message()
        .hasLineCount(1);
  }

  @Test
  void newerMinorVersionWithUnknownFieldsIsRead() throws Exception {
    ResultsDirectory directory = begin("ok.r1");
    Files.createDirectories(directory.run("ok.r1").path());
    directory.run("ok.r1").write(record("ok.r1", new Outcome.Completed()));
    Path file = directory.run("ok.r1").record();
    rewrite(
        file,
        Files.readString(file, StandardCharsets.UTF_8)
            .replace(
                "\"schema\" : \"" + Json.SCHEMA + "\"", "\"schema\" : \"2.7\", \"new\" : [1]"));

    assertThat(directory.read().runs()).hasSize(1);
  }

  @Test
  void crashTestsAndOlderRecordsAreReadBack() throws Exception {
    ResultsDirectory directory = begin("killed.r1", "old.r1");
    CrashTrialResult test =
        new CrashTrialResult(
                true,
                List.of(
                    new Crash(
                        "was killed",
                        1_000,
                        OptionalLong.of(7),
                        Optional.of(
                            new LostWrites(
                                900, 1, 2, 3, 4, 5, "one", OptionalLong.of(8), OptionalLong.of(6))),
                        "",
                        Optional.of(
                            new PowerCut(
                                "xfs",
                                "some",
                                5,
                                512,
                                1,
                                2,
                                3,
                                4,
                                5,
                                6,
                                7,
                                8,
                                9,
                                OptionalLong.of(10))),
                        OptionalLong.of(9),
                        List.of("the disk failed"),
                        List.of(Cause.MACHINE)),
                    new Crash(
                            "was killed",
                            900,
                            OptionalLong.empty(),
                            Optional.empty(),
                            "did not restart",
                            Optional.empty(),
                            OptionalLong.empty(),
                            List.of(),
                            List.of())
                        .silent(11)),
                "kill 3: no disk")
            .with(new Load(128, 200, true));
    RunRecord plain = record("killed.r1", new Outcome.Completed());
    RunRecord killed = Runs.from(plain).crashTest(test).build();
    directory.run("killed.r1").write(killed);
    directory.run("old.r1").write(record("old.r1", new Outcome.Completed()));
    Path old = directory.run("old.r1").record();
    String text = Files.readString(old, StandardCharsets.UTF_8);
    String before = text.replaceFirst(",\\s*\"crashTest\" : null", "");
    assertThat(before).isNotEqualTo(text);
    rewrite(old, before);

    assertThat(directory.read().unreadable()).isEmpty();
    assertThat(directory.read().runs())
        .containsExactly(killed, record("old.r1", new Outcome.Completed()));
    Path late = directory.run("killed.r1").record();
    String now = Files.readString(late, StandardCharsets.UTF_8);
    rewrite(
        late,
        now.replaceAll(
            ",\\s*\"(lately|repeated|hidden|flushesNeeded|silentNanos|load|unsupported)\" : (\\[[^]]*]|null|\\d+|\\{[^}]*})",
            ""));
    assertThat(directory.read().runs().get(0).crashTest().orElseThrow().load()).isEmpty();
    assertThat(directory.read().runs().get(0).crashTest().orElseThrow().crashes())
        .allMatch(crash -> crash.lately().isEmpty() && crash.repeated().isEmpty())
        .allMatch(crash -> crash.hidden().isEmpty() && crash.silentNanos().isEmpty())
        .allMatch(crash -> crash.powerCut().stream().allMatch(cut -> cut.flushesNeeded() == 0));
  }

  @Test
  void whatACrashTestLacksIsReadBackAlsoFromOlderRecords() throws Exception {
    ResultsDirectory directory = begin("lacking.r1");
    RunRecord lacking =
        Runs.from(record("lacking.r1", new Outcome.Completed()))
            .crashTest(CrashTrialResult.unsupported(true, "no disk").with(new Load(1, 1, false)))
            .build();
    directory.run("lacking.r1").write(lacking);
    assertThat(directory.read().runs()).containsExactly(lacking);

    Path file = directory.run("lacking.r1").record();
    String text = Files.readString(file, StandardCharsets.UTF_8);
    String older =
        text.replaceFirst("(\"reason\" : )\"\",", "$1\"unsupported: no disk\",")
            .replaceFirst(",\\s*\"unsupported\" : \"no disk\"", "");
    assertThat(older).doesNotContain("\"unsupported\"").contains("unsupported: no disk");
    rewrite(file, older);
    assertThat(directory.read().runs()).containsExactly(lacking);
  }

  @Test
  void planFromBeforeExpectationsIsRead() throws Exception {
    ResultsDirectory directory = begin();
    Path file = directory.path().resolve("plan.json");
    String text = Files.readString(file, StandardCharsets.UTF_8);
    String old = text.replaceFirst(",\\s*\"expectations\" : \\[ ]", "");
    assertThat(old).isNotEqualTo(text);
    rewrite(file, old);

    assertThat(directory.read().manifest()).isEqualTo(manifest());
  }

  @Test
  void readsRecordsFromBeforeChildrenAndDevices() throws Exception {
    ResultsDirectory directory = begin("old.r1");
    Files.createDirectories(directory.run("old.r1").path());
    directory.run("old.r1").write(record("old.r1", new Outcome.Completed()));
    Path file = directory.run("old.r1").record();
    String text = Files.readString(file, StandardCharsets.UTF_8);
    String old =
        text.replaceAll("\\s*\"childrenPeakBytes\" : 0,", "")
            .replaceAll(",\\s*\"cancelledBytes\" : 0", "")
            .replaceAll(",\\s*\"device\" : null", "");
    assertThat(old).doesNotContain("childrenPeakBytes", "cancelledBytes", "\"device\" : null");
    rewrite(file, old);

    Resources read = directory.read().runs().get(0).phases().get(0).resources().orElseThrow();

    assertThat(read.device()).isEmpty();
    assertThat(read.server().orElseThrow().childrenPeakBytes()).isZero();
    assertThat(read.server().orElseThrow().cancelledBytes()).isEmpty();
  }

  @Test
  void recordsFromBeforeCausesAreRead() throws Exception {
    ResultsDirectory directory = begin("a.r1", "b.r1");
    for (String id : List.of("a.r1", "b.r1")) {
      Files.createDirectories(directory.run(id).path());
      directory.run(id).write(record(id, new Outcome.Failed("get", Cause.HARNESS, "gone")));
      Path file = directory.run(id).record();
      String text = Files.readString(file, StandardCharsets.UTF_8);
      String old = text.replaceAll("\\s*\"cause\" : \"harness\",", "");
      assertThat(old).isNotEqualTo(text);
      String byMachine = "\"facts\" : {\n    \"failed.byMachine\" : \"true\",";
      rewrite(file, id.equals("a.r1") ? old : old.replaceFirst("\"facts\" : \\{", byMachine));
    }

    List<RunRecord> read = directory.read().runs();
    assertThat(read)
        .extracting(RunRecord::outcome)
        .containsExactly(
            new Outcome.Failed("get", Cause.ENGINE, "gone"),
            new Outcome.Failed("get", Cause.MACHINE, "gone"));
    assertThat(read).noneMatch(record -> record.facts().has(Fact.FAILED_BY_MACHINE));
    assertThat(directory.run("a.r1").done()).isTrue();
    assertThat(directory.run("b.r1").done()).isFalse();
  }

  @Test
  void recordsFromBeforeSweepsAreRead() throws Exception {
    RunRecord record =
        Runs.run("a").phases(Runs.phase("get").operation("read", 1.0).build()).build();
    ResultsDirectory directory = begin(record.id());
    directory.run(record.id()).write(record);
    Path file = directory.run(record.id()).record();
    String text = Files.readString(file, StandardCharsets.UTF_8);
    String old = text.replaceFirst(",\\s*\"points\" : \\[ ]", "");
    assertThat(old).isNotEqualTo(text);
    rewrite(file, old);

    assertThat(directory.read().runs()).containsExactly(record);
  }

  @Test
  void folderWithoutPlanIsNoResultsDirectory() {
    assertThatThrownBy(() -> new ResultsDirectory(parent).read())
        .isInstanceOf(UnreadableException.class)
        .hasMessageContaining(parent.toString())
        .hasMessageContaining("plan.json");
  }

  @Test
  void twoExecutionsInOneSecondGetDifferentFoldersAndLatestIsTheLast() throws Exception {
    ResultsDirectory first = ResultsDirectory.create(parent, NOW);
    first.markLatest();
    ResultsDirectory second = ResultsDirectory.create(parent, NOW);
    second.markLatest();

    assertThat(first.path().getFileName()).hasToString("2026-02-03T040506Z");
    assertThat(second.path()).isNotEqualTo(first.path());
    assertThat(parent.resolve("latest").toRealPath()).isEqualTo(second.path().toRealPath());
  }

  private ResultsDirectory begin(String... runs) throws IOException {
    ResultsDirectory directory = ResultsDirectory.create(parent, NOW);
    directory.begin("question: x\n", Json.file(manifest(runs)), new Facts().put(Fact.OS, "Linux"));
    return directory;
  }

  private static void rewrite(Path file, String text) throws IOException {
    Files.writeString(file, text, StandardCharsets.UTF_8);
  }

  private static Manifest manifest(String... runs) {
    return Runs.manifest("redis")
        .scenario("x")
        .question("Why?")
        .tables(TableRequest.of("kvbench"))
        .phases("load", "get")
        .factor("fsync", "off")
        .runIds(runs)
        .planned(NOW)
        .build();
  }

  private static RunRecord record(String id, Outcome outcome) {
    Latency latency =
        new Latency(
            500,
            12.5,
            1.25,
            7,
            OptionalLong.of(11),
            OptionalLong.of(20),
            OptionalLong.of(25),
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            99);
    SortedMap<String, OperationRecord> operations = new TreeMap<>();
    operations.put(
        "read",
        new OperationRecord(
            500, 3, new TreeMap<>(Map.of("ERROR", 2L)), 1234.5, Optional.of(latency)));
    operations.put("update", new OperationRecord(0, 0, new TreeMap<>(), 0, Optional.empty()));
    Usage usage = Runs.usage().cpuSeconds(1.5, 0.5).resident(10, 20, 15).writtenBytes(4096).build();
    PhaseRecord phase =
        new PhaseRecord(
            "get",
            "get",
            false,
            outcome,
            new TreeMap<>(Map.of("threads", "8")),
            405_000_000L,
            operations,
            Optional.of(Runs.resources(usage, null, 8192)),
            Optional.of(durability()),
            List.of(),
            new Facts().put(Fact.RECORDS, 100));
    return new RunRecord(
        new RunKey(id, "redis", new TreeMap<>(Map.of("fsync", "off", "threads", "8")), 1, 77),
        outcome,
        "",
        new Facts().put(Fact.ASKED, "redis").put(Fact.ENGINE_VERSION, "7.0.15"),
        List.of(phase),
        NOW,
        NOW.plusSeconds(12),
        Optional.empty());
  }

  private static Durability durability() {
    return new Durability(
        Optional.of("sda"),
        OptionalLong.of(12),
        OptionalDouble.of(0.5),
        50_211,
        OptionalDouble.of(0.0002),
        Durability.Verdict.NOT_PROVEN,
        "12 flushes for 50,211 writes");
  }
}

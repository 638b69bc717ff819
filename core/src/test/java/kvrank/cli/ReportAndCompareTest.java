package kvrank.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.results.Json;
import kvrank.results.Manifest;
import kvrank.results.ResultsDirectory;
import kvrank.results.RunRecord;
import kvrank.results.UnreadableException;
import kvrank.results.pack.PackWriter;
import kvrank.scenario.NamedFiles;
import kvrank.stats.Runs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that read results, on directories as a run leaves them. */
class ReportAndCompareTest {

  private static final List<Double> NOISE = List.of(1.0, 0.985, 1.012);

  @TempDir private Path folder;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private int hour;

  private int kvrank(Object... arguments) {
    out.reset();
    err.reset();
    List<String> words = new ArrayList<>();
    for (Object argument : arguments) {
      words.add(argument.toString());
    }
    return Kvrank.run(
        new Installation(new NamedFiles(folder, List.of()), Map.of()),
        new Terminal(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            false,
            false,
            0),
        words.toArray(new String[0]));
  }

  private String text() {
    return out.toString(StandardCharsets.UTF_8) + err.toString(StandardCharsets.UTF_8);
  }

  private Path execution(String host, double speed) throws IOException {
    return execution(host, speed, 3);
  }

  private Path execution(String host, double speed, int repetitions) throws IOException {
    hour++;
    List<RunRecord> runs = new ArrayList<>();
    for (int repetition = 1; repetition <= repetitions; repetition++) {
      double noise = NOISE.get((repetition + hour) % 3);
      runs.add(
          Runs.run("a")
              .at("fsync", "off")
              .repetition(repetition)
              .throughput(1000 * speed * noise)
              .build());
      runs.add(
          Runs.run("b").at("fsync", "off").repetition(repetition).throughput(500 * noise).build());
    }
    Manifest plain =
        Runs.manifest("a", "b")
            .phases("get")
            .factor("fsync", "off")
            .repetitions(repetitions)
            .build();
    Manifest manifest =
        Runs.from(plain).runs(runs).planned(plain.planned().plus(Duration.ofHours(hour))).build();
    ResultsDirectory results =
        ResultsDirectory.create(folder, Runs.THEN.plus(Duration.ofHours(hour)));
    results.begin(
        "question: Which?\n",
        Json.file(manifest),
        new Facts()
            .put(Fact.HOST, host)
            .put(Fact.STORAGE_MEDIUM, host.equals("disk") ? "HDD" : "SSD"));
    for (RunRecord run : runs) {
      Files.createDirectories(results.run(run.id()).path());
      results.run(run.id()).write(run);
    }
    return results.path();
  }

  @Test
  void reportMergesRepetitions() throws IOException {
    Path one = execution("alpha", 1);
    Path other = execution("alpha", 1);
    assertThat(kvrank("report", one, other)).as(text()).isZero();
    assertThat(text()).contains("Merged from 2 executions", "--out DIR");
    assertThat(one.resolve("report")).doesNotExist();
    assertThat(kvrank("report", one, other, "--png")).isEqualTo(2);
    assertThat(text()).contains("--png needs --out DIR");
    assertThat(kvrank("report", one, other, "--out", folder.resolve("merged"))).isZero();
    assertThat(folder.resolve("merged/rankings.csv")).content().contains(",6,");
    assertThat(kvrank("report", one)).isZero();
    assertThat(one.resolve("report/rankings.json")).exists();
  }

  @Test
  void aPackIsReportedAndComparedLikeItsFolders() throws IOException {
    Path one = execution("alpha", 1);
    Path other = execution("alpha", 0.5);
    Path pack = folder.resolve("both.tar.gz");
    assertThat(kvrank("pack", one, other, "-o", pack)).as(text()).isZero();
    assertThat(text()).contains("both.tar.gz: 2 executions in ");

    assertThat(kvrank("report", one, other)).isZero();
    String report = text();
    assertThat(kvrank("report", pack)).isZero();
    assertThat(text()).isEqualTo(report).contains("Merged from 2 executions", "--out DIR");
    assertThat(kvrank("compare", one, other)).isEqualTo(1);
    String comparison = text();
    assertThat(kvrank("compare", pack)).isEqualTo(1);
    assertThat(text().lines().skip(3))
        .containsExactlyElementsOf(comparison.lines().skip(3).toList());

    assertThat(kvrank("pack", one, other, "-o", pack)).isEqualTo(2);
    assertThat(text()).contains("both.tar.gz': the file exists");
    Files.writeString(pack, "");
    assertThat(kvrank("report", pack)).isEqualTo(2);
    assertThat(text()).contains("or is broken: it ends too early; copy it again");
    Files.writeString(pack, "no archive");
    assertThat(kvrank("report", pack)).isEqualTo(2);
    assertThat(text()).contains("both.tar.gz: is not an archive of 'kvrank pack', or is broken");
    assertThat(kvrank("validate", pack)).isEqualTo(2);
    assertThat(text()).contains("both.tar.gz: is not an archive", "1 problem");
  }

  @Test
  void packStatesWhatIsLeftToDo() throws IOException {
    Path board = Files.createDirectory(folder.resolve("board"));
    Path few = execution("alpha.example", 1, 2);
    assertThat(kvrank("pack", few, "-o", board)).as(text()).isZero();
    assertThat(text())
        .contains(
            "board/example-unknown-0cpu-",
            ".tar.gz: 1 execution in ",
            "removed: names of hosts and users (1), logs",
            "2 repetitions, and ranks need 3; './kvrank run --resume " + few + " --repetitions 3'",
            "next: ./kvrank validate ");
    assertThat(board).isDirectoryContaining("glob:**example-unknown-0cpu-*.tar.gz");

    Path enough = execution("alpha", 1);
    Files.writeString(enough.resolve("scenario.yaml"), "question: Which on nas.lan?\n");
    assertThat(kvrank("pack", enough, "-o", folder.resolve("doubtful.tar.gz")))
        .as(text())
        .isEqualTo(1);
    assertThat(text())
        .contains("'nas.lan' in ", "scenario.yaml may be private", "next: ")
        .doesNotContain("repetitions, and");
    assertThat(folder.resolve("doubtful.tar.gz")).exists();
  }

  @Test
  void nothingIsPublishedWithoutACompletedRun() throws IOException, UnreadableException {
    Path results = execution("alpha", 1, 1);
    ResultsDirectory directory = ResultsDirectory.at(results);
    for (String run : List.of("a[off]1", "b[off]1")) {
      Files.delete(directory.run(run).record());
    }
    Path pack = folder.resolve("none.tar.gz");
    assertThat(kvrank("pack", results, "-o", pack)).isEqualTo(2);
    assertThat(text())
        .contains(
            "has no record of 2 of 2 runs",
            "--resume " + results,
            "has no completed run, so there is nothing to publish");
    assertThat(pack).doesNotExist();
    assertThat(kvrank("site", results, "--out", folder.resolve("site"))).isEqualTo(2);
    assertThat(text()).contains("has no completed run, so there is nothing to publish");

    Files.write(pack, PackWriter.of(List.of(directory.read()), "someone").archive());
    assertThat(kvrank("site", pack, "--out", folder.resolve("site"))).isEqualTo(2);
    assertThat(text()).contains(pack + ": ", "has no completed run");
    assertThat(kvrank("validate", pack)).isEqualTo(2);
    assertThat(text())
        .contains("has no completed run", "has no record of 2 of 2 runs", " problems")
        .doesNotContain("kvrank-pack-", "--resume", "nothing was started");
    assertThat(folder.resolve("site")).doesNotExist();
  }

  @Test
  void anExecutionThatIsGivenTwiceCountsOnce() throws IOException {
    Path one = execution("alpha", 1);
    Path latest = Files.createSymbolicLink(folder.resolve("latest"), one);
    Path pack = folder.resolve("one.tar.gz");
    assertThat(kvrank("pack", one, latest, "-o", pack)).as(text()).isZero();
    assertThat(text()).contains(": 1 execution in ", "is the same execution as " + one);
    Path copy = Files.copy(pack, folder.resolve("copy.tar.gz"));

    assertThat(kvrank("site", pack, copy, one, "--out", folder.resolve("site"))).isZero();
    assertThat(text())
        .contains(
            " about 1 execution",
            copy + ": ",
            " is the same execution as " + pack + ": ",
            "archives are not checked here; './kvrank validate " + pack + " " + copy + "'");
    assertThat(folder.resolve("site/index.html")).content().doesNotContain("2 executions");
    assertThat(kvrank("report", pack, one)).isZero();
    assertThat(text()).contains("is the same execution as").doesNotContain("Merged from");
    assertThat(kvrank("compare", pack, one)).isEqualTo(2);
    assertThat(text()).contains("an execution cannot be compared with itself");
    assertThat(kvrank("history", pack, one)).isZero();
    assertThat(text()).contains("is the same execution as");
    kvrank("validate", pack, folder.resolve(".").resolve("one.tar.gz"));
    assertThat(text()).contains("given twice; it is checked once");
  }

  @Test
  void anExecutionWithMoreRunsIsKept() throws IOException {
    Path results = execution("alpha", 1, 2);
    Path record = ResultsDirectory.at(results).run("a[off]2").record();
    Path elsewhere = Files.move(record, folder.resolve("record.json"));
    Path pack = folder.resolve("fewer.tar.gz");
    assertThat(kvrank("pack", results, "-o", pack)).as(text()).isZero();
    Files.move(elsewhere, record);
    assertThat(kvrank("report", pack, results)).as(text()).isZero();
    assertThat(text())
        .contains(" is the same execution as " + results)
        .doesNotContain("has no record");
  }

  @Test
  void suggestedCommandsCanBePasted() throws IOException {
    Path results = execution("alpha", 1, 2);
    Path moved = Files.createDirectory(folder.resolve("my runs")).resolve("it's");
    Files.move(results, moved);
    Path pack = folder.resolve("my pack.tar.gz");
    assertThat(kvrank("pack", moved, "-o", pack)).as(text()).isZero();
    assertThat(text())
        .contains(
            "next: ./kvrank validate \"" + pack + "\"",
            "./kvrank run --resume \"" + moved + "\" --repetitions 3'");
    assertThat(kvrank("report", moved)).isZero();
    assertThat(text()).contains("./kvrank run ", " \"" + moved);
  }

  @Test
  void anArchiveIsNotWrittenInsteadOfAFolder() throws IOException {
    Path board = folder.resolve("board");
    assertThat(kvrank("pack", execution("alpha", 1), "-o", board)).isEqualTo(2);
    assertThat(text()).contains("board': is not an existing folder; create it, or");
    assertThat(board).doesNotExist();
    assertThat(kvrank("validate", execution("alpha", 1))).isEqualTo(2);
    assertThat(text()).contains(": is a folder of results; give the archive");
    Path other = Files.writeString(folder.resolve("README.md"), "# a: b: c");
    assertThat(kvrank("validate", other)).isEqualTo(2);
    assertThat(text()).contains("README.md: is not named like a YAML file (.yaml) or an archive");
  }

  @Test
  void aSiteIsWrittenFromFoldersAndPacks() throws IOException {
    Path one = execution("alpha", 1);
    Path pack = folder.resolve("disk.tar.gz");
    assertThat(kvrank("pack", execution("disk", 0.5), "-o", pack)).as(text()).isZero();

    Path site = folder.resolve("site");
    assertThat(kvrank("site", one, pack, "--out", site)).as(text()).isZero();
    assertThat(text()).contains("index.html: ", " about 2 executions");
    assertThat(site.resolve("index.html")).content().contains("2 executions on 2 machines");
    assertThat(site.resolve("engine/a.html")).content().contains("Reach for it when");

    Path board = Files.createDirectory(folder.resolve("board"));
    Files.writeString(board.resolve("README.md"), "The board");
    assertThat(kvrank("site", one, "--out", board)).isEqualTo(2);
    assertThat(text()).contains("board' has files, but no site; give a new or an empty folder");
    assertThat(board).isDirectoryNotContaining("glob:**/index.html");

    assertThat(kvrank("site", folder.resolve("none"), "--out", site)).isEqualTo(2);
    assertThat(text())
        .contains("none: does not exist; give results/SCENARIO/TIME")
        .contains("none of these results can be read");
    assertThat(kvrank("site", one)).isEqualTo(2);
    assertThat(text()).contains("--out");
  }

  @Test
  void aReportIsNotWrittenThroughALink() throws IOException {
    Path results = execution("alpha", 1);
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    Files.createSymbolicLink(results.resolve("report"), elsewhere);

    assertThat(kvrank("report", results)).isEqualTo(1);
    assertThat(text()).contains("report is a link to '" + elsewhere + "'", "--out DIR");
    assertThat(elsewhere).isEmptyDirectory();

    Path own = Files.createDirectory(folder.resolve("own"));
    Path page = Files.createSymbolicLink(own.resolve("report.html"), elsewhere.resolve("page"));
    assertThat(kvrank("report", results, "--out", own)).isEqualTo(1);
    assertThat(text())
        .contains("the report cannot be written: '%s' leads elsewhere".formatted(page));
    assertThat(elsewhere).isEmptyDirectory();
  }

  @Test
  void aReportThatCannotBeWrittenHasTheCause() throws IOException {
    Path results = execution("alpha", 1);
    Path file = Files.writeString(results.resolve("report"), "");

    assertThat(kvrank("report", results)).isEqualTo(1);
    assertThat(text())
        .contains("%s: the report cannot be written: '%s': it is a file".formatted(file, file));
  }

  @Test
  void reportSaysWhatDiffersAndRanksApart() throws IOException {
    assertThat(kvrank("report", execution("alpha", 1), execution("disk", 1))).isZero();
    assertThat(text()).contains("host differs", "storage.medium differs", "storage.medium=HDD");
  }

  /** Edits a copy's facts of the machine, as S8 of the storage findings did. */
  private Path edited(Path results, String... facts) throws IOException {
    Path file = results.resolve("environment.json");
    String text = Files.readString(file);
    for (String fact : facts) {
      text = text.replaceFirst("\"host\"", fact + ", \"host\"");
    }
    Files.writeString(file, text);
    return results;
  }

  @Test
  void anotherDiskOrMemoryIsAnotherMachine() throws IOException {
    for (String[] fact :
        new String[][] {
          {"storage.scheduler", "none", "mq-deadline"},
          {"storage.writeCache", "write back", "write through"},
          {"storage.mountOptions", "rw,noatime", "rw,noatime,nobarrier"},
          {"storage.model", "Samsung 980", "Samsung 870"},
          {"storage.firmware", "1", "2"},
          {"storage.sizeBytes", "1000204886016", "500107862016"},
          {"storage.readAheadBytes", "131072", "8388608"},
          {"storage.rotational", "no", "yes"},
          {"storage.discard", "no", "yes"},
          {"memory.total", "24684084 kB", "2468408 kB"},
        }) {
      String text = "\"%s\" : \"%s\"";
      Path one = edited(execution("alpha", 1), text.formatted(fact[0], fact[1]));
      Path other = edited(execution("alpha", 1), text.formatted(fact[0], fact[2]));
      assertThat(kvrank("compare", one, other)).as(fact[0]).isEqualTo(2);
      assertThat(text()).contains(fact[0] + " differs", "--across-machines");
      assertThat(kvrank("report", one, other)).isZero();
      assertThat(text()).contains(fact[0] + " differs, so these are ranked separately");
    }
  }

  @Test
  void aLittleLessMemoryIsTheSameMachineAndAFullDiskIsANote() throws IOException {
    Path one =
        edited(
            execution("alpha", 1),
            "\"memory.total\" : \"24684084 kB\"",
            "\"storage.used\" : \"0.12\"");
    Path other =
        edited(
            execution("alpha", 1),
            "\"memory.total\" : \"24684000 kB\"",
            "\"storage.used\" : \"0.31\"");
    assertThat(kvrank("compare", one, other)).as(text()).isZero();
    assertThat(text()).doesNotContain("filled");
    Path full =
        edited(
            execution("alpha", 1),
            "\"memory.total\" : \"24684084 kB\"",
            "\"storage.used\" : \"0.63\"");
    assertThat(kvrank("compare", one, full)).isZero();
    assertThat(text()).contains("filled differently", "12 %", "63 %");
    assertThat(kvrank("report", one, full)).isZero();
    assertThat(text()).contains("filled differently").doesNotContain("ranked separately");
  }

  @Test
  void reportNamesWhatCannotBeReadAndGoesOn() throws IOException {
    Path one = execution("alpha", 1);
    Path newer = execution("alpha", 1);
    String plan = Files.readString(newer.resolve("plan.json"));
    Files.writeString(
        newer.resolve("plan.json"),
        plan.replaceFirst("\"schema\" : \"[0-9.]+\"", "\"schema\" : \"9.0\""));
    assertThat(kvrank("report", one, newer, folder.resolve("none"))).as(text()).isZero();
    assertThat(text())
        .contains("plan.json: schema 9.0 is newer", "none: does not exist", "a is fast");
    assertThat(kvrank("report", newer, folder.resolve("none"))).isEqualTo(2);
    assertThat(text()).contains("none of these results can be read");
  }

  @Test
  void aBrokenRecordIsNamedInAMergedReport() throws IOException {
    Path one = execution("alpha", 1);
    Path other = execution("alpha", 1);
    Path record = ResultsDirectory.at(other).run("b[off]1").record();
    Files.writeString(record, "{\"schema\": \"1.0\", ");
    assertThat(kvrank("report", one, other)).isZero();
    assertThat(text()).contains(record.toRealPath().getFileName().toString(), "5 of 6");
  }

  @Test
  void aFolderIsNotComparedWithItselfAndAFileInItIsNone() throws IOException {
    Path results = execution("alpha", 1);
    assertThat(kvrank("compare", results, results.resolve("."))).isEqualTo(2);
    assertThat(text()).contains(": given twice; an execution cannot be compared with itself");
    assertThat(kvrank("report", results.resolve("plan.json"))).isEqualTo(2);
    assertThat(text()).contains("plan.json: is a file; give the folder of results that it is in");
  }

  @Test
  void theSameComparesAsNoSignificantChange() throws IOException {
    assertThat(kvrank("compare", execution("alpha", 1), execution("alpha", 1))).as(text()).isZero();
    assertThat(text()).contains("example: no significant change");
  }

  @Test
  void aRegressionIsFoundAndExitsWithOne() throws IOException {
    Path before = execution("alpha", 1);
    Path after = execution("alpha", 0.8);
    assertThat(kvrank("compare", before, after, "--out", folder.resolve("c"))).isEqualTo(1);
    assertThat(text()).contains("regressions", "throughput −2");
    assertThat(folder.resolve("c/comparison.md")).content().contains("### Regressions");
    assertThat(folder.resolve("c/comparison.xml")).content().contains("<failure");
    assertThat(folder.resolve("c/comparison.csv")).isNotEmptyFile();
    assertThat(kvrank("compare", after, before)).isZero();
    assertThat(text()).contains("improvements");
    assertThat(kvrank("compare", before, after, "--tolerance", "30%")).isZero();
    assertThat(text()).contains("no significant change beyond 30%");
  }

  @Test
  void whatCannotBeComparedExitsWithTwo() throws IOException {
    Path alpha = execution("alpha", 1);
    Path beta = execution("beta", 1);
    assertThat(kvrank("compare", alpha, beta)).isEqualTo(2);
    assertThat(text()).contains("host differs: alpha and beta", "--across-machines");
    assertThat(kvrank("compare", alpha, beta, "--across-machines")).isZero();
    assertThat(text()).contains("host: alpha → beta");
    assertThat(kvrank("compare", alpha, execution("disk", 1), "--across-machines")).isEqualTo(2);
    assertThat(text()).contains("storage.medium differs: SSD and HDD");
    assertThat(kvrank("compare", alpha, folder.resolve("none"))).isEqualTo(2);
    assertThat(kvrank("compare", alpha)).isEqualTo(2);
    assertThat(kvrank("compare", alpha, alpha, "--tolerance", "much")).isEqualTo(2);
    assertThat(text()).contains("'much' is not a share such as 5% or 0.05");
  }
}

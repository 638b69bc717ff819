package kvrank.report;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import kvrank.failure.Cause;
import kvrank.metric.Metrics;
import kvrank.report.block.Columns;
import kvrank.report.block.Table;
import kvrank.report.block.Width;
import kvrank.report.write.Console;
import kvrank.report.write.Reports;
import kvrank.results.ExecutionResults;
import kvrank.results.Outcome;
import kvrank.results.RunRecord;
import kvrank.stats.Ranking;
import kvrank.stats.Rankings;
import kvrank.stats.Runs;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ReportsTest {

  @Test
  void doNotDependOnTheOrderOfTheRecords() {
    ExecutionResults results = Examples.ssdNofsync();
    List<RunRecord> shuffled = new ArrayList<>(results.runs());
    Collections.shuffle(shuffled, new Random(1));
    ExecutionResults other = Runs.with(results, shuffled);
    assertThat(Reports.of(other).console(100, false))
        .isEqualTo(Reports.of(results).console(100, false));
    assertThat(file(other, "rankings.md")).isEqualTo(file(results, "rankings.md"));
    assertThat(file(other, "rankings.csv")).isEqualTo(file(results, "rankings.csv"));
  }

  @Test
  void statesWhatTheTimeOfTheRunsWasSpentOn() {
    ExecutionResults results = Examples.ssdNofsync();
    assertThat(file(results, "rankings.md")).contains("All runs took 0 ns.");
    Map<String, String> parts =
        Map.of(
            "time.serverSeconds", "0.1",
            "time.workerSeconds", "0.2",
            "time.phasesSeconds", "1.4",
            "time.betweenSeconds", "0.06",
            "time.stopSeconds", "0.24");
    List<RunRecord> timed =
        results.runs().stream()
            .map(run -> Runs.from(run).facts(parts).time(Runs.THEN, Duration.ofSeconds(2)).build())
            .toList();
    assertThat(file(Runs.with(results, timed), "rankings.md"))
        .contains(
            "70.0 % in phases, 5.0 % until servers were ready, 10.0 % until workers were, 3.0 %"
                + " around phases, 12.0 % after the last.");
  }

  @Test
  void consoleFitsTheTerminal() {
    for (ExecutionResults results :
        List.of(Examples.ssdNofsync(), Examples.quick(), CrashExamples.killed())) {
      for (int width : List.of(80, 100, 120)) {
        assertThat(Reports.of(results).console(width, false).lines())
            .allSatisfy(line -> assertThat(Width.of(line)).as(line).isLessThanOrEqualTo(width));
      }
    }
  }

  @Test
  void aDividedTableKeepsWordsWholeAndTellsItsRowsApart() {
    Table table =
        new Columns<>(List.of("fsync=on", "fsync=off"))
            .left("engine", any -> "redis-no-persistence")
            .left("at", at -> at)
            .right("acknowledged", any -> "155,541")
            .right("lost", any -> "LOST 116,778")
            .table();
    String console = new Console(50, false).of(List.of(table));
    assertThat(console.lines())
        .allSatisfy(line -> assertThat(Width.of(line)).as(line).isLessThanOrEqualTo(50));
    assertThat(console.lines().filter(line -> line.contains("redis-no-persistence  fsync=on")))
        .hasSize(2);
  }

  @Test
  void measurementsHaveARowForEachPhaseAndOperation() {
    List<List<String>> lines = parse(file(Examples.quick(), "measurements.csv"));
    List<String> heading = lines.get(0);
    assertThat(lines).allSatisfy(line -> assertThat(line).hasSameSizeAs(heading));
    List<String> whole = lines.get(1);
    List<String> insert = lines.get(2);
    assertThat(whole.get(heading.indexOf("operation"))).isEqualTo("all");
    assertThat(insert.get(heading.indexOf("operation"))).isEqualTo("insert");
    assertThat(insert.get(heading.indexOf("latency-p50"))).isEqualTo("2182635");
    assertThat(whole.get(heading.indexOf("latency-p50"))).isEmpty();
    assertThat(whole.get(heading.indexOf("load-time"))).isEqualTo("10");
    assertThat(lines.stream().map(line -> line.get(heading.indexOf("outcome"))))
        .contains("unsupported");
  }

  /** Two columns had the name memory, and two the name errors. */
  @Test
  void measurementsHaveNoTwoColumnsOfOneName() {
    Map<String, String> point = Map.of("fsync", "off", "memory", "512MiB", "errors", "allowed");
    ExecutionResults results =
        Runs.results(
            Runs.manifest("a").phases("get").build(),
            List.of(Runs.run("a").at(point).throughput(100).build()));
    assertThat(parse(file(results, "measurements.csv")).get(0))
        .doesNotHaveDuplicates()
        .contains("fsync", "settings.memory", "settings.errors", "memory", "errors");
  }

  @Test
  void aScenarioOfWhichNoEngineIsAvailableIsReasonsAndNoTables() {
    Outcome gone = new Outcome.Unavailable("no executable 'a' on the PATH. To get it: install a");
    ExecutionResults results =
        Runs.results(
            Runs.manifest("a").phases("load", "get").build(),
            List.of(Runs.run("a").at("fsync", "off").outcome(gone).build()));
    String console = Reports.of(results).console(100, false);
    assertThat(console)
        .contains("No engine could be measured:", "To get it: install a", "./kvrank engines")
        .doesNotContain("  rank ", "can be ranked");
  }

  @Test
  void ranksAreLeftOutWhereAnyIsPossible() {
    List<RunRecord> runs = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      for (String threads : List.of("1", "8")) {
        Map<String, String> point = Map.of("fsync", "off", "threads", threads);
        runs.add(Runs.run("a").at(point).repetition(i).throughput(100 + 30 * i).build());
        runs.add(Runs.run("b").at(point).repetition(i).throughput(230 - 50 * i).build());
        runs.add(Runs.run("c").at(point).repetition(i).throughput(110 + 5 * (i % 2)).build());
      }
    }
    ExecutionResults results =
        Runs.results(Runs.manifest("a", "b", "c").phases("get").repetitions(3).build(), runs);
    assertThat(Reports.of(results).console(100, false))
        .contains("Without brackets, any rank is possible.", "158 /s")
        .doesNotContain("1–3");
    assertThat(file(results, "rankings.md"))
        .contains("There are no ranks: no two separated")
        .doesNotContain("(1–3)", "| rank |");
  }

  /** Its number stood at no row. */
  @Test
  void anEngineThatNeverRanHasNoFootnote() {
    Map<String, String> point = Map.of("fsync", "off");
    Outcome gone = new Outcome.Unavailable("no library");
    ExecutionResults results =
        Runs.results(
            Runs.manifest("a", "b").phases("get").build(),
            List.of(
                Runs.run("a").at(point).outcome(gone).note("it has no log").build(),
                Runs.run("b").at(point).throughput(10).note("it has none either").build()));
    assertThat(Reports.of(results).console(100, false)).contains("Not ranked: a (unavailable)");
    assertThat(file(results, "rankings.md"))
        .contains("b [1]", "[1] b: it has none either", "a: unavailable: no library")
        .doesNotContain("it has no log");
  }

  @Test
  void csvHasEveryEngineOfEveryRankingExactly() {
    ExecutionResults results = Examples.quick();
    List<List<String>> lines = parse(file(results, "rankings.csv"));
    List<String> heading = lines.get(0);
    assertThat(lines).allSatisfy(line -> assertThat(line).hasSameSizeAs(heading));
    List<Ranking> rankings = Rankings.of(results);
    assertThat(lines).hasSize(1 + 3 * rankings.size());
    Ranking first = rankings.get(0);
    assertThat(first.metric()).isEqualTo(Metrics.THROUGHPUT);
    List<String> second = lines.get(2);
    assertThat(second.get(heading.indexOf("engine"))).isEqualTo("redis, \"tuned\"");
    assertThat(Double.parseDouble(second.get(heading.indexOf("value"))))
        .isEqualTo(first.standings().get(1).estimate().value());
    assertThat(second.get(heading.indexOf("low"))).isEmpty();
  }

  @Test
  void jsonHasEveryRunPhaseAndOperation() {
    ExecutionResults results = Examples.ssdNofsync();
    JsonNode root = JsonMapper.builder().build().readTree(file(results, "summary.json"));
    assertThat(root.get("schema").asString()).isEqualTo("2.0");
    // 30 runs of 6 phases; set-get has two operations in the 24 runs that were done, save one.
    assertThat(root.get("measurements").size()).isEqualTo(30 * 6 + 23);
    JsonNode first = root.get("measurements").get(0);
    assertThat(first.propertyNames())
        .containsExactly(
            "execution",
            "engine",
            "workload",
            "phase",
            "operation",
            "factors",
            "repetition",
            "outcome",
            "reason",
            "labels",
            "operations",
            "errors",
            "notFound",
            "throughput",
            "latencyNanos",
            "resources",
            "durability");
    assertThat(first.get("latencyNanos").propertyNames())
        .containsExactly(
            "count", "mean", "stddev", "min", "p50", "p90", "p95", "p99", "p999", "p9999", "max");
    assertThat(first.get("throughput").asDouble())
        .isEqualTo(results.runs().get(0).phases().get(0).operations().get("insert").throughput());
    JsonNode unavailable = root.get("measurements").get(7);
    assertThat(unavailable.get("engine").asString()).isEqualTo("kvrocks");
    assertThat(unavailable.get("outcome").asString()).isEqualTo("unavailable");
    assertThat(unavailable.get("throughput").isNull()).isTrue();
  }

  @Test
  void jsonHasEveryKill() {
    ExecutionResults results = CrashExamples.killed();
    JsonNode tests =
        JsonMapper.builder().build().readTree(file(results, "summary.json")).get("crashTests");
    // Two repetitions of six engines at two durabilities; ignix cannot do one of these.
    assertThat(tests.size()).isEqualTo(2 * 6 * 2 - 2);
    JsonNode lossy = tests.get(2);
    assertThat(lossy.get("engine").asString()).isEqualTo("redis-no-persistence");
    assertThat(lossy.get("factors").get("fsync").asString()).isEqualTo("on");
    assertThat(lossy.get("crashes").size()).isEqualTo(2);
    assertThat(lossy.get("crashes").get(0).get("acknowledged").asLong()).isEqualTo(52_000);
    assertThat(lossy.get("crashes").get(0).get("lostInserts").asLong()).isEqualTo(26_667);
    JsonNode dead = tests.get(6).get("crashes").get(1);
    assertThat(dead.get("lostInserts").isNull()).isTrue();
    assertThat(dead.get("reason").asString()).startsWith("did not restart");
  }

  @Test
  void thePageHasTheLossesInASectionOfTheirOwn() {
    assertThat(file(CrashExamples.killed(), "report.html"))
        .contains("Acknowledged writes lost", "LOST 111,000", "page cache");
  }

  @Test
  void aServersMessageCannotBreakATableOrATerminal() {
    Outcome outcome =
        new Outcome.Failed(
            "load", Cause.ENGINE, "\u001b[31mboom\u001b[0m\n| a | <b> |\n" + "x".repeat(1_000));
    ExecutionResults results =
        Runs.results(
            Runs.manifest("a").phases("load").build(),
            List.of(
                Runs.run("a")
                    .at("fsync", "off")
                    .outcome(outcome)
                    .phases(Runs.phase("load", outcome))
                    .build()));
    String console = Reports.of(results).console(100, false);
    assertThat(console)
        .doesNotContain("\u001b")
        .contains("boom | a")
        .doesNotContain("[31m")
        .contains("…");
    String markdown = file(results, "rankings.md");
    assertThat(markdown).doesNotContain("\u001b").contains("\\| a \\| \\<b> \\|");
  }

  @Test
  void aRecordsTextIsNoFormulaAndTurnsNothingAround() {
    String bidi = "\u202Egnp.exe";
    List<String> reasons =
        List.of("=HYPERLINK(1)", "+1+1", "-x", "@SUM(A1)", "\t=1", "\r=1", "-12.5", bidi);
    List<RunRecord> runs = new ArrayList<>();
    for (int i = 0; i < reasons.size(); i++) {
      Outcome outcome = new Outcome.Unsupported(reasons.get(i));
      runs.add(
          Runs.run("a")
              .repetition(i + 1)
              .at("fsync", "off")
              .outcome(outcome)
              .phases(Runs.phase("load", outcome))
              .build());
    }
    ExecutionResults results = Runs.results(Runs.manifest("a").phases("load").build(), runs);

    assertThat(file(results, "measurements.csv"))
        .contains(
            ",'=HYPERLINK(1),",
            ",'+1+1,",
            ",'-x,",
            ",'@SUM(A1),",
            ",'=1,",
            ",-12.5,",
            ",\uFFFDgnp.exe,")
        .doesNotContain(",=", ",@");
    Reports.of(results)
        .files(new MadeUpEvidence("name: \u202Ea\n"), false)
        .forEach(
            (name, bytes) ->
                assertThat(new String(bytes, StandardCharsets.UTF_8))
                    .as(name)
                    .doesNotContain("\u202E"));
    assertThat(file(results, "summary.json")).contains("\\u202egnp.exe");
    assertThat(Reports.of(results).console(100, false)).doesNotContain("\u202E");
  }

  @Test
  void nothingRecordedIsSaid() {
    ExecutionResults none = Runs.results(Runs.manifest("a").phases("load").build(), List.of());
    assertThat(Reports.of(none).console(100, false)).contains("No run was recorded.");
    assertThat(file(none, "rankings.md")).contains("No run was recorded.");
  }

  private static String file(ExecutionResults results, String name) {
    return new String(
        requireNonNull(
            Reports.of(results).files(new MadeUpEvidence("name: a\n"), false).get(name), name),
        StandardCharsets.UTF_8);
  }

  /** An RFC 4180 reader, as its grammar has it. */
  private static List<List<String>> parse(String text) {
    List<List<String>> lines = new ArrayList<>();
    List<String> line = new ArrayList<>();
    StringBuilder cell = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quoted && c == '"' && i + 1 < text.length() && text.charAt(i + 1) == '"') {
        cell.append('"');
        i++;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (!quoted && c == ',') {
        line.add(cell.toString());
        cell.setLength(0);
      } else if (!quoted && c == '\r') {
        assertThat(text.charAt(++i)).isEqualTo('\n');
        line.add(cell.toString());
        cell.setLength(0);
        lines.add(List.copyOf(line));
        line.clear();
      } else {
        cell.append(c);
      }
    }
    assertThat(cell).isEmpty();
    return lines;
  }
}

package kvrank.site;

import static java.util.regex.Pattern.quote;
import static kvrank.site.SitePages.claims;
import static kvrank.site.SitePages.page;
import static kvrank.site.SitePages.reads;
import static kvrank.site.SitePages.rows;
import static kvrank.site.SitePages.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import kvrank.failure.Cause;
import kvrank.report.CrashExamples;
import kvrank.results.ExecutionResults;
import kvrank.results.Outcome;
import kvrank.results.RunRecord;
import kvrank.stats.Runs;
import org.junit.jupiter.api.Test;

/** The site advises only what its data support, in examples whose advice is plain. */
class SiteAdviceTest {

  /** Returns the engines that the first page names, for example {@code Reach for: fast}. */
  private static String card(List<ExecutionResults> executions) {
    return rows(page("index.html", executions).replace("<dd", "<tr><td").replace("</dd>", "</tr>"))
        .get(0);
  }

  @Test
  void anEngineThatNothingSetsApartIsNotNamed() {
    double[] much = {1.2, -1.1, 0.3, -0.4, 0.1};
    double[] little = {0.01, -0.01, 0.005, -0.004, 0};
    Map<String, Double> speeds = Map.of("a", 11e3, "b", 10e3, "c", 9e3, "d", 8e3);
    assertThat(card(reads(speeds, much)))
        .startsWith("No engine to reach for: no comparison has a clear lead");
    assertThat(claims(page("use/reads.html", reads(speeds, much))))
        .containsExactly(
            "Storage: medium unknown of unknown-0cpu.",
            "No engine to reach for: no comparison has a clear lead; see the comparisons.",
            "1 comparison of engines: no clear lead in 1.");
    assertThat(page("use/reads.html", reads(speeds, much))).doesNotContain("class=\"best\"");
    assertThat(page("use/reads.html", reads(speeds, little))).contains("class=\"best\"");
    assertThat(claims(page("engine/a.html", reads(speeds, much))))
        .contains("It is not recommended for any use; the comparisons below have its figures.")
        .contains("It is not among the best in any comparison.");
    assertThat(card(reads(speeds, little))).startsWith("Reach for, provisionally: a");
  }

  @Test
  void anEngineThatMayHaveAnyRankIsNotNamedBesideAClearLeader() {
    double[] little = {0.02, -0.02, 0.005, -0.01, 0};
    List<ExecutionResults> executions =
        reads(Map.of("a", 10e3, "b", 7e3, "c", 5e3, "d", 4e3, "wild", 10e3), little);
    assertThat(rows(page("use/reads.html", executions)))
        .anyMatch(row -> row.startsWith("1–5|wild"));
    assertThat(card(executions)).startsWith("Reach for, provisionally: a").doesNotContain("wild");
    assertThat(claims(page("use/reads.html", executions)))
        .noneMatch(claim -> claim.matches("(Reach for|Avoid) wild.*"))
        .anyMatch(
            claim ->
                claim.startsWith(
                    "Reach for a, provisionally: among the best of a, b, c, d and wild in the only"
                        + " comparison that counts, with others: "))
        .contains("1 comparison of engines: several may be the best in 1.");
  }

  @Test
  void theBestMustBeAheadOfMoreThanHalfOfTheOthers() {
    double[] little = {0.02, -0.02, 0.005, -0.01, 0};
    assertThat(card(reads(Map.of("a", 10e3, "b", 10.01e3, "c", 5e3), little)))
        .as("two of three can be first")
        .startsWith("No engine to reach for: no comparison has a clear lead");
    assertThat(card(reads(Map.of("a", 10e3, "b", 10.01e3, "c", 5e3, "d", 4e3), little)))
        .as("two of four can be first")
        .startsWith("Reach for, provisionally: b, a");
    assertThat(card(reads(Map.of("a", 10e3, "b", 5e3), little)))
        .startsWith("Reach for, provisionally: a");
  }

  @Test
  void enginesThatBrokeTheirPromiseAreToAvoid() {
    List<ExecutionResults> executions = List.of(CrashExamples.cut());
    String page = page("use/durable.html", executions);
    String none = "Nothing can be compared: no phase only writes at this level.";
    String on = " (unknown-0cpu, example at fsync=on).";
    String every = " (unknown-0cpu, example at fsync=every-1s).";
    String unread =
        "did not restart after 2 of 4 power cuts, so 2,468 acknowledged writes could not be read";
    assertThat(claims(page, "on"))
        .containsExactly(
            "Avoid cheat: in 4 power cuts it lost 80 of 34,000 acknowledged writes" + on,
            "Avoid fragile: in 4 power cuts it may lose writes: 2 attempts ended before the records"
                + " were read, "
                + unread
                + on,
            "Avoid sleeper: in 4 power cuts it lost no acknowledged write of 28,200, acknowledged"
                + " 1,564 writes while the disk stood still"
                + on,
            none);
    assertThat(claims(page, "every-1s"))
        .containsExactly(
            "Avoid cheat: in 4 power cuts it lost 3,800 of 34,000 acknowledged writes, the oldest"
                + " after 1.90 s although it syncs every 1s"
                + every,
            "Avoid fragile: in 4 power cuts it lost 1,980 of 14,200 acknowledged writes in the 2 that prove something, "
                + unread
                + every,
            none);
    assertThat(page).as("a level that promises nothing").doesNotContain("(fsync=off)</h2>");
    assertThat(claims(page("engine/cheat.html", executions)))
        .contains(
            "Avoid it when a write must survive at fsync=on (writes are synced): in 4 power cuts it lost 80 of 34,000"
                + " acknowledged writes"
                + on);
    assertThat(rows(page("runs/example--unknown-0cpu.html", executions)))
        .contains(
            "fragile[on]1|yes|power cut 1|1,234|not readable|-|did not restart: fragile is not ready:"
                + " the file has no header, after void attempts: the simulated disk failed: its"
                + " process ended with status 137|");
  }

  /** At a level that promises nothing, no loss excludes an engine; a reader should know it. */
  @Test
  void aRecommendationSaysWhatCrashesCost() {
    String lost =
        "in 4 power cuts it lost 3,800 of 34,000 acknowledged writes (unknown-0cpu, example at"
            + " fsync=off).";
    List<ExecutionResults> executions = List.of(writes("off"), CrashExamples.cut("off"));
    for (String use : List.of("ingest", "mixed")) {
      List<String> claims = claims(page("use/" + use + ".html", executions), "off");
      assertThat(claims)
          .anyMatch(claim -> claim.matches("Reach for cheat, .*, but " + quote(lost)))
          .contains(
              "Engines that were killed at this level: none; whose power was cut: 5, on a"
                  + " simulated disk with ext4; neither: a, b and c.",
              "cheat: " + lost);
    }
    assertThat(rows(page("index.html", executions).replace("<dd", "<tr><td")))
        .anyMatch(row -> row.startsWith("Reach for") && row.contains("cheat (lost data in power"));
    assertThat(claims(page("engine/cheat.html", executions)))
        .contains("Losses that its level allows: " + lost)
        .anyMatch(
            claim ->
                claim.matches(
                    "Reach for it when you read and write .*, but "
                        + quote(lost.replaceFirst("\\.$", ""))
                        + "; 2 other engines are recommended there, too\\."));

    List<ExecutionResults> killed = List.of(CrashExamples.killed());
    assertThat(claims(page("engine/ignix.html", killed)))
        .contains(
            "In 4 crashes it lost 109,516 of 193,205 acknowledged writes (75.6 % of those that can"
                + " be checked) (unknown-0cpu, example at fsync=off).");
  }

  /** What is lost at a stricter level is also lost at a weaker one. */
  @Test
  void aRecommendationSaysWhatCrashesCostAtStricterLevels() {
    String on =
        "in 4 power cuts it lost 80 of 34,000 acknowledged writes (unknown-0cpu, example at";
    for (String level : List.of("off", "at-least-every-1s")) {
      List<ExecutionResults> executions = List.of(writes(level), CrashExamples.cut("on"));
      assertThat(claims(page("use/mixed.html", executions), level))
          .anyMatch(claim -> claim.matches("Reach for cheat, .*, but " + quote(on + " fsync=on).")))
          .noneMatch(claim -> claim.matches("Reach for (honest|idle)[:,].*, but .*"));
      assertThat(rows(page("index.html", executions).replace("<dd", "<tr><td")))
          .anyMatch(
              row ->
                  row.startsWith("Reach for")
                      && row.contains("cheat (lost data in power cuts even at fsync=on)")
                      && !row.contains("honest ("));
    }
    assertThat(
            claims(
                page("use/mixed.html", List.of(writes("on"), CrashExamples.cut("every-1s"))), "on"))
        .as("a loss that a stricter level need not have")
        .anyMatch(claim -> claim.startsWith("Reach for cheat, provisionally: "))
        .noneMatch(claim -> claim.matches("Reach for cheat, .*, but .*"));
  }

  /** The results of another level are of engines that run at that level here. */
  @Test
  void aNeedOfSeveralLevelsNamesTheLevelOfEachCrash() {
    List<ExecutionResults> executions =
        List.of(writes("at-least-every-1s"), CrashExamples.cut("on", "every-1s"));
    assertThat(claims(page("use/mixed.html", executions), "at-least-every-1s"))
        .contains(
            "Engines that were killed at the level that they have here: none; whose power was cut:"
                + " 3, on a simulated disk with ext4; neither: a, b and c.")
        .anyMatch(claim -> claim.startsWith("honest, which has fsync=every-1s here: in 4 power"))
        .noneMatch(claim -> claim.contains("fsync=on"));
  }

  /** With the same level, it might not be slow. */
  @Test
  void anAvoidedEngineThatSyncsMoreThanTheBestSaysSo() {
    ExecutionResults every = writes("at-least-every-1s");
    List<RunRecord> runs =
        every.runs().stream()
            .map(
                run ->
                    run.engine().equals("c")
                        ? Runs.from(run).facts(Map.of("durability.level", "on")).build()
                        : run)
            .toList();
    List<ExecutionResults> executions = List.of(Runs.results(every.manifest(), runs));
    String end = " behind \\(writes · both on unknown-0cpu\\)";
    String more = "; it syncs each write there \\(fsync=on\\)\\.";
    assertThat(claims(page("use/mixed.html", executions), "at-least-every-1s"))
        .anyMatch(claim -> claim.matches("Avoid c, .*" + end + more))
        .noneMatch(claim -> claim.matches("Avoid [ab], .*it syncs.*"));
    assertThat(claims(page("engine/c.html", executions)))
        .anyMatch(claim -> claim.matches("Avoid it when you read and write .*" + end + more));
    assertThat(claims(page("use/mixed.html", List.of(every)), "at-least-every-1s"))
        .anyMatch(claim -> claim.matches("Avoid c, .*" + end + "\\."));
  }

  /** A sum of few and many writes is mostly that of the many. */
  @Test
  void cutsAfterUnlikeNumbersOfWritesAreNotOnlyAdded() {
    for (long most : new long[] {3_000, 3_001}) {
      List<ExecutionResults> executions =
          List.of(
              Runs.results(
                  Runs.manifest("one").phases("set").build(),
                  List.of(
                      Runs.from(
                              Runs.run("one")
                                  .at("fsync", "on")
                                  .phases(Runs.phase("set").operation("update", 10).build())
                                  .build())
                          .crashTest(
                              CrashExamples.cuts(
                                  CrashExamples.cut(300, 0, 0), CrashExamples.cut(most, 0, 0)))
                          .build())));
      assertThat(claims(page("engine/one.html", executions)))
          .contains(
              "In 2 power cuts it lost no acknowledged write of %,d%s (unknown-0cpu, example at fsync=on)."
                  .formatted(300 + most, most > 3_000 ? " (300 to 3,001 before each)" : ""));
    }
  }

  /** Writes in a scenario without crashes, which rank what another one shows to lose writes. */
  @Test
  void anEngineThatLosesWritesElsewhereIsNotRecommendedAtThatLevel() {
    for (String level : List.of("on", "at-least-every-1s", "off")) {
      List<ExecutionResults> executions = new ArrayList<>(List.of(writes(level)));
      boolean off = level.equals("off");
      String use = off ? "use/ingest.html" : "use/durable.html";
      List<String> before = claims(page(use, executions));
      assertThat(says(before, "Reach for cheat, provisionally: ")).as(level).isTrue();
      assertThat(says(before, "Avoid cheat: ")).as(level).isFalse();

      executions.add(CrashExamples.cut());
      List<String> writing = claims(page(use, executions), level);
      List<String> mixed = claims(page("use/mixed.html", executions));
      for (List<String> claims : List.of(writing, mixed)) {
        assertThat(says(claims, "Reach for honest, provisionally: ")).as(level).isTrue();
        assertThat(says(claims, "Reach for cheat, provisionally: ")).as(level).isEqualTo(off);
      }
      assertThat(says(writing, "Avoid cheat: in 4 power cuts it lost")).isEqualTo(!off);
      assertThat(says(mixed, "cheat is not recommended: in 4 power cuts it lost")).isEqualTo(!off);
    }
  }

  /** The memory limit ends the fastest; a full disk, which ends another, is not its fault. */
  @Test
  void anEngineThatFailsIsLast() {
    List<RunRecord> runs = new ArrayList<>();
    List<String> engines = List.of("dying", "fast", "slow", "slower", "unlucky");
    for (int i = 0; i < 5; i++) {
      for (String engine : engines) {
        for (String memory : List.of("none", "1MiB")) {
          var run = Runs.run(engine).at("fsync", "off").at("memory", memory).repetition(i + 1);
          boolean dies = engine.equals("dying") && memory.equals("1MiB");
          boolean ended = engine.equals("unlucky") && memory.equals("1MiB");
          if (dies || ended) {
            String message = dies ? "killed by the memory limit (pid %d)" : "disk full (pid %d)";
            Outcome failed =
                new Outcome.Failed(
                    "get", dies ? Cause.ENGINE : Cause.MACHINE, message.formatted(100 + i));
            runs.add(run.outcome(failed).phases(Runs.phase("get", failed)).build());
          } else {
            int place = engines.indexOf(engine);
            double speed = 9e3 / (1 + place) * (1 + 0.01 * ((i + place) % 3 - 1));
            runs.add(run.phases(Runs.phase("get").operation("read", speed).build()).build());
          }
        }
      }
    }
    List<ExecutionResults> executions =
        List.of(
            Runs.results(
                Runs.manifest(engines)
                    .phases("get")
                    .factor("memory", "none", "1MiB")
                    .repetitions(5)
                    .build(),
                runs));
    String page = page("use/reads.html", executions);
    assertThat(claims(page))
        .contains(
            "dying failed in 1 of 2 comparisons, and counts as last there: example · get ·"
                + " memory=1MiB on unknown-0cpu (5 of 5 runs: in phase get: killed by the memory"
                + " limit).",
            "dying counts as last: it failed in 5 of 5 runs: in phase get: killed by the memory"
                + " limit.")
        .noneMatch(claim -> claim.startsWith("unlucky ") || claim.startsWith("Reach for dying"));
    assertThat(rows(page)).contains("last|dying|failed||||");
    assertThat(rows(page("engine/dying.html", executions)))
        .contains(
            "Reads|example · get · memory=1MiB unknown-0cpu, fsync=off|throughput|failed|last|last||");
    assertThat(card(executions))
        .startsWith(
            "No engine to reach for: none is among the best in more than half of the comparisons"
                + " that count for it; closest is dying, in 1 of 2 (failed in 1), or fast, in 1 of 2; see the comparisons.");
    assertThat(claims(page("engine/dying.html", executions)))
        .contains(
            "example at fsync=off, memory=1MiB on unknown-0cpu: failed in phase get: killed by the"
                + " memory limit.");
  }

  /** What is called equal elsewhere does not decide, however certain it is. */
  @Test
  void aSmallLeadDoesNotMatter() {
    double[] tiny = {0.0002, -0.0002, 0.0001, -0.0001, 0};
    List<ExecutionResults> executions =
        reads(Map.of("a", 10.3e3, "b", 10e3, "c", 5e3, "d", 4e3), tiny);
    assertThat(rows(page("use/reads.html", executions)))
        .as("separated")
        .anyMatch(row -> row.startsWith("1|a|"))
        .anyMatch(row -> row.startsWith("2|b|"));
    assertThat(card(executions)).startsWith("Reach for, provisionally: a, b");
    assertThat(claims(page("index.html", executions)))
        .anyMatch(claim -> claim.contains("b 10.0 k/s, within 3.0 % of each other; next: c"));
    assertThat(card(reads(Map.of("a", 11.5e3, "b", 10e3, "c", 5e3, "d", 4e3), tiny)))
        .isEqualTo("Reach for, provisionally: a");
    assertThat(card(reads(Map.of("a", 10.3e3, "b", 10e3, "c", 9.9e3), tiny)))
        .startsWith("No engine to reach for");
  }

  /** Returns reads at several limits of memory, at the last of which {@code dying} fails. */
  private static List<ExecutionResults> limited(List<String> limits) {
    List<RunRecord> runs = new ArrayList<>();
    List<String> engines = List.of("dying", "a", "b", "c");
    String last = limits.get(limits.size() - 1);
    for (int i = 0; i < 5; i++) {
      for (String engine : engines) {
        for (String memory : limits) {
          var run = Runs.run(engine).at("fsync", "off").at("memory", memory).repetition(i + 1);
          if (engine.equals("dying") && memory.equals(last)) {
            Outcome failed = new Outcome.Failed("get", Cause.ENGINE, "killed by the limit");
            runs.add(run.outcome(failed).phases(Runs.phase("get", failed)).build());
          } else {
            int place = engines.indexOf(engine);
            // At the last limit all are alike.
            double speed = memory.equals(last) ? 1e3 : 9e3 / (1 + place);
            runs.add(
                run.phases(
                        Runs.phase("get")
                            .operation("read", speed * (1 + 0.01 * ((i + place) % 3 - 1)))
                            .build())
                    .build());
          }
        }
      }
    }
    return List.of(
        Runs.results(
            Runs.manifest(engines).phases("get").factor("memory", limits).repetitions(5).build(),
            runs));
  }

  /** Where the others are alike, no engine is among the best, but one failed. */
  @Test
  void aFailureCountsWhereNothingElseDecides() {
    assertThat(card(limited(List.of("none", "1MiB"))))
        .startsWith("No engine to reach for: ")
        .contains("closest is dying, in 1 of 2 (failed in 1)");
    List<ExecutionResults> executions = limited(List.of("none", "1GiB", "1MiB"));
    assertThat(card(executions)).isEqualTo("Reach for: dying (failed in 1 of 3)");
    assertThat(claims(page("use/reads.html", executions)))
        .anyMatch(
            claim ->
                claim.startsWith(
                    "Reach for dying: among the best of a, b, c and dying in 2 of 3 comparisons that"
                        + " count, alone in 2, and failed in 1: "));
  }

  /** A comparison that recommends none, as most engines are alike there, still warns of one. */
  @Test
  void anEngineThatIsFarBehindElsewhereIsNotRecommended() {
    double[] little = {0.02, -0.02, 0.005, -0.01, 0};
    Map<String, Double> fast = Map.of("a", 5e3, "b", 5e3, "c", 5e3, "d", 5e3, "e", 10e3);
    List<ExecutionResults> executions = new ArrayList<>(reads(fast, little));
    assertThat(card(executions)).startsWith("Reach for, provisionally: e");
    Map<String, Double> slow = Map.of("a", 5e3, "b", 5e3, "c", 5e3, "d", 5e3, "e", 2e3);
    executions.add(named("small", reads(slow, little), "0.00"));
    assertThat(card(executions))
        .startsWith(
            "No engine to reach for: e, among the best in most comparisons that count, is held back");
    assertThat(claims(page("use/reads.html", executions)))
        .contains("e is not recommended: it is at least 2x behind the best in 1 of 2 comparisons.");
  }

  /** The interval of h2-mvstore was so wide that it was not certainly twice behind. */
  @Test
  void noiseDoesNotHideThatAnEngineIsFarBehindElsewhere() {
    double[] little = {0.02, -0.02, 0.005, -0.01, 0};
    double[] much = {0.3, -0.3, 0.1, -0.2, 0};
    Map<String, Double> fast = Map.of("a", 5e3, "b", 5e3, "c", 5e3, "d", 5e3, "e", 10e3);
    Map<String, Double> slow = Map.of("a", 5e3, "b", 5e3, "c", 5e3, "d", 5e3, "e", 2e3);
    List<ExecutionResults> executions = new ArrayList<>(reads(fast, little));
    executions.add(named("small", reads(slow, much), "0.00"));
    assertThat(claims(page("use/reads.html", executions)))
        .contains("e is not recommended: it is at least 2x behind the best in 1 of 2 comparisons.")
        .noneMatch(claim -> claim.startsWith("Avoid e"));
    assertThat(card(executions))
        .startsWith(
            "No engine to reach for: e, among the best in most comparisons that count, is held back");
  }

  @Test
  void comparisonsWithoutAClearLeadAreCounted() {
    double[] little = {0.02, -0.02, 0.005, -0.01, 0};
    Map<String, Double> fast = Map.of("a", 5e3, "b", 5e3, "c", 5e3, "d", 10e3);
    Map<String, Double> alike = Map.of("a", 5e3, "b", 5e3, "c", 5e3, "d", 5e3);
    List<ExecutionResults> executions = new ArrayList<>(reads(fast, little));
    executions.add(named("alike", reads(alike, little), "0.00"));
    assertThat(claims(page("use/reads.html", executions)))
        .anyMatch(
            claim ->
                claim.startsWith(
                    "Reach for d, provisionally: among the best of a, b, c and d in the only"
                        + " comparison that counts, as the single best, with no clear lead in 1"
                        + " more: "));
  }

  /** Another execution, of few engines or on a busy machine, takes no advice away. */
  @Test
  void aPoorExecutionDoesNotChangeTheAdvice() {
    double[] little = {0.02, -0.02, 0.005, -0.01, 0};
    Map<String, Double> all = Map.of("a", 10e3, "b", 9e3, "c", 5e3, "d", 4e3, "e", 3e3, "f", 2e3);
    List<ExecutionResults> executions = new ArrayList<>(reads(all, little));
    String before = card(executions);
    assertThat(before).startsWith("Reach for, provisionally: a");
    Map<String, Double> others = Map.of("c", 9e3, "d", 2e3);
    for (String scenario : List.of("small", "smaller")) {
      executions.add(named(scenario, reads(others, little), "0.00"));
    }
    assertThat(card(executions)).as("c was compared with d only").isEqualTo(before);
    assertThat(claims(page("use/reads.html", executions)))
        .contains(
            "c is not recommended: where it is among the best, it met only 1 of 5 other engines.");

    Map<String, Double> turned = Map.of("a", 2e3, "b", 3e3, "c", 4e3, "d", 5e3, "e", 9e3, "f", 8e3);
    ExecutionResults busy = named("busy", reads(turned, little), "0.43");
    executions.add(busy);
    assertThat(card(executions)).isEqualTo(before);
    assertThat(text(page("use/reads.html", executions)))
        .contains("It recommends nothing: others disturbed most runs");
    assertThat(page("use/reads.html", executions))
        .as("those that count come first")
        .containsSubsequence("<h3>example · get", "<h3>busy · get");
    assertThat(card(List.of(busy))).as("without another").startsWith("Reach for, provisionally: e");
  }

  /** Returns the same of engines that begin with {@code lib} in the client's process. */
  private static List<ExecutionResults> started(List<ExecutionResults> executions) {
    return executions.stream()
        .map(
            all ->
                Runs.results(
                    all.manifest(),
                    all.runs().stream()
                        .map(
                            run ->
                                Runs.from(run)
                                    .facts(
                                        Map.of(
                                            "way",
                                            run.engine().startsWith("lib")
                                                ? "embedded"
                                                : "process"))
                                    .build())
                        .toList()))
        .toList();
  }

  /** Every embedded engine is faster, so that in one list no server was among the best. */
  @Test
  void serversAreRecommendedApartFromEmbeddedEngines() {
    double[] little = {0.02, -0.02, 0.005, -0.01, 0};
    List<ExecutionResults> executions =
        started(
            reads(
                Map.of(
                    "lib-a", 900e3, "lib-b", 500e3, "lib-c", 400e3, "srv-a", 90e3, "srv-b", 60e3,
                    "srv-c", 20e3),
                little));
    String page = page("use/reads.html", executions);
    String alone = " in the only comparison that counts, as the single best: ";
    assertThat(claims(page.split("<h3>Servers</h3>", 2)[0]))
        .anyMatch(
            claim ->
                claim.startsWith(
                    "Reach for lib-a, provisionally: among the best of lib-a, lib-b and lib-c"
                        + alone))
        .noneMatch(claim -> claim.contains("srv"));
    assertThat(claims(page.split("<h3>Servers</h3>", 2)[1]))
        .contains(
            "Reach for srv-a, provisionally: among the best of srv-a, srv-b and srv-c"
                + alone
                + "89.9 k/s (example · get on unknown-0cpu).",
            "Avoid srv-c, provisionally: can be last, and is at least 2x behind the best of srv-a,"
                + " srv-b and srv-c, in the only comparison; furthest with 20.0 k/s against 89.9 k/s"
                + " of srv-a, 4.5x (4.3–4.7x) behind (example · get on unknown-0cpu).",
            "1 comparison of servers: a single best engine in 1.");
    assertThat(rows(page))
        .as("ranks of all engines together")
        .anyMatch(row -> row.startsWith("4|srv-a server|89.9 k/s"));
    assertThat(page.split("class=\"best\"", -1)).hasSize(3);
    assertThat(text(page("index.html", executions).split("<dt>Servers</dt>", 2)[1]).strip())
        .startsWith("Reach for, provisionally: srv-a");
    assertThat(claims(page("engine/srv-a.html", executions)))
        .contains(
            "Reach for it when you mostly read at fsync=off (writes are not synced), provisionally:"
                + " among the best of srv-a, srv-b and srv-c"
                + alone
                + "89.9 k/s (example · get on unknown-0cpu); no other server is recommended there.",
            "Nothing was found.");
    assertThat(rows(page("engine/srv-a.html", executions)))
        .contains(
            "Reads|example · get unknown-0cpu, fsync=off|throughput|89.9 k/s|4 of 6|1 of 3|10x (9.6–10.4x)|");
    assertThat(claims(page("engine/srv-c.html", executions)))
        .anyMatch(
            claim -> claim.matches("Avoid it when you mostly read .* of srv-a, 4.5x .* behind .*"));
  }

  @Test
  void anEngineWithoutAnotherOfItsKindIsNotCompared() {
    double[] little = {0.02, -0.02, 0.005, -0.01, 0};
    List<ExecutionResults> executions =
        started(reads(Map.of("lib", 900e3, "srv-a", 90e3, "srv-b", 60e3), little));
    for (String file : List.of("index.html", "use/reads.html")) {
      assertThat(claims(page(file, executions)))
          .contains("lib is the only embedded engine here, so none is recommended.");
    }
    assertThat(claims(page("use/reads.html", executions)))
        .anyMatch(claim -> claim.startsWith("Reach for srv-a, provisionally: "))
        .noneMatch(claim -> claim.matches("Reach for lib[:,].*"));
  }

  /** A quiet comparison of servers says nothing about embedded engines. */
  @Test
  void aDisturbedComparisonIsIgnoredOnlyForTheKindOfAQuietOne() {
    double[] little = {0.02, -0.02, 0.005, -0.01, 0};
    List<ExecutionResults> executions =
        new ArrayList<>(reads(Map.of("srv-a", 90e3, "srv-b", 60e3), little));
    executions.add(
        named(
            "busy",
            reads(Map.of("lib-a", 900e3, "lib-b", 500e3, "srv-a", 20e3, "srv-b", 30e3), little),
            "0.43"));
    String page = page("use/reads.html", started(executions));
    assertThat(claims(page))
        .anyMatch(claim -> claim.startsWith("Reach for lib-a, provisionally: "))
        .anyMatch(claim -> claim.startsWith("Reach for srv-a, provisionally: "));
    assertThat(text(page))
        .contains("It recommends no server: others disturbed most runs, and a quiet comparison");
  }

  /** Its records have no way, as only servers can fail before they have one. */
  @Test
  void aServerThatNeverStartsIsTheLastServer() {
    double[] little = {0.02, -0.02, 0.005, -0.01, 0};
    Map<String, Double> speeds =
        Map.of("lib-a", 900e3, "lib-b", 500e3, "srv-a", 90e3, "srv-b", 60e3);
    ExecutionResults started = started(reads(speeds, little)).get(0);
    Outcome failed = new Outcome.Failed("get", Cause.ENGINE, "it never answered");
    List<RunRecord> runs = new ArrayList<>(started.runs());
    for (int i = 1; i <= 5; i++) {
      runs.add(
          Runs.run("stuck")
              .at("fsync", "off")
              .repetition(i)
              .outcome(failed)
              .phases(Runs.phase("get", failed))
              .build());
    }
    List<String> engines = new ArrayList<>(started.engines());
    engines.add("stuck");
    ExecutionResults executions =
        Runs.results(Runs.manifest(engines).phases("get").repetitions(5).build(), runs);
    String page = page("use/reads.html", List.of(executions));
    assertThat(claims(page.split("<h3>Servers</h3>", 2)[1]))
        .anyMatch(claim -> claim.startsWith("Avoid stuck, provisionally: failed in the only"));
    assertThat(claims(page.split("<h3>Servers</h3>", 2)[0]))
        .noneMatch(claim -> claim.contains("stuck"));
  }

  /** Returns the same as of another scenario, in which others used a share of the machine. */
  private static ExecutionResults named(
      String scenario, List<ExecutionResults> executions, String share) {
    List<RunRecord> runs =
        executions.get(0).runs().stream()
            .map(
                run ->
                    Runs.from(run)
                        .phases(
                            Runs.phase("get")
                                .records(run.phases().get(0).operations())
                                .facts(Map.of("others.cpuShare", share))
                                .build())
                        .build())
            .toList();
    return Runs.results(
        Runs.manifest(executions.get(0).engines())
            .scenario(scenario)
            .phases("get")
            .repetitions(5)
            .build(),
        runs);
  }

  /** The sum of reads and writes would recommend the engine whose writes are slowest. */
  @Test
  void fastReadsOfOwnThreadsDoNotHideSlowWrites() {
    List<RunRecord> runs = new ArrayList<>();
    List<String> engines = List.of("reader", "both", "third", "fourth");
    for (int i = 0; i < 5; i++) {
      for (String engine : engines) {
        int place = engines.indexOf(engine);
        double noise = 1 + 0.01 * ((i + place) % 3 - 1);
        double writes = engine.equals("reader") ? 1e3 : engine.equals("both") ? 9e3 : 3e3;
        runs.add(
            Runs.run(engine)
                .at("fsync", "on")
                .repetition(i + 1)
                .phases(
                    Runs.phase("set-get")
                        .operation("readers:read", 5e5 / (place + 1) * noise)
                        .operation("writer:update", writes * noise)
                        .build())
                .build());
      }
    }
    List<ExecutionResults> executions =
        List.of(
            Runs.results(Runs.manifest(engines).phases("set-get").repetitions(5).build(), runs));
    assertThat(card(executions)).startsWith("No engine to reach for: none is among the best");
    assertThat(claims(page("index.html", executions)))
        .anyMatch(claim -> claim.startsWith("example · set-get · readers:read, throughput: reader"))
        .anyMatch(claim -> claim.startsWith("example · set-get · writer:update, throughput: both"));
    assertThat(claims(page("use/mixed.html", executions)))
        .noneMatch(claim -> claim.startsWith("Reach for "));
  }

  private static boolean says(List<String> claims, String begin) {
    return claims.stream().anyMatch(claim -> claim.startsWith(begin));
  }

  /** No crash of idle shows anything; another engine with one that does would be preferred. */
  @Test
  void anEngineThatMayLoseWritesIsNotRecommended() {
    List<ExecutionResults> executions = List.of(writes("on"), CrashExamples.cut("on"));
    assertThat(claims(page("use/durable.html", executions)))
        .contains(
            "idle is not recommended: in 4 power cuts it may lose writes: 4 of 4 power cuts proved"
                + " nothing (unknown-0cpu, example at fsync=on).")
        .anyMatch(claim -> claim.startsWith("Reach for honest, provisionally: "))
        .noneMatch(claim -> claim.matches("Reach for idle[:,].*"));
  }

  /** Returns writes, and reads with writes, in which {@code cheat} is as fast as two others. */
  private static ExecutionResults writes(String level) {
    List<RunRecord> runs = new ArrayList<>();
    Map<String, Double> speeds =
        Map.of("cheat", 9e3, "honest", 9.01e3, "idle", 9.02e3, "a", 3e3, "b", 2e3, "c", 1e3);
    List<String> engines = speeds.keySet().stream().sorted().toList();
    for (int i = 0; i < 5; i++) {
      for (String engine : engines) {
        double speed = speeds.get(engine) * (1 + 0.02 * ((i + engines.indexOf(engine)) % 3 - 1));
        Map<String, String> facts = Map.of("durability.level", level.replace("at-least-", ""));
        runs.add(
            Runs.run(engine)
                .at("fsync", level)
                .repetition(i + 1)
                .facts(facts)
                .phases(
                    Runs.phase("set").operation("update", speed).build(),
                    Runs.phase("both").operation("read", speed).operation("update", speed).build())
                .build());
      }
    }
    return Runs.results(
        Runs.manifest(engines).scenario("writes").phases("set", "both").repetitions(5).build(),
        runs);
  }

  /** Returns reads of caches, of which the fast one finds this many of 10,000 records. */
  private static List<ExecutionResults> caches(int found) {
    List<RunRecord> runs = new ArrayList<>();
    List<String> engines = List.of("fast", "slow", "slower");
    for (int i = 0; i < 5; i++) {
      for (String engine : engines) {
        boolean fast = engine.equals("fast");
        int hits = (fast ? found : engine.equals("slow") ? 7500 : 7510) + 3 * (i % 3);
        runs.add(
            Runs.run(engine)
                .at("fsync", "none")
                .repetition(i + 1)
                .phases(
                    Runs.phase("cache")
                        .operation("read", (fast ? 90e3 : 10e3) + 50 * ((i * 7) % 5))
                        .facts(
                            Map.of(
                                "reads.hits",
                                Integer.toString(hits),
                                "reads.misses",
                                Integer.toString(10_000 - hits)))
                        .build())
                .build());
      }
    }
    return List.of(
        Runs.results(Runs.manifest(engines).phases("cache").repetitions(5).build(), runs));
  }

  @Test
  void aFastCacheWithALowerHitRatioIsRecommendedOnlyWithThat() {
    String lower =
        "its hit ratio is lower: 70.0 % against 75.1 % of slower (example · cache on unknown-0cpu).";
    List<ExecutionResults> executions = caches(7000);
    String page = page("use/cache.html", executions);
    assertThat(claims(page))
        .anyMatch(
            claim ->
                claim.matches("Reach for fast, .*, as the single best: .*, but " + quote(lower)));
    assertThat(rows(page))
        .as("both rankings")
        .anyMatch(row -> row.startsWith("1|fast|90"))
        .anyMatch(row -> row.startsWith("3|fast|70.0 %|"));
    assertThat(page).contains("unknown-0cpu, throughput<", "unknown-0cpu, hit ratio<");
    assertThat(card(executions)).startsWith("Reach for, provisionally: fast (lower hit ratio)");
    assertThat(claims(page("engine/fast.html", executions)))
        .contains("Cache at fsync=none: " + lower);

    String equal = page("use/cache.html", caches(7420));
    assertThat(rows(equal)).anyMatch(row -> row.startsWith("3|fast|74.2 %|"));
    assertThat(claims(equal))
        .as("less than a percentage point below")
        .anyMatch(claim -> claim.startsWith("Reach for fast, provisionally: "))
        .noneMatch(claim -> claim.contains("hit ratio"));
  }

  @Test
  void memoryAfterUnequalWorkIsShownWithoutRanks() {
    List<RunRecord> runs = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      for (String engine : List.of("slow", "fast")) {
        boolean fast = engine.equals("fast");
        runs.add(
            Runs.run(engine)
                .at("fsync", "off")
                .repetition(i)
                .phases(
                    Runs.phase("set")
                        .at(Map.of("fsync", "off", "duration", "10s"))
                        .operation("update", fast ? 9_000 + i : 1_000 + i)
                        .memory((fast ? 90L << 20 : 10L << 20) + i)
                        .footprint((fast ? 9L << 30 : 3L << 30) + i)
                        .build())
                .build());
      }
    }
    List<ExecutionResults> executions =
        List.of(
            Runs.results(Runs.manifest("slow", "fast").phases("set").repetitions(3).build(), runs));
    for (String use : List.of("memory", "footprint")) {
      String page = page("use/" + use + ".html", executions);
      String why = "ot ranked, as a faster engine wrote more in phases of a fixed time.";
      assertThat(claims(page))
          .containsExactly(
              "Storage: medium unknown of unknown-0cpu.",
              "Nothing can be compared: n" + why,
              "With duration=10s.");
      assertThat(page).contains("<p>N" + why).doesNotContain("<svg", "class=\"best\"");
      boolean memory = use.equals("memory");
      assertThat(rows(page))
          .allMatch(row -> row.matches("-\\|(fast|slow)\\|.*\\|"))
          .extracting(row -> row.substring(0, row.lastIndexOf("±")))
          .containsExactly(
              memory ? "-|fast|90.0 MiB|" : "-|fast|9.0 GiB|",
              memory ? "-|slow|10.0 MiB|" : "-|slow|3.0 GiB|");
    }
    assertThat(text(page("index.html", executions))).doesNotContainPattern("Reach for[^\n]*slow");
    assertThat(claims(page("engine/slow.html", executions)))
        .contains("Memory after set: 10.0 MiB in 1 measurement.");
  }
}

package kvrank.site;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.results.ExecutionResults;
import kvrank.results.Outcome;
import kvrank.results.RunRecord;
import kvrank.stats.Runs;
import org.junit.jupiter.api.Test;

class RunsPageTest {

  private static final int EXECUTIONS = 60;
  private static final int REPETITIONS = 2;

  private static ExecutionResults execution(int day) {
    Instant begin = Runs.THEN.plus(Duration.ofDays(day));
    List<RunRecord> runs = new ArrayList<>();
    for (String engine : List.of("one", "other")) {
      for (int repetition = 1; repetition <= REPETITIONS; repetition++) {
        runs.add(
            Runs.run(engine)
                .at("fsync", "off")
                .repetition(repetition)
                .time(begin, Duration.ofMinutes(1))
                .throughput(1000 + day + repetition)
                .build());
      }
    }
    return new ExecutionResults(
        Path.of("results", "daily", "day-" + day),
        Runs.manifest("one", "other").scenario("daily").planned(begin).runs(runs).build(),
        new Facts().put(Fact.HOST, "alpha"),
        runs,
        List.of());
  }

  /** All runs count, whether listed or not: those of 1,000 executions would be 67 MB. */
  @Test
  void manyExecutionsHaveAPageOfTheNewestRuns() {
    List<ExecutionResults> executions = new ArrayList<>();
    for (int day = 0; day < EXECUTIONS; day++) {
      executions.add(execution(day));
    }
    Collections.reverse(executions);
    String page =
        Site.of(executions).entrySet().stream()
            .filter(each -> each.getKey().startsWith("runs/"))
            .map(each -> new String(each.getValue(), UTF_8))
            .findFirst()
            .orElseThrow();

    int all = EXECUTIONS * REPETITIONS;
    int first = EXECUTIONS - RunsPage.MOST / REPETITIONS;
    assertThat(all).isGreaterThan(RunsPage.MOST);
    assertThat(page)
        .contains("Runs that count: %d of %d.".formatted(2 * all, 2 * all))
        .contains(" The newest %d of each engine are listed.".formatted(RunsPage.MOST))
        .contains("class=\"file\">daily/day-%d</small>".formatted(EXECUTIONS - 1))
        .contains("class=\"file\">daily/day-%d</small>".formatted(first))
        .doesNotContain("class=\"file\">daily/day-%d</small>".formatted(first - 1));
    assertThat(page.split("class=\"file\"", -1)).hasSize(1 + 2 * RunsPage.MOST);
  }

  /** The figures of comparisons are of groups of threads, not of their sum. */
  @Test
  void groupsOfThreadsHaveAColumnEach() {
    List<RunRecord> runs = new ArrayList<>();
    for (int repetition = 1; repetition <= 3; repetition++) {
      runs.add(
          Runs.run("one")
              .repetition(repetition)
              .phases(
                  Runs.phase("set-get")
                      .operation("readers:read", 500_000)
                      .operation("writer:update", 3_000 + repetition)
                      .build(),
                  Runs.phase("get").operation("read", 400_000).build())
              .build());
    }
    String page =
        Site.of(
                List.of(
                    Runs.results(
                        Runs.manifest("one").phases("set-get", "get").repetitions(3).build(),
                        runs)))
            .entrySet()
            .stream()
            .filter(each -> each.getKey().startsWith("runs/"))
            .map(each -> new String(each.getValue(), UTF_8))
            .findFirst()
            .orElseThrow();
    String[] phases = page.split("<h2>get", 2);
    assertThat(phases[0].replaceAll("<[^>]*>", "|"))
        .containsPattern(
            "throughput\\|+throughput of readers:read\\|+throughput of writer:update\\|")
        .containsPattern("\\|503 k/s\\|+500 k/s\\|+3\\.00 k/s\\|");
    assertThat(phases[1]).contains("<th>throughput</th>").doesNotContain("throughput of");
  }

  @Test
  void aPageOfFewRunsListsAll() {
    String page =
        new String(
            Site.of(List.of(execution(1), execution(2))).entrySet().stream()
                .filter(each -> each.getKey().startsWith("runs/"))
                .findFirst()
                .orElseThrow()
                .getValue(),
            UTF_8);
    assertThat(page.split("class=\"file\"", -1)).hasSize(1 + 8);
    assertThat(page).doesNotContain("of each engine are listed");
  }

  /** 48 of the 78 rows of a page repeated one long error of missing engines. */
  @Test
  void runsWithoutFiguresShareARowIfTheySayTheSame() {
    List<RunRecord> runs = new ArrayList<>();
    for (int repetition = 1; repetition <= 3; repetition++) {
      runs.add(Runs.run("one").repetition(repetition).throughput(1000).build());
      runs.add(
          Runs.run("gone")
              .repetition(repetition)
              .outcome(new Outcome.Unavailable("no image"))
              .build());
    }
    List<String> rows =
        SitePages.rows(
            Site.of(
                    List.of(
                        Runs.results(Runs.manifest("one", "gone").repetitions(3).build(), runs)))
                .entrySet()
                .stream()
                .filter(each -> each.getKey().startsWith("runs/"))
                .map(each -> new String(each.getValue(), UTF_8))
                .findFirst()
                .orElseThrow());
    assertThat(rows)
        .filteredOn(row -> row.startsWith("gone"))
        .containsExactly("gone[]1 and 2 more|no|unavailable: no image|");
    assertThat(rows).filteredOn(row -> row.startsWith("one")).hasSize(3);
  }
}

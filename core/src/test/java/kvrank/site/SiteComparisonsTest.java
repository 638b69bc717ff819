package kvrank.site;

import static kvrank.site.SitePages.claims;
import static kvrank.site.SitePages.page;
import static kvrank.site.SitePages.reads;
import static kvrank.site.SitePages.rows;
import static kvrank.site.SitePages.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import kvrank.failure.Cause;
import kvrank.results.ExecutionResults;
import kvrank.results.Outcome;
import kvrank.results.RunRecord;
import kvrank.stats.RunBuilder;
import kvrank.stats.Runs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the comparisons of a site compare, and what they say about rows. */
class SiteComparisonsTest {

  private static final double[] LITTLE = {0.02, -0.02, 0.005, -0.01, 0};

  /** Returns the same executions with other runs. */
  private static List<ExecutionResults> with(
      List<ExecutionResults> executions, UnaryOperator<RunRecord> change) {
    return executions.stream()
        .map(all -> Runs.with(all, all.runs().stream().map(change).toList()))
        .toList();
  }

  @Test
  void aBaselineIsRankedWithoutAdvice() {
    Map<String, Double> speeds = Map.of("map", 90e3, "a", 50e3, "b", 20e3, "c", 5e3);
    List<ExecutionResults> executions =
        with(
            reads(speeds, LITTLE),
            run -> {
              RunBuilder builder = Runs.from(run);
              return builder
                  .facts(
                      run.engine().equals("map")
                          ? Map.of("way", "embedded", "baseline", "yes")
                          : Map.of("way", "embedded"))
                  .build();
            });
    String page = page("use/reads.html", executions);
    assertThat(rows(page)).anyMatch(row -> row.startsWith("1|map baseline|"));
    assertThat(claims(page))
        .anyMatch(claim -> claim.startsWith("Reach for a, provisionally: among the best of a, b"))
        .noneMatch(claim -> claim.matches("(Reach for|Avoid) map.*"));
    assertThat(claims(page("engine/map.html", executions)))
        .contains(
            "It is a data structure to compare engines with, not a product, so there is no advice about it.")
        .noneMatch(claim -> claim.contains("recommended"));
  }

  @Test
  void aComparisonSaysWhatItsRequestsAre(@TempDir Path folder) throws Exception {
    Files.writeString(
        folder.resolve("scenario.yaml"),
        "phases: [{as: get, workload: {description: Reads the newest records.}}]");
    List<ExecutionResults> executions =
        reads(Map.of("a", 50e3, "b", 20e3), LITTLE).stream()
            .map(
                all ->
                    new ExecutionResults(
                        folder, all.manifest(), all.environment(), all.runs(), all.unreadable()))
            .toList();
    assertThat(page("use/reads.html", executions)).contains("<p>Reads the newest records.</p>");
  }

  /** Noise kept lmdb from being separated from the first, and a better engine was. */
  @Test
  void noiseMakesNoEngineOneOfTheBest() {
    Map<String, Double> speeds =
        Map.of("a", 10e3, "precise", 7e3, "wild", 6e3, "d", 3e3, "e", 2e3, "f", 1e3);
    List<ExecutionResults> executions = reads(speeds, LITTLE);
    assertThat(rows(page("use/reads.html", executions)))
        .anyMatch(row -> row.matches("1–\\d\\|wild\\|.*"))
        .anyMatch(row -> row.matches("[2-9](–\\d)?\\|precise\\|.*"));
    assertThat(claims(page("use/reads.html", executions)))
        .anyMatch(claim -> claim.startsWith("Reach for a, provisionally"))
        .noneMatch(claim -> claim.startsWith("Reach for wild"));
  }

  /** After a load, kvrocks had half of the memory of redis; once it had read, twice as much. */
  @Test
  void memoryIsComparedAfterPhasesThatOnlyRead() {
    List<RunRecord> runs = new ArrayList<>();
    List<String> engines = List.of("cached", "plain", "third");
    for (int i = 1; i <= 5; i++) {
      for (String engine : engines) {
        int place = engines.indexOf(engine);
        long loaded = (new long[] {100, 200, 900}[place] << 20) + (i << 14);
        long read = (new long[] {700, 210, 950}[place] << 20) + (i << 14);
        Map<String, String> held = Map.of("user.liveBytes", "1000000");
        runs.add(
            Runs.run(engine)
                .at("fsync", "off")
                .repetition(i)
                .phases(
                    Runs.phase("load").load().operation("insert", 9_000 + i).memory(loaded).build(),
                    Runs.phase("get")
                        .operation("read", 9_000 + i)
                        .memory(read)
                        .facts(Map.of("user.writtenBytes", "0", "user.liveBytes", "1000000"))
                        .build(),
                    Runs.phase("set")
                        .operation("update", 9_000 + i)
                        .memory(read)
                        .facts(held)
                        .build())
                .build());
      }
    }
    List<ExecutionResults> executions =
        List.of(
            Runs.results(
                Runs.manifest(engines).phases("load", "get", "set").repetitions(5).build(), runs));
    String page = page("use/memory.html", executions);
    assertThat(rows(page))
        .filteredOn(row -> row.startsWith("1|"))
        .extracting(row -> row.substring(0, row.indexOf("|±")))
        .containsExactly("1|cached|100 MiB", "1|plain|210 MiB");
    assertThat(claims(page))
        .anyMatch(claim -> claim.startsWith("No engine to reach for: "))
        .contains("2 comparisons of engines: a single best engine in 2.");
  }

  @Test
  void anEngineThatCannotDoItIsNamedWithTheReason() {
    Map<String, Double> speeds = Map.of("a", 50e3, "b", 20e3, "c", 5e3);
    List<ExecutionResults> executions =
        with(
            reads(speeds, LITTLE),
            run ->
                run.engine().equals("c")
                    ? Runs.from(run)
                        .phases(List.of())
                        .outcome(new Outcome.Unsupported("it has no order of keys"))
                        .build()
                    : run);
    assertThat(text(page("use/reads.html", executions)))
        .contains("Not ranked", "c: unsupported: it has no order of keys");
  }

  /** It had a rank by the run that it survived, beside "counts as last". */
  @Test
  void anEngineThatFailsInMostRunsHasNoRank() {
    Map<String, Double> speeds = Map.of("a", 50e3, "b", 20e3, "c", 5e3);
    Outcome failed = new Outcome.Failed("get", Cause.ENGINE, "killed by the memory limit");
    List<ExecutionResults> executions =
        with(
            reads(speeds, LITTLE),
            run ->
                run.engine().equals("b") && run.repetition() > 1
                    ? Runs.from(run).phases(List.of()).outcome(failed).build()
                    : run);
    assertThat(claims(page("use/reads.html", executions)))
        .anyMatch(claim -> claim.startsWith("b counts as last: it failed in 4 of 5 runs"));
    assertThat(rows(page("use/reads.html", executions)))
        .anyMatch(row -> row.startsWith("last|b|19.6 k/s|n=1|"));
    assertThat(rows(page("engine/b.html", executions)))
        .anyMatch(row -> row.contains("|last|last|"));
  }

  /** The sum of both groups separates what the groups do not. */
  @Test
  void labelsOfAGroupOfThreadsAreItsOwn() {
    List<RunRecord> runs = new ArrayList<>();
    List<String> engines = List.of("a", "b", "c");
    for (int i = 0; i < 5; i++) {
      for (String engine : engines) {
        int place = engines.indexOf(engine);
        double noise = 1 + 0.01 * ((i + place) % 3 - 1);
        double wild = 1 + 0.3 * ((i + place) % 3 - 1);
        runs.add(
            Runs.run(engine)
                .at("fsync", "off")
                .repetition(i + 1)
                .phases(
                    Runs.phase("set-get")
                        .operation("readers:read", 5e5 / (place + 1) * noise)
                        .operation("writer:update", 1e3 * wild)
                        .build())
                .build());
      }
    }
    String page =
        page(
            "use/mixed.html",
            List.of(
                Runs.results(
                    Runs.manifest(engines).phases("set-get").repetitions(5).build(), runs)));
    String writers = page.substring(page.indexOf("set-get · writer:update</h3>"));
    assertThat(text(writers)).contains("a: not separated", "c: not separated");
    String readers = page.substring(page.indexOf("set-get · readers:read</h3>"));
    assertThat(text(readers.substring(0, readers.indexOf("<h3")))).doesNotContain("not separated");
  }
}

package kvrank.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a CI job relies on: exit statuses that follow from the engine and not from the machine.
 * Bounds and tolerances are so far from what is measured that no noise of a shared machine reaches
 * them.
 */
class CompareIT extends InstalledKvrank {

  @BeforeEach
  void addSlowEngine() throws IOException {
    Path folder = Files.createDirectory(home.resolve("bindings/slow"));
    Files.writeString(
        folder.resolve("engine.yaml"),
        """
        description: A map that is as slow as an option says.
        binding:
          class: kvrank.benchmarks.binding.SlowBinding
          classpath: ["%s"]
          properties: {delay-nanos: 200000}
        capabilities: [read, insert, update, delete]
        fsync:
          on: {unsupported: it stores nothing}
          off: {note: it stores nothing}
        embedded: true
        install: "nothing: it is part of a test"
        """
            .formatted(PROJECT.resolve("benchmarks/target/classes")));
  }

  /**
   * In turn: a neighbour that begins between two executions slows down all of the second, which no
   * number of repetitions distinguishes from a slower engine.
   */
  @Test
  void theSameEngineTwiceHasNoSignificantChange() throws Exception {
    scenario("same", "slow", 3, "[]");
    head("200000");

    Execution compare = compareInTurn("same", "90%");

    assertThat(compare.status()).as(compare.text()).isZero();
    assertThat(compare.text()).contains("no significant change");
  }

  @Test
  void anEngineThatTakesTwiceAsLongIsFound() throws Exception {
    scenario("fast", "{engine: slow, options: {delay-nanos: 200000}}", 5, "[]");
    scenario("slowed", "{engine: slow, options: {delay-nanos: 400000}}", 5, "[]");
    run("fast", "before", 0);
    run("slowed", "after", 0);

    Execution compare = compare("before", "after", "10%");

    assertThat(compare.status()).as(compare.text()).isEqualTo(1);
    // Of all metrics the median latency: a machine that takes the processor away at times changes
    // the throughput and the high percentiles of single repetitions, so that these may go unproven.
    assertThat(compare.text()).contains("slow, get, read at fsync=off: latency p50 +");
    assertThat(home.resolve("comparison/comparison.md")).content().contains("### Regression");
    assertThat(home.resolve("comparison/comparison.xml")).content().contains("<failure");

    Execution back = compare("after", "before", "10%");
    // One comparison in twenty may call something worse that is not, as is promised, so no
    // status.
    assertThat(back.status()).as(back.text()).isBetween(0, 1);
    assertThat(back.text()).contains("Improvement", "latency p50 −").doesNotContain("p50 +");
  }

  @Test
  void baseAndHeadAreRowsOfOneExecution() throws Exception {
    scenario("fast", "slow", 5, "[slow get throughput > 1]");
    head("300000");

    Execution compare = compareInTurn("fast", "5%");

    assertThat(compare.status()).as(compare.text()).isEqualTo(1);
    assertThat(compare.text()).contains("slow, get, read at fsync=off: latency p50 +");
    Execution again = kvrank("compare", "fast-base-head", "--tolerance", "10%");
    assertThat(again.status()).as(again.text()).isEqualTo(1);
    Execution tolerant = kvrank("compare", "fast-base-head", "--tolerance", "99%");
    assertThat(tolerant.status()).as(tolerant.text()).isLessThan(2);
    assertThat(tolerant.text())
        .as("half as much again is within the tolerance")
        .contains("within the tolerance")
        .doesNotContain("slow, get, read at fsync=off: latency p50 +");
  }

  @Test
  void aBrokenExpectationFailsTheRunAndIsInTheReports() throws Exception {
    // 200 µs for each request are at most 5,000 in a second, on any machine.
    scenario("expecting", "slow", 1, "[slow get throughput < 5_001, slow get read p50 < 100us]");

    Execution run = run("expecting", "expecting", 1);

    assertThat(run.text()).contains("No engine meets both requirements.", "✗ fails 1 of 2");
    Path report = home.resolve("expecting/latest/report");
    assertThat(report.resolve("expectations.xml"))
        .content()
        .contains("tests=\"2\" failures=\"1\"", "slow get read p50 &lt; 100us");
    assertThat(report.resolve("rankings.md")).content().contains("## Expectations");
    String before = Files.readString(report.resolve("expectations.xml"));
    Execution again = kvrank("report", home.resolve("expecting/latest").toString());
    assertThat(again.status()).as(again.text()).isZero();
    assertThat(report.resolve("expectations.xml")).content().isEqualTo(before);
  }

  /** Writes the engine of the head, with its delay in nanoseconds. */
  private void head(String nanos) throws IOException {
    Path other = Files.createDirectories(home.resolve("other/slow"));
    String engine = Files.readString(home.resolve("bindings/slow/engine.yaml"));
    Files.writeString(other.resolve("engine.yaml"), engine.replace("200000", nanos));
  }

  private Execution compareInTurn(String scenario, String tolerance) throws Exception {
    List<String> words = new ArrayList<>(List.of("compare", "--run", scenario));
    words.addAll(List.of("--base", "bindings", "--head", "other", "--tolerance", tolerance));
    words.addAll(List.of("--", "--no-wait"));
    return kvrank(words.toArray(String[]::new));
  }

  private Execution run(String scenario, String out, int status) throws Exception {
    Execution execution = kvrank("run", scenario, "--out", out);
    assertThat(execution.status()).as(execution.text()).isEqualTo(status);
    return execution;
  }

  private Execution compare(String before, String after, String tolerance) throws Exception {
    return Execution.start(
        home,
        home,
        "compare",
        before + "/latest",
        after + "/latest",
        "--tolerance",
        tolerance,
        "--out",
        "comparison");
  }

  private void scenario(String name, String engine, int repetitions, String expect)
      throws IOException {
    scenario(
        name,
        """
        name: compared
        question: Has it become slower?
        engines: [%s]
        fsync: off
        records: 500
        phases: [get]
        measure: {warmup: 0s, duration: 500ms}
        repetitions: %d
        expect: %s
        """
            .formatted(engine, repetitions, expect));
  }
}

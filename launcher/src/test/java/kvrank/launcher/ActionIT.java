package kvrank.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import kvrank.launcher.ActionFile.Step;
import org.junit.jupiter.api.Test;

/** The scripts of {@code action.yml} with the variables of a runner, after a push. */
class ActionIT extends InstalledKvrank {

  private final Map<String, String> values = new HashMap<>();

  /** Writes an engine whose requests take {@code nanos}, as an author's checkout has it. */
  private void engine(String folder, int nanos) throws IOException {
    Path slow = Files.createDirectories(home.resolve(folder).resolve("slow"));
    Files.writeString(
        slow.resolve("engine.yaml"),
        """
        description: A map that is as slow as an option says.
        binding:
          class: kvrank.benchmarks.binding.SlowBinding
          classpath: ["%s"]
          properties: {delay-nanos: %d}
        capabilities: [read, insert, update, delete]
        fsync:
          on: {unsupported: it stores nothing}
          off: {note: it stores nothing}
        embedded: true
        install: "nothing: it is part of a test"
        """
            .formatted(PROJECT.resolve("benchmarks/target/classes"), nanos));
  }

  /** Runs the scripts up to the verdict, and returns it. */
  private int push(String commit) throws Exception {
    values.put("github.event.pull_request.head.sha || github.sha", commit);
    Path output = home.resolve("output");
    int status = 0;
    for (Step step : ActionFile.read().steps()) {
      if (step.run().isEmpty() || step.name().equals("Comment")) {
        continue;
      }
      Files.writeString(output, "");
      Execution execution =
          Execution.shell(
              home,
              """
              export GITHUB_ACTION_PATH='%1$s' GITHUB_OUTPUT='%1$s/output'
              export GITHUB_STEP_SUMMARY='%1$s/summary'
              """
                      .formatted(home)
                  + step.script(values));
      status = execution.status();
      for (String line : Files.readAllLines(output)) {
        String[] pair = line.split("=", 2);
        values.put("steps.%s.outputs.%s".formatted(step.id(), pair[0]), pair[1]);
      }
      if (!step.name().equals("Verdict")) {
        assertThat(status).as("%s: %s", step.name(), execution.text()).isZero();
      }
    }
    return status;
  }

  @Test
  void pushesAreComparedAndBecomeAHistory() throws Exception {
    engine("bindings", 200_000);
    engine("head", 400_000);
    Files.createDirectory(home.resolve("bench"));
    Files.writeString(
        home.resolve("bench/mine.yaml"),
        """
        name: nightly
        question: Has it become slower?
        engines: [slow]
        fsync: off
        records: 500
        phases: [get]
        measure: {warmup: 0s, duration: 500ms}
        """);
    ActionFile.read().inputs().forEach((name, value) -> values.put("inputs." + name, value));
    values.put("inputs.scenario", "bench/mine.yaml");
    values.put("inputs.arguments", "--no-wait\n--set repetitions=5");
    values.put("inputs.base", "bindings");
    values.put("inputs.head", "head");

    assertThat(push("a".repeat(40))).as("twice as slow").isEqualTo(1);
    assertThat(home.resolve("summary")).content().contains("### Regression", "1 execution");
    assertThat(home.resolve("kvrank-report/bencher.json")).content().contains("slow, get");

    // The next push has the same engine on both sides.
    engine("bindings", 400_000);
    values.put("inputs.tolerance", "90%");
    values.put("inputs.arguments", "--no-wait\n--set repetitions=3");
    assertThat(push("b".repeat(40))).isZero();
    assertThat(home.resolve("kvrank-report/history.md"))
        .content()
        .contains("2 executions, from aaaaaaaaaa", "bbbbbbbbbb");
    try (Stream<Path> files = Files.walk(home.resolve("results"))) {
      assertThat(files.filter(Files::isRegularFile).map(file -> file.getFileName().toString()))
          .as("the cache has only what the history needs")
          .containsOnly("plan.json", "environment.json", "record.json");
    }

    // Without a base and a head, the scenario runs as it is.
    values.put("inputs.base", "");
    values.put("inputs.head", "");
    assertThat(push("c".repeat(40))).isZero();
    assertThat(home.resolve("kvrank-report/history.md"))
        .content()
        .contains("3 executions", "cccccccccc")
        .as("comparisons and runs are one line")
        .containsPattern("\\| slow +\\| get at [^|]+\\| throughput +\\| +3 \\|");
  }
}

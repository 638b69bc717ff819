package kvrank.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import kvrank.fact.Facts;
import kvrank.stats.Runs;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EvidenceTest {

  @TempDir private Path folder;

  private final RunRecord run = Runs.run("a").build();

  @Test
  void missingReportsAreEmpty() throws Exception {
    Evidence evidence = Evidence.of(results(folder, run));
    Map<String, Histogram> latencies = new TreeMap<>();

    assertThat(evidence.scenario()).isEmpty();
    evidence.addLatencies(run, latencies);
    assertThat(latencies).isEmpty();
    assertThat(evidence.timeline(run).intervals()).isEmpty();
  }

  @Test
  void aBrokenFileIsNamed() throws Exception {
    RunRecord completed = withPhase("get");
    ResultsDirectory directory = new ResultsDirectory(folder);
    Path log = directory.run(completed.id()).latencyLog();
    Files.createDirectories(log.getParent());
    Files.writeString(
        log,
        """
        #[Histogram log format version 1.3]
        "StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"
        Tag=get/read,0.018,0.157,5402623.000,HISTFAAAAex42j1SsYoUQRDtfl09zbA0yzAMy3
        """,
        StandardCharsets.UTF_8);

    Evidence evidence = Evidence.of(results(folder, completed));
    assertThatThrownBy(() -> evidence.addLatencies(completed, new TreeMap<>()))
        .isInstanceOf(UnreadableException.class)
        .hasMessageContaining("latency.hlog: broken or truncated");
  }

  @Test
  void mergedExecutionsKeepTheirOwnFilesAndTheirPhasesNewNames() throws Exception {
    List<ExecutionResults> parts = new ArrayList<>();
    for (String name : List.of("one", "two")) {
      ResultsDirectory directory = new ResultsDirectory(folder.resolve(name));
      RunRecord stored = withPhase("get");
      Files.createDirectories(directory.run(stored.id()).path());
      directory.run(stored.id()).write(stored);
      Files.writeString(directory.scenarioFile(), "name: " + name + "\n", StandardCharsets.UTF_8);
      Files.writeString(
          directory.run(stored.id()).timeline(),
          "phase,second,elapsed_ms,warmup,operation,ok,not_found,errors\nget,0,1000,false,read,"
              + name.length() * parts.size()
              + ",0,0\n",
          StandardCharsets.UTF_8);
      parts.add(results(directory.path(), withPhase("get (" + name + ")")));
    }
    ExecutionResults merged =
        new ExecutionResults(
            folder,
            parts.get(0).manifest(),
            new Facts(),
            parts.stream().flatMap(part -> part.runs().stream()).toList(),
            List.of(),
            List.of(),
            parts);

    Evidence evidence = Evidence.of(merged);

    assertThat(evidence.timeline(merged.runs().get(0)).rates("get (one)"))
        .containsExactly(new Timeline.Rate(0, 1000, 0));
    assertThat(evidence.timeline(merged.runs().get(1)).rates("get (two)"))
        .containsExactly(new Timeline.Rate(0, 1000, 3));
    assertThat(evidence.scenario()).contains("/one\nname: one\n", "/two\nname: two\n");
  }

  private static RunRecord withPhase(String name) {
    return Runs.run("a")
        .phases(Runs.phase(name).workload("get").operation("read", 1.0).build())
        .build();
  }

  private static ExecutionResults results(Path directory, RunRecord run) {
    return new ExecutionResults(
        directory, Runs.manifest("a").phases("get").build(), new Facts(), List.of(run), List.of());
  }
}

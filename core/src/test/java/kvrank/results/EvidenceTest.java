package kvrank.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import kvrank.stats.Runs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EvidenceTest {

  @TempDir private Path folder;

  private final RunRecord run = Runs.run("a", Map.of(), 1, new Outcome.Completed(), List.of());

  @Test
  void whatIsNotThereIsEmpty() throws Exception {
    Evidence evidence = Evidence.in(new ResultsDirectory(folder));

    assertThat(evidence.scenario()).isEmpty();
    assertThat(evidence.latencies(run)).isEmpty();
    assertThat(evidence.timeline(run).intervals()).isEmpty();
  }

  @Test
  void aBrokenFileIsNamed() throws Exception {
    ResultsDirectory directory = new ResultsDirectory(folder);
    Path log = directory.run(run.id()).latencyLog();
    Files.createDirectories(log.getParent());
    Files.writeString(
        log,
        """
        #[Histogram log format version 1.3]
        "StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"
        Tag=load/insert,0.018,0.157,5402623.000,HISTFAAAAex42j1SsYoUQRDtfl09zbA0yzAMy3
        """,
        StandardCharsets.UTF_8);

    assertThatThrownBy(() -> Evidence.in(directory).latencies(run))
        .isInstanceOf(UnreadableException.class)
        .hasMessageContaining("latency.hlog: broken or truncated");
  }
}

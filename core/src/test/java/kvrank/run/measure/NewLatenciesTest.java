package kvrank.run.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import kvrank.results.TaggedHistogram;
import org.HdrHistogram.HistogramLogWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NewLatenciesTest {

  @TempDir private Path folder;

  @Test
  void eachReadingBeginsAtTheEndOfTheLast() throws Exception {
    Path file = folder.resolve("latency.hlog");
    NewLatencies latencies = new NewLatencies(file);
    assertThat(latencies.read()).as("no file yet").isEmpty();
    try (PrintStream out =
        new PrintStream(Files.newOutputStream(file), true, StandardCharsets.UTF_8)) {
      HistogramLogWriter writer = new HistogramLogWriter(out);
      writer.outputLegend();
      writer.outputIntervalHistogram(0, 1, TaggedHistogram.of("first/read", 1_000, 2_000), 1.0);
      writer.outputIntervalHistogram(1, 2, TaggedHistogram.of("first/read", 3_000), 1.0);
      assertThat(latencies.read().get("first/read").getTotalCount()).isEqualTo(3);

      assertThat(latencies.read()).isEmpty();
      writer.outputIntervalHistogram(2, 3, TaggedHistogram.of("second/read", 4_000), 1.0);
      assertThat(latencies.read()).containsOnlyKeys("second/read");
    }
  }
}

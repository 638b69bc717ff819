package kvrank.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.metric.Latency;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LatencyLogTest {

  @TempDir private Path folder;

  @Test
  void addsUpTheIntervalsOfEachTag() throws Exception {
    Path file = folder.resolve("latency.hlog");
    try (PrintStream out =
        new PrintStream(Files.newOutputStream(file), true, StandardCharsets.UTF_8)) {
      HistogramLogWriter writer = new HistogramLogWriter(out);
      writer.outputLegend();
      writer.outputIntervalHistogram(0, 1, TaggedHistogram.of("get/read", 1_000, 2_000), 1.0);
      writer.outputIntervalHistogram(1, 2, TaggedHistogram.of("get/read", 3_000), 1.0);
      writer.outputIntervalHistogram(1, 2, TaggedHistogram.of("load/insert", 5_000_000), 1.0);
    }

    SortedMap<String, Histogram> histograms = LatencyLog.read(file);

    assertThat(histograms).containsOnlyKeys("get/read", "load/insert");
    assertThat(histograms.get("get/read").getTotalCount()).isEqualTo(3);
    assertThat(histograms.get("get/read").getMaxValue()).isBetween(2_990L, 3_010L);
  }

  @Test
  void hasTheCountsOfHdrHistogram() throws Exception {
    Random random = new Random(1);
    Histogram written = new Histogram(3);
    written.setTag("get/read");
    for (int i = 0; i < 20_000; i++) {
      written.recordValueWithCount((long) Math.exp(random.nextDouble() * 40), 1L << (i % 40));
    }
    Histogram fewDigits = new Histogram(2);
    fewDigits.setTag("load/insert");
    fewDigits.recordValueWithCount(123_456, 7);
    Path file = folder.resolve("latency.hlog");
    try (PrintStream out =
        new PrintStream(Files.newOutputStream(file), true, StandardCharsets.UTF_8)) {
      HistogramLogWriter writer = new HistogramLogWriter(out);
      writer.outputIntervalHistogram(0, 1, written, 1.0);
      writer.outputIntervalHistogram(0, 1, fewDigits, 1.0);
    }

    SortedMap<String, Histogram> read = LatencyLog.read(file);

    assertThat(read.get("get/read")).isEqualTo(written);
    assertThat(read.get("load/insert").getTotalCount()).isEqualTo(7);
    assertThat(LatencyLog.summary(read.get("get/read"))).isEqualTo(LatencyLog.summary(written));
  }

  @Test
  void aTagThatRepeatsIsAddedUp() throws Exception {
    Histogram interval = TaggedHistogram.of("get/read");
    for (long value = 1; value < 1L << 40; value += 1 + value / 1_000) {
      interval.recordValue(value);
    }
    Histogram sum = new Histogram(3);
    Path file = folder.resolve("latency.hlog");
    try (PrintStream out =
        new PrintStream(Files.newOutputStream(file), true, StandardCharsets.UTF_8)) {
      HistogramLogWriter writer = new HistogramLogWriter(out);
      for (int i = 0; i < 20; i++) {
        writer.outputIntervalHistogram(i, i + 1, interval, 1.0);
        sum.add(interval);
      }
    }
    assertThat(LatencyLog.read(file).get("get/read")).isEqualTo(sum);
  }

  @Test
  void aBrokenFileDoesNotCountInPart() throws Exception {
    Path file = folder.resolve("latency.hlog");
    try (PrintStream out =
        new PrintStream(Files.newOutputStream(file), true, StandardCharsets.UTF_8)) {
      new HistogramLogWriter(out)
          .outputIntervalHistogram(0, 1, TaggedHistogram.of("get/read", 1_000, 2_000), 1.0);
      out.println("Tag=get/read,1,1,1,HISTF");
    }
    SortedMap<String, Histogram> sums = new TreeMap<>();

    assertThatThrownBy(() -> LatencyLog.addTo(sums, file, tag -> tag))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("line 2: ");
    assertThat(sums).isEmpty();
  }

  @Test
  void missingFileHasNoLatencies() {
    assertThat(LatencyLog.read(folder.resolve("none.hlog"))).isEmpty();
  }

  @Test
  void givesOnlyPercentilesThatTheSampleSupports() {
    Histogram histogram = new Histogram(3);
    for (int i = 1; i <= 1000; i++) {
      histogram.recordValue(i);
    }

    Latency latency = LatencyLog.summary(histogram);

    assertThat(latency.count()).isEqualTo(1000);
    assertThat(latency.min()).isEqualTo(1);
    assertThat(latency.p50()).hasValue(500);
    assertThat(latency.p99()).hasValue(990);
    assertThat(latency.p999()).isEqualTo(OptionalLong.empty());
    assertThat(latency.max()).isEqualTo(1000);
  }
}

package kvrank.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.HdrHistogram.HistogramLogWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GeneratorFilesTest {

  private static final String HEADING = Timeline.HEADING + "\n";

  @TempDir private Path folder;

  @Test
  void theHistogramsOfThePartsAreThatOfTheWhole() throws Exception {
    RunDirectory directory = new RunDirectory(folder);
    GeneratorFiles files = new GeneratorFiles(directory, 3);
    Random random = new Random(1);
    Histogram whole = new Histogram(3);
    for (int generator = 0; generator < 3; generator++) {
      Histogram part = new Histogram(3);
      for (int i = 0; i < 10_000; i++) {
        part.recordValue((long) Math.exp(random.nextDouble() * 24));
      }
      whole.add(part);
      files.append(generator, "latency.hlog", log("get/read", part) + log("set/read", part));
      files.append(generator, "timeline.csv", HEADING);
    }
    files.merge("get", "get,0\n", List.of(0L, 0L, 0L));

    SortedMap<String, Histogram> merged = LatencyLog.read(directory.latencyLog());
    assertThat(merged).containsOnlyKeys("get/read");
    assertThat(merged.get("get/read")).isEqualTo(whole);
    files.merge("set", "set,0\n", List.of(0L, 0L, 0L));
    assertThat(LatencyLog.read(directory.latencyLog())).containsOnlyKeys("get/read", "set/read");
    assertThat(directory.generators()).content().endsWith("\nget,0\nset,0\n");
  }

  @Test
  void intervalsOfGeneratorsAreByTheControllersClock() throws Exception {
    RunDirectory directory = new RunDirectory(folder);
    long nanos = -5_000_000_000L;
    GeneratorFiles files = new GeneratorFiles(directory, 2, 1_700_000_000_000L, nanos);
    Histogram any = new Histogram(3);
    any.recordValue(1);
    // The first one's worker started 40 s earlier, and its clock is a day fast.
    files.append(
        0,
        "latency.hlog",
        log("get/warmup/read", any, 49, 50)
            + log("get/read", any, 50, 52)
            + log("get/hiccup", any, 49.5, 52.1));
    files.append(1, "latency.hlog", log("get/read", any, 10, 12.5));
    files.append(0, "timeline.csv", HEADING);
    files.append(1, "timeline.csv", HEADING);
    files.merge("get", "", List.of(nanos + 7_000_000_000L, nanos + 7_004_000_000L));

    Map<String, String> intervals = new LinkedHashMap<>();
    try (HistogramLogReader reader = new HistogramLogReader(directory.latencyLog().toFile())) {
      while (reader.hasNext()) {
        Histogram each = (Histogram) reader.nextIntervalHistogram();
        intervals.put(each.getTag(), each.getStartTimeStamp() + " " + each.getEndTimeStamp());
      }
      assertThat(reader.getStartTimeSec()).isEqualTo(1_700_000_000);
    }
    assertThat(intervals)
        .containsExactly(
            entry("get/warmup/read", "1700000006000 1700000007000"),
            entry("get/hiccup", "1700000006500 1700000009100"),
            entry("get/read", "1700000007000 1700000009504"));
  }

  private static String log(String tag, Histogram histogram) {
    return log(tag, histogram, 0, 1);
  }

  private static String log(String tag, Histogram histogram, double start, double end) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    histogram.setTag(tag);
    new HistogramLogWriter(new PrintStream(bytes, true, StandardCharsets.UTF_8))
        .outputIntervalHistogram(start, end, histogram, 1.0);
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void theCountsOfEachSecondAreAdded() throws Exception {
    RunDirectory directory = new RunDirectory(folder);
    GeneratorFiles files = new GeneratorFiles(directory, 2);
    String warm = "get,0,500,true,read,5,0,0,\n";
    files.append(0, "timeline.csv", HEADING + "load,0,9,false,insert,1,0,0,\n" + warm);
    files.append(
        0, "timeline.csv", "get,0,1000,true,read,1,0,0,\nget,0,1000,false,read,6,1,0,700\n");
    files.append(0, "timeline.csv", "get,1,2000,false,read,20,0,0,\n");
    files.append(1, "timeline.csv", HEADING + "get,0,502,true,read,7,0,2,\n");
    files.append(1, "timeline.csv", "get,0,1003,false,read,8,0,0,900\n");
    files.merge("get", "", List.of(0L, 0L));

    assertThat(directory.timeline())
        .content()
        .isEqualTo(
            HEADING
                + "get,0,502,true,read,12,0,2,\n"
                + "get,0,1003,false,read,14,1,0,900\n"
                + "get,0,1003,true,read,1,0,0,\n"
                + "get,1,2000,false,read,20,0,0,\n");
  }
}

package kvrank.results;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/** The files of a run whose load came from several machines, and their sums. */
public record GeneratorFiles(RunDirectory directory, int number) {

  private static final String HEADING =
      "phase,generator,host,cores,clients,ok,cpu_seconds,hiccup_p99_nanos,hiccup_max_nanos,"
          + "late_nanos,time_of_day_offset_nanos,clock_bound_nanos\n";
  private static final double NANOSECONDS = 1.0;

  public void append(int generator, String file, String text) throws IOException {
    Path folder = directory.generator(generator).path();
    Files.createDirectories(folder);
    add(folder.resolve(file), text);
  }

  private static void add(Path file, String text) throws IOException {
    Files.writeString(file, text, CREATE, APPEND);
  }

  /** Adds a phase to the run's files, and {@code rows} to {@code generators.csv}. */
  public void merge(String phase, String rows) throws IOException, UnreadableException {
    Path list = directory.generators();
    add(list, Files.exists(list) ? rows : HEADING + rows);
    SortedMap<String, Histogram> sums = new TreeMap<>();
    List<Timeline> timelines = new ArrayList<>();
    for (int generator = 0; generator < number; generator++) {
      RunDirectory ofGenerator = directory.generator(generator);
      LatencyLog.addTo(
          sums, ofGenerator.latencyLog(), tag -> tag.startsWith(phase + "/") ? tag : "");
      timelines.add(Timeline.read(ofGenerator.timeline()));
    }
    Path log = directory.latencyLog();
    boolean isNew = !Files.exists(log);
    try (OutputStream out = Files.newOutputStream(log, CREATE, APPEND)) {
      HistogramLogWriter writer = new HistogramLogWriter(out);
      if (isNew) {
        writer.outputComment("[kvrank: nanoseconds, all generators together]");
        writer.outputLogFormatVersion();
        writer.outputLegend();
      }
      for (Map.Entry<String, Histogram> sum : sums.entrySet()) {
        sum.getValue().setTag(sum.getKey());
        writer.outputIntervalHistogram(0, 0, sum.getValue(), NANOSECONDS);
      }
    }
    Path timeline = directory.timeline();
    String sum = Timeline.sum(timelines, phase).text();
    add(timeline, Files.exists(timeline) ? sum : Timeline.HEADING + "\n" + sum);
  }
}

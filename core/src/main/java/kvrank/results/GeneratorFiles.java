package kvrank.results;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.HistogramLogWriter;

/**
 * The files of a run whose load came from several machines, and their sums.
 *
 * @param epochMillis the start of the run by this machine's clock
 * @param nanos the same instant, by {@link System#nanoTime}
 */
public record GeneratorFiles(RunDirectory directory, int number, long epochMillis, long nanos) {

  private static final String HEADING =
      "phase,generator,host,cores,clients,ok,cpu_seconds,hiccup_p99_nanos,hiccup_max_nanos,"
          + "late_nanos,time_of_day_offset_nanos,clock_bound_nanos\n";
  private static final double NANOSECONDS = 1.0;

  /** Creates the files of a run that starts now. */
  public GeneratorFiles(RunDirectory directory, int number) {
    this(directory, number, System.currentTimeMillis(), System.nanoTime());
  }

  public void append(int generator, String file, String text) throws IOException {
    Path folder = directory.generator(generator).path();
    Files.createDirectories(folder);
    add(folder.resolve(file), text);
  }

  private static void add(Path file, String text) throws IOException {
    Files.writeString(file, text, CREATE, APPEND);
  }

  /**
   * Adds a phase to the run's files, and {@code rows} to {@code generators.csv}. Each histogram's
   * interval lasts from the earliest start to the latest end on any machine, by this one's clock.
   *
   * @param began the start of the measured time on each machine, by {@link System#nanoTime} here
   */
  public void merge(String phase, String rows, List<Long> began)
      throws IOException, UnreadableException {
    Path list = directory.generators();
    add(list, Files.exists(list) ? rows : HEADING + rows);
    Map<String, LatencyLog.Recorded> sums = new HashMap<>();
    List<Timeline> timelines = new ArrayList<>();
    for (int generator = 0; generator < number; generator++) {
      RunDirectory ofGenerator = directory.generator(generator);
      Map<String, LatencyLog.Recorded> own =
          LatencyLog.read(ofGenerator.latencyLog(), tag -> tag.startsWith(phase + "/") ? tag : "");
      double here = (began.get(generator) - nanos) / 1e9;
      double there =
          own.entrySet().stream()
              .filter(each -> measured(each.getKey(), phase))
              .mapToDouble(each -> each.getValue().interval().start())
              .findFirst()
              .orElse(here);
      own.forEach(
          (tag, each) -> sums.merge(tag, each.later(here - there), LatencyLog.Recorded::and));
      timelines.add(Timeline.read(ofGenerator.timeline()));
    }
    Path log = directory.latencyLog();
    boolean isNew = !Files.exists(log);
    try (OutputStream out = Files.newOutputStream(log, CREATE, APPEND)) {
      HistogramLogWriter writer = new HistogramLogWriter(out);
      if (isNew) {
        writer.outputComment("[kvrank: nanoseconds, all generators together]");
        writer.outputLogFormatVersion();
        writer.outputStartTime(epochMillis);
        writer.outputBaseTime(epochMillis);
        writer.outputLegend();
      }
      for (String tag : inOrder(sums)) {
        LatencyLog.Recorded sum = sums.get(tag);
        sum.histogram().setTag(tag);
        LatencyLog.Interval interval = sum.interval();
        writer.outputIntervalHistogram(
            interval.start(), interval.end(), sum.histogram(), NANOSECONDS);
      }
    }
    Path timeline = directory.timeline();
    String sum = Timeline.sum(timelines, phase).text();
    add(timeline, Files.exists(timeline) ? sum : Timeline.HEADING + "\n" + sum);
  }

  /** Returns whether the interval of {@code tag} is the measured time. */
  private static boolean measured(String tag, String phase) {
    String rest = tag.substring(phase.length() + 1);
    return !rest.contains("/") && !rest.equals("hiccup");
  }

  private static List<String> inOrder(Map<String, LatencyLog.Recorded> sums) {
    return sums.keySet().stream()
        .sorted(
            Comparator.comparingDouble((String tag) -> sums.get(tag).interval().start())
                .thenComparing(Comparator.naturalOrder()))
        .toList();
  }
}

package kvrank.report.figure;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Collectors;
import kvrank.input.Readers;
import kvrank.metric.Unit;
import kvrank.report.block.Quantities;
import kvrank.report.chart.Chart;
import kvrank.results.Evidence;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;
import kvrank.results.Timeline;
import kvrank.results.UnreadableException;
import kvrank.stats.Group;
import kvrank.stats.RankingIndex;
import org.HdrHistogram.Histogram;

/** The raw series of completed phases as charts show them, read once. */
public final class RawSeries {

  /** Points of a percentile curve for each power of ten. */
  private static final int STEPS = 12;

  /** The same in a report of many comparison groups. */
  private static final int FEW_STEPS = 3;

  private static final int MANY = 40;

  /** A percentile is drawn only if at least this many requests lie beyond it. */
  private static final int BEYOND = 10;

  /** The most points of a timeline in a report of few comparison groups. */
  private static final int MOST_POINTS = 120;

  private static final int FEWEST_POINTS = 12;

  /** The series of one engine at one factor point, by phase, or {@code phase/operation}. */
  private record Key(String engine, SortedMap<String, String> point, String tag) {}

  @FunctionalInterface
  private interface Reading {
    void read() throws UnreadableException;
  }

  private final Evidence evidence;
  private final int most;
  private final int steps;
  private final Map<Key, List<Chart.Point>> series = new ConcurrentHashMap<>();
  private final SortedSet<String> unreadable = new ConcurrentSkipListSet<>();
  private String scenario = "";

  public RawSeries(RankingIndex index, Evidence evidence) {
    this.evidence = evidence;
    this.steps = index.phaseGroups().size() > MANY ? FEW_STEPS : STEPS;
    this.most =
        Math.max(FEWEST_POINTS, MOST_POINTS * 20 / Math.max(20, index.phaseGroups().size()));
    attempt(() -> scenario = evidence.scenario());
    Collection<List<RunRecord>> repetitions =
        index.results().runs().stream()
            .collect(Collectors.groupingBy(run -> new Key(run.engine(), run.factors(), "")))
            .values();
    try {
      Readers.forEach(repetitions, this::read);
    } catch (IOException e) {
      unreadable.add(e.getMessage());
    }
  }

  private void attempt(Reading reading) {
    try {
      reading.read();
    } catch (UnreadableException e) {
      unreadable.add(e.getMessage());
    }
  }

  /** Reads the repetitions of one engine at one factor point. */
  private void read(List<RunRecord> runs) {
    Map<String, Histogram> latencies = new HashMap<>();
    Map<String, List<List<Timeline.Rate>>> rates = new HashMap<>();
    for (RunRecord run : runs) {
      attempt(() -> evidence.addLatencies(run, latencies));
      attempt(
          () -> {
            Timeline timeline = evidence.timeline(run);
            for (PhaseRecord phase : run.phases()) {
              if (phase.outcome() instanceof Outcome.Completed) {
                String name = phase.name();
                rates.computeIfAbsent(name, any -> new ArrayList<>()).add(timeline.rates(name));
              }
            }
          });
    }
    RunRecord any = runs.get(0);
    latencies.forEach((tag, histogram) -> series.put(key(any, tag), curve(histogram)));
    rates.forEach((phase, all) -> series.put(key(any, phase), timeline(all)));
  }

  private static Key key(RunRecord run, String tag) {
    return new Key(run.engine(), run.factors(), tag);
  }

  /** Goes once through the values, as {@code getValueAtPercentile} would for each point. */
  private List<Chart.Point> curve(Histogram histogram) {
    List<Chart.Point> points = new ArrayList<>();
    long reached = 0;
    long next = 0; // the lowest value that is not counted yet
    double value = 1;
    for (int i = 0; ; i++) {
      double x = (double) i / steps;
      double beyond = Math.pow(10, -x);
      if (histogram.getTotalCount() * beyond < BEYOND) {
        return points;
      }
      while (reached < histogram.getTotalCount() * (1 - beyond) || reached == 0) {
        reached += histogram.getCountAtValue(next);
        next = histogram.nextNonEquivalentValue(next);
        value = (double) (next - 1);
      }
      double digits = Math.pow(10, Math.ceil(x) + 1);
      String percentile = Quantities.percent(Math.round(100 * (1 - beyond) * digits) / digits);
      String text = percentile + " " + Quantities.of(Unit.NANOSECONDS, value);
      points.add(new Chart.Point(x, Chart.Measure.of(Math.max(1, value)), text));
    }
  }

  /**
   * Returns the median of the repetitions in intervals of equal length, with their range. One of
   * the intervals begins at the end of the warm-ups.
   */
  private List<Chart.Point> timeline(List<List<Timeline.Rate>> repetitions) {
    List<Timeline.Rate> all = repetitions.stream().flatMap(List::stream).toList();
    long start = all.stream().mapToLong(Timeline.Rate::fromMillis).min().orElse(0);
    long end = all.stream().mapToLong(Timeline.Rate::toMillis).max().orElse(0);
    int stretches = Math.min(most, repetitions.stream().mapToInt(List::size).max().orElse(0));
    double step = (double) (end - start) / Math.max(1, stretches);
    SortedMap<Integer, List<Double>> means = new TreeMap<>();
    for (List<Timeline.Rate> rates : repetitions) {
      rates.stream()
          .collect(
              Collectors.groupingBy(
                  rate -> (int) Math.floor((rate.fromMillis() + rate.toMillis()) / 2.0 / step),
                  Collectors.averagingDouble(Timeline.Rate::perSecond)))
          .forEach((i, mean) -> means.computeIfAbsent(i, any -> new ArrayList<>()).add(mean));
    }
    List<Chart.Point> points = new ArrayList<>();
    means.forEach(
        (i, values) -> {
          Chart.Measure range = ChartParts.range(values.stream().mapToDouble(mean -> mean));
          points.add(new Chart.Point((i + 0.5) * step / 1e3, range, ""));
        });
    return points;
  }

  /** Returns a message for each damaged file. */
  public List<String> unreadable() {
    return List.copyOf(unreadable);
  }

  /** Returns the resolved scenario; may be empty. */
  public String scenario() {
    return scenario;
  }

  /** Returns the latency of an operation by percentile, over all repetitions together. */
  List<Chart.Point> latencies(Group operation, String engine) {
    String tag = operation.phase() + "/" + operation.operation().orElseThrow();
    return series.getOrDefault(new Key(engine, operation.factors(), tag), List.of());
  }

  /**
   * Returns throughput over time, in seconds after the end of each repetition's warm-up: the median
   * of the repetitions with their range.
   */
  List<Chart.Point> timeline(Group phaseGroup, String engine) {
    return series.getOrDefault(
        new Key(engine, phaseGroup.factors(), phaseGroup.phase()), List.of());
  }
}

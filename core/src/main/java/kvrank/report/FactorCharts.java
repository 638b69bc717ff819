package kvrank.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.report.chart.Axis;
import kvrank.report.chart.Chart;
import kvrank.report.chart.Look;
import kvrank.report.chart.Measure;
import kvrank.stats.Estimate;
import kvrank.stats.Group;
import kvrank.stats.QualityFlag;
import kvrank.stats.RankingIndex;
import kvrank.stats.Standing;

/** What a factor with numeric values does to each engine in a phase. */
final class FactorCharts {

  private static final String RATE = "rate";
  private static final String NUMBER = "[0-9]+(\\.[0-9]+)?";

  private final RankingIndex index;
  private final Map<String, Look> looks;

  FactorCharts(RankingIndex index, Map<String, Look> looks) {
    this.index = index;
    this.looks = looks;
  }

  /**
   * The charts of a phase, one for each factor with enough values and each point of the others.
   *
   * @param wholes the phase at its factor points
   */
  List<Block> of(List<Group> wholes) {
    List<Block> figures = new ArrayList<>();
    for (String factor : wholes.get(0).varying()) {
      Map<SortedMap<String, String>, List<Group>> sweeps = new LinkedHashMap<>();
      for (Group whole : wholes) {
        SortedMap<String, String> others = new TreeMap<>(whole.factors());
        if (others.getOrDefault(factor, "").matches(NUMBER)) {
          others.remove(factor);
          sweeps.computeIfAbsent(others, any -> new ArrayList<>()).add(whole);
        }
      }
      for (List<Group> sweep : sweeps.values()) {
        if (sweep.size() >= GroupCharts.FEWEST) {
          measured(factor, sweep)
              .forEach(groups -> figures.add(new Block.Figure(() -> chart(factor, groups))));
        }
      }
    }
    return figures;
  }

  /** Where the rate is given, the latency of each operation is the result. */
  private Collection<List<Group>> measured(String factor, List<Group> sweep) {
    if (!factor.equals(RATE)) {
      return List.of(sweep);
    }
    Map<String, List<Group>> operations = new TreeMap<>();
    for (Group whole : sweep) {
      for (Group group : index.operations(whole)) {
        String name = group.operation().orElseThrow();
        operations.computeIfAbsent(name, any -> new ArrayList<>()).add(group);
      }
    }
    return operations.values();
  }

  private static Metric metric(String factor) {
    return factor.equals(RATE) ? Metrics.LATENCY_P99 : Metrics.THROUGHPUT;
  }

  private Optional<Chart> chart(String factor, List<Group> sweep) {
    Metric metric = metric(factor);
    List<Chart.Line> lines = new ArrayList<>();
    for (String engine : index.engines()) {
      List<Chart.Point> points =
          sweep.stream().flatMap(group -> point(factor, group, engine).stream()).toList();
      if (points.size() > 1) {
        lines.add(new Chart.Line(looks.get(engine), engine, points));
      }
    }
    if (lines.isEmpty()) {
      return Optional.empty();
    }
    List<Measure> measures = Drawing.measures(lines);
    Axis y =
        metric.equals(Metrics.THROUGHPUT)
            ? Drawing.axis("successful operations per second", metric.unit(), measures)
            : Drawing.log("p99 latency", metric.unit(), measures);
    Chart.Caption caption = caption(factor, sweep.get(0));
    return Optional.of(new Chart.Lines(caption, axis(factor, sweep), y, lines));
  }

  private Optional<Chart.Point> point(String factor, Group group, String engine) {
    String value = group.factors().get(factor);
    Optional<Standing> standing = index.standing(group, metric(factor), engine);
    if (standing.isEmpty()) {
      return Optional.empty();
    }
    Estimate estimate = standing.get().estimate();
    String text = Drawing.text(metric(factor).unit(), estimate);
    return Optional.of(
        new Chart.Point(
            Double.parseDouble(value),
            Drawing.measure(estimate),
            engine + " at " + factor + "=" + value + ": " + text,
            index.flags(group, engine).stream()
                .anyMatch(flag -> flag.kind() == QualityFlag.Kind.SATURATED)));
  }

  private static Axis axis(String factor, List<Group> sweep) {
    List<Axis.Tick> ticks =
        sweep.stream()
            .map(group -> group.factors().get(factor))
            .map(value -> new Axis.Tick(Double.parseDouble(value), value))
            .toList();
    double low = ticks.stream().mapToDouble(Axis.Tick::at).min().orElse(1);
    double high = ticks.stream().mapToDouble(Axis.Tick::at).max().orElse(1);
    boolean log = low > 0 && high / low >= 4;
    double margin = log ? Math.pow(high / low, 0.04) : (high - low) * 0.04;
    return new Axis(
        factor + (log ? ", log scale" : ""),
        log ? low / margin : low - margin,
        log ? high * margin : high + margin,
        log,
        ticks);
  }

  private static Chart.Caption caption(String factor, Group group) {
    boolean rate = factor.equals(RATE);
    List<String> name = new ArrayList<>(List.of("factor", factor, group.phase()));
    group.operation().ifPresent(name::add);
    List<String> others = new ArrayList<>();
    for (String other : group.varying()) {
      if (!other.equals(factor)) {
        name.add(Drawing.setting(other, group));
        others.add(other + "=" + group.factors().getOrDefault(other, ""));
      }
    }
    String what = rate ? "p99 of " + group.operation().orElseThrow() : "Throughput";
    String title = what + " by " + factor;
    String at = others.isEmpty() ? "" : " at " + String.join(", ", others);
    String where = group.phase() + at;
    String reading =
        "Medians with their intervals" + (rate ? "; hollow: the rate was not kept." : ".");
    String summary = title + ", " + where + ". The table of the phase says it.";
    return new Chart.Caption(Drawing.fileName(name), title, where, reading, summary);
  }
}

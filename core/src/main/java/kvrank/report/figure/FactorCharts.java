package kvrank.report.figure;

import static java.util.Comparator.comparingDouble;

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
import kvrank.report.block.Block;
import kvrank.report.chart.Axis;
import kvrank.report.chart.Chart;
import kvrank.report.chart.SeriesStyle;
import kvrank.report.chart.Svg;
import kvrank.report.ranking.Labels;
import kvrank.stats.Group;
import kvrank.stats.QualityFlag;
import kvrank.stats.RankingIndex;
import kvrank.stats.Standing;

/** Charts of the effect of a numeric factor on each engine in a phase. */
public final class FactorCharts {

  private static final String NUMBER = "[0-9]+(\\.[0-9]+)?";

  private final RankingIndex index;
  private final Map<String, SeriesStyle> styles;
  private final String factor;

  /** Whether the result is the latency of each operation, because rates were given. */
  private final boolean latency;

  private final Metric metric;

  private FactorCharts(RankingIndex index, String factor, boolean latency) {
    this.index = index;
    this.styles = SeriesStyle.of(index.engines());
    this.factor = factor;
    this.latency = latency;
    this.metric = latency ? Metrics.LATENCY_P99 : Metrics.THROUGHPUT;
  }

  /**
   * Returns the charts of a phase, for each factor with enough values and each point of the others.
   */
  public static List<Block> of(RankingIndex index, List<Group> phaseGroups) {
    List<Block> figures = new ArrayList<>();
    boolean latency =
        phaseGroups.stream()
            .allMatch(group -> index.decisive(group).metric().equals(Metrics.LATENCY_P99));
    for (String factor : phaseGroups.get(0).varying()) {
      FactorCharts charts = new FactorCharts(index, factor, latency || factor.equals("rate"));
      Map<SortedMap<String, String>, List<Group>> sweeps = new LinkedHashMap<>();
      for (Group phaseGroup : phaseGroups) {
        SortedMap<String, String> others = new TreeMap<>(phaseGroup.factors());
        if (others.getOrDefault(factor, "").matches(NUMBER)) {
          others.remove(factor);
          sweeps.computeIfAbsent(others, any -> new ArrayList<>()).add(phaseGroup);
        }
      }
      for (List<Group> sweep : sweeps.values()) {
        if (sweep.size() >= GroupCharts.FEWEST) {
          for (List<Group> groups : charts.measured(sweep)) {
            figures.add(new Block.Figure(() -> charts.chart(groups)));
          }
        }
      }
    }
    return figures;
  }

  private Collection<List<Group>> measured(List<Group> sweep) {
    Map<String, List<Group>> operations = new TreeMap<>();
    for (Group phaseGroup : sweep) {
      for (Group group : latency ? index.operations(phaseGroup) : List.of(phaseGroup)) {
        String name = group.operation().orElse("");
        operations.computeIfAbsent(name, any -> new ArrayList<>()).add(group);
      }
    }
    return operations.values();
  }

  /** Returns the chart of points in ascending order, whatever their order in the scenario. */
  private Optional<Chart> chart(List<Group> points) {
    List<Group> sweep =
        points.stream()
            .sorted(comparingDouble(group -> Double.parseDouble(group.factors().get(factor))))
            .toList();
    List<Chart.Line> lines = new ArrayList<>();
    for (String engine : index.engines()) {
      List<Chart.Point> line = new ArrayList<>();
      for (Group group : sweep) {
        index.standing(group, metric, engine).ifPresent(found -> line.add(point(group, found)));
      }
      if (line.size() > 1) {
        lines.add(new Chart.Line(styles.get(engine), engine, line));
      }
    }
    if (lines.isEmpty()) {
      return Optional.empty();
    }
    List<Chart.Measure> all = ChartParts.measures(lines);
    Axis y =
        latency
            ? ChartParts.log("p99 latency", metric.unit(), all)
            : ChartParts.axis("successful operations per second", metric.unit(), all);
    return Optional.of(new Chart.Lines(caption(sweep.get(0)), axis(sweep), y, lines));
  }

  private Chart.Point point(Group group, Standing standing) {
    Chart.Measure measure = ChartParts.measure(standing.estimate());
    String value = group.factors().get(factor);
    return new Chart.Point(
        Double.parseDouble(value),
        measure,
        "%s at %s=%s: %s"
            .formatted(standing.engine(), factor, value, ChartParts.text(metric.unit(), measure)),
        index.flags(group, standing.engine()).stream()
            .anyMatch(flag -> flag.kind() == QualityFlag.Kind.SATURATED));
  }

  private Axis axis(List<Group> sweep) {
    List<Axis.Tick> ticks =
        sweep.stream()
            .map(group -> group.factors().get(factor))
            .map(value -> new Axis.Tick(Double.parseDouble(value), value))
            .toList();
    double low = ticks.stream().mapToDouble(Axis.Tick::at).min().orElseThrow();
    double high = ticks.stream().mapToDouble(Axis.Tick::at).max().orElseThrow();
    boolean log = low > 0 && high / low >= 4;
    double margin = log ? Math.pow(high / low, 0.04) : (high - low) * 0.04;
    return new Axis(
        factor + (log ? ", log scale" : ""),
        log ? low / margin : low - margin,
        log ? high * margin : high + margin,
        log,
        ticks);
  }

  private Chart.Caption caption(Group group) {
    List<String> name = new ArrayList<>(List.of("factor", factor, group.phase()));
    group.operation().ifPresent(name::add);
    SortedMap<String, String> others = new TreeMap<>();
    for (String other : group.varying()) {
      if (!other.equals(factor)) {
        others.put(other, group.factors().getOrDefault(other, ""));
        name.add(other + "-" + others.get(other));
      }
    }
    String title =
        (latency ? "p99 of " + group.operation().orElseThrow() : "Throughput") + " by " + factor;
    String where = group.phase() + (others.isEmpty() ? "" : " at " + Labels.settings(others));
    String reading =
        "Geometric means with their intervals"
            + (latency ? "; hollow: the rate was not kept." : ".");
    String summary = title + ", " + where + ". The values are in the table of the phase.";
    return new Chart.Caption(Svg.fileName(name), title, where, reading, summary);
  }
}

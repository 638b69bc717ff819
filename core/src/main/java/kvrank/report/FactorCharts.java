package kvrank.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.report.chart.Axis;
import kvrank.report.chart.Chart;
import kvrank.report.chart.Svg;
import kvrank.stats.Group;
import kvrank.stats.QualityFlag;
import kvrank.stats.RankingIndex;

/** What a factor with numeric values does to each engine in a phase. */
final class FactorCharts {

  private static final String RATE = "rate";
  private static final String NUMBER = "[0-9]+(\\.[0-9]+)?";

  private final RankingIndex index;
  private final Looks looks;

  FactorCharts(RankingIndex index, Looks looks) {
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
    return factor.equals(RATE)
        ? sweep.stream()
            .flatMap(whole -> index.operations(whole).stream())
            .collect(
                Collectors.groupingBy(
                    group -> group.operation().orElseThrow(), TreeMap::new, Collectors.toList()))
            .values()
        : List.of(sweep);
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
        lines.add(new Chart.Line(looks.of(engine), engine, points));
      }
    }
    return lines.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Chart.Lines(
                caption(factor, sweep.get(0)),
                axis(factor, sweep),
                metric.equals(Metrics.THROUGHPUT)
                    ? Drawing.axis(
                        "successful operations per second", metric.unit(), Drawing.measures(lines))
                    : Drawing.log("p99 latency", metric.unit(), Drawing.measures(lines)),
                lines));
  }

  private Optional<Chart.Point> point(String factor, Group group, String engine) {
    String value = group.factors().get(factor);
    return index
        .standing(group, metric(factor), engine)
        .map(
            standing ->
                new Chart.Point(
                    Double.parseDouble(value),
                    Drawing.measure(standing.estimate()),
                    "%s at %s=%s: %s"
                        .formatted(
                            engine,
                            factor,
                            value,
                            Drawing.text(metric(factor).unit(), standing.estimate())),
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
    SortedMap<String, String> others = new TreeMap<>();
    group.varying().stream()
        .filter(other -> !other.equals(factor))
        .forEach(other -> others.put(other, group.factors().getOrDefault(other, "")));
    String title =
        (factor.equals(RATE) ? "p99 of " + group.operation().orElseThrow() : "Throughput")
            + " by "
            + factor;
    String where =
        group.phase()
            + others.entrySet().stream()
                .map(each -> each.getKey() + "=" + each.getValue())
                .collect(Collectors.collectingAndThen(Collectors.joining(", "), FactorCharts::at));
    List<String> name = new ArrayList<>(List.of("factor", factor, group.phase()));
    group.operation().ifPresent(name::add);
    others.forEach((other, value) -> name.add(other + "-" + value));
    return new Chart.Caption(
        Svg.fileName(name.toArray(String[]::new)),
        title,
        where,
        "Medians with their intervals"
            + (factor.equals(RATE) ? "; hollow: the rate was not kept." : "."),
        title + ", " + where + ". The table of the phase says it.");
  }

  private static String at(String point) {
    return point.isEmpty() ? "" : " at " + point;
  }
}

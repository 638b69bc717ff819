package kvrank.report.history;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import kvrank.metric.Unit;
import kvrank.report.block.Quantities;
import kvrank.report.chart.Axis;
import kvrank.report.chart.Chart;
import kvrank.report.chart.SeriesStyle;
import kvrank.report.chart.Svg;
import kvrank.report.figure.ChartParts;
import kvrank.stats.history.History;
import kvrank.stats.history.History.Line;

/** The chart of a line: the value of each execution, and the levels between changes. */
final class HistoryChart {

  /** The number of executions that the axis names. */
  private static final int NAMED = 6;

  /** The longest name of an execution on the axis. */
  private static final int LONGEST = 12;

  private HistoryChart() {}

  static Chart of(History history, Line line) {
    Unit unit = line.metric().unit();
    SeriesStyle style = SeriesStyle.of(List.of(line.engine())).get(line.engine());
    List<Chart.Point> values = new ArrayList<>();
    for (int i : line.measured()) {
      double value = line.values().get(i);
      String text = history.executions().get(i).label() + ": " + Quantities.of(unit, value);
      values.add(new Chart.Point(i, Chart.Measure.of(value), text));
    }
    List<Chart.Line> lines = new ArrayList<>();
    lines.add(new Chart.Line(SeriesStyle.neutral(0), "", values));
    List<Integer> ends = line.ends();
    List<String> levels = new ArrayList<>();
    for (int i = 0; i + 1 < ends.size(); i++) {
      double level = line.level(ends.get(i), ends.get(i + 1));
      String text = Quantities.of(unit, level);
      levels.add(text + " from " + history.executions().get(ends.get(i)).label());
      boolean last = i + 2 == ends.size();
      lines.add(
          new Chart.Line(
              style,
              last ? text : "",
              List.of(
                  new Chart.Point(ends.get(i), Chart.Measure.of(level), text),
                  new Chart.Point(ends.get(i + 1) - 1, Chart.Measure.of(level), text))));
    }
    DoubleSummaryStatistics range =
        line.values().stream()
            .filter(value -> !value.isNaN())
            .mapToDouble(value -> value)
            .summaryStatistics();
    double margin = Math.max((range.getMax() - range.getMin()) / 8, range.getMax() / 50);
    String title = line.engine() + " " + HistoryReport.metric(line);
    return new Chart.Lines(
        new Chart.Caption(
            Svg.fileName(List.of("history", line.label(), line.metric().id())),
            title,
            HistoryReport.where(line),
            "The value of each execution, and the level between changes.",
            title + ": " + String.join("; ", levels)),
        names(history),
        Axis.linear(
            HistoryReport.metric(line),
            range.getMin() - margin,
            range.getMax() + margin,
            ChartParts.counting(unit),
            value -> Quantities.tick(unit, value)),
        lines);
  }

  private static Axis names(History history) {
    int n = history.executions().size();
    List<Axis.Tick> ticks = new ArrayList<>();
    int step = Math.max(1, (int) Math.ceil((double) n / NAMED));
    for (int i = 0; i < n; i += step) {
      String label = history.executions().get(i).label();
      ticks.add(
          new Axis.Tick(i, label.length() > LONGEST ? label.substring(0, LONGEST) + "…" : label));
    }
    return new Axis("", -0.5, n - 0.5, false, ticks);
  }
}

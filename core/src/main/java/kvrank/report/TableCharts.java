package kvrank.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import kvrank.metric.Unit;
import kvrank.report.chart.Axis;
import kvrank.report.chart.Chart;
import kvrank.report.chart.Look;
import kvrank.report.chart.Measure;
import kvrank.stats.Estimate;
import kvrank.stats.Ranking;
import kvrank.stats.Ratio;
import kvrank.stats.Standing;
import kvrank.table.CellSpec;
import kvrank.table.ChartSpec;
import kvrank.table.Show;

/** A chart that a table declares: values or ratios of the engines, row by row. */
final class TableCharts {

  private static final String READING =
      "Lines are 95% intervals, cut at the edge where they are wider than the chart.";

  private final ChartSpec spec;
  private final TableFrame frame;
  private final CellSpec cell;
  private final List<String> engines;
  private final Map<String, Look> looks;
  private final String to;

  private TableCharts(ChartSpec spec, TableFrame frame) {
    this.spec = spec;
    this.frame = frame;
    this.cell = spec.cell().or(frame.cell());
    this.engines = frame.cells().engines();
    this.looks = Look.of(engines);
    this.to = cell.show().map(Show::compared).orElse(false) ? frame.cells().to(cell) : "";
  }

  /** Returns the chart; empty if no engine has a value. */
  static Optional<Chart> of(ChartSpec spec, TableFrame frame, View view) {
    return new TableCharts(spec, frame).chart(view.where(spec.cell().where()));
  }

  private Optional<Chart> chart(View view) {
    List<Chart.Row> rows = new ArrayList<>();
    View shown = view.where(spec.rows().cell().where());
    for (View at : View.split(List.of(shown), spec.rows().forEach())) {
      List<Chart.Dot> dots = dots(at);
      String note = dots.stream().map(Chart.Dot::text).collect(Collectors.joining(", "));
      rows.add(new Chart.Row(title(at), note, dots));
    }
    rows.removeIf(row -> row.dots().isEmpty());
    if (rows.isEmpty()) {
      return Optional.empty();
    }
    String title = frame.text(spec.title(), view, cell);
    Chart.Caption caption =
        new Chart.Caption(
            spec.file(),
            title,
            frame.text("{at}", view).replaceFirst("^ at ", ""),
            READING,
            title + ": the tables of the report have the values.");
    if (spec.kind() == ChartSpec.Kind.LINES) {
      return Optional.of(lines(caption, rows, axis(rows, view)));
    }
    List<Chart.Key> keys = new ArrayList<>();
    for (String engine : engines) {
      if (!engine.equals(to)) {
        String label = to.isEmpty() ? engine : engine + " / " + to;
        keys.add(new Chart.Key(looks.get(engine), label));
      }
    }
    double reference = to.isEmpty() ? Double.NaN : 1;
    return Optional.of(new Chart.Rows(caption, axis(rows, view), false, reference, keys, rows));
  }

  private String title(View at) {
    return spec.rows()
        .title()
        .map(title -> frame.text(title, at))
        .orElseGet(
            () ->
                spec.rows().forEach().stream()
                    .map(dimension -> frame.text("{" + dimension + "}", at))
                    .collect(Collectors.joining(", ")));
  }

  private List<Chart.Dot> dots(View at) {
    List<Chart.Dot> dots = new ArrayList<>();
    for (String engine : engines) {
      View own = new View(at.groups(), List.of(engine), at.loads());
      if (!engine.equals(to) && at.engines().contains(engine)) {
        frame.cells().cell(cell, own).flatMap(this::dot).ifPresent(dots::add);
      }
    }
    return dots;
  }

  private Optional<Chart.Dot> dot(RankingCell found) {
    String engine = found.engine();
    Ranking ranking = found.ranking();
    Optional<Standing> standing = ranking.standing(engine);
    if (to.isEmpty() && standing.isPresent()) {
      Estimate estimate = standing.get().estimate();
      String text = engine + " " + Quantities.of(ranking.metric().unit(), estimate.value());
      return Optional.of(new Chart.Dot(looks.get(engine), Drawing.measure(estimate), text));
    }
    double quotient = found.quotient().orElse(0.0);
    if (to.isEmpty() || !(quotient > 0)) {
      return Optional.empty();
    }
    Ratio ratio = ranking.verdict(engine, to).ratio();
    Measure measure = ratio.hasInterval() ? Drawing.measure(ratio) : Measure.of(quotient);
    return Optional.of(new Chart.Dot(looks.get(engine), measure, found.show(Show.RATIO)));
  }

  /** Intervals may be far wider than what there is to see: the axis goes by the values. */
  private Axis axis(List<Chart.Row> rows, View view) {
    String title = frame.text(spec.axis(), view, cell);
    DoubleStream values =
        rows.stream().flatMap(row -> row.dots().stream()).mapToDouble(dot -> dot.measure().value());
    Unit unit = TableCells.metric(cell).unit();
    Axis.Counting counting = to.isEmpty() ? Drawing.counting(unit) : Axis.Counting.DECIMAL;
    if (!spec.log()) {
      return Axis.linear(title, values.max().orElse(1) * 1.1, counting, value -> tick(unit, value));
    }
    double[] shown =
        (to.isEmpty() ? values : DoubleStream.concat(DoubleStream.of(0.9, 1.1), values))
            .filter(value -> value > 0)
            .sorted()
            .toArray();
    return Axis.log(title, shown[0], shown[shown.length - 1], counting, value -> tick(unit, value));
  }

  private String tick(Unit unit, double value) {
    return to.isEmpty() ? Quantities.tick(unit, value) : Quantities.ratio(value);
  }

  private Chart lines(Chart.Caption caption, List<Chart.Row> rows, Axis y) {
    List<Chart.Line> lines = new ArrayList<>();
    for (String engine : engines) {
      List<Chart.Point> points = new ArrayList<>();
      for (int i = 0; i < rows.size(); i++) {
        for (Chart.Dot dot : rows.get(i).dots()) {
          if (dot.look().equals(looks.get(engine))) {
            points.add(new Chart.Point(i, dot.measure(), dot.text()));
          }
        }
      }
      if (!points.isEmpty()) {
        lines.add(new Chart.Line(looks.get(engine), engine, points));
      }
    }
    Axis x = Axis.names("", rows.stream().map(Chart.Row::label).toList());
    return new Chart.Lines(caption, x, y, lines);
  }

  /** Returns {@code chart} with a number in its file's name. */
  static Chart numbered(Chart chart, int number) {
    Chart.Caption from = chart.caption();
    Chart.Caption caption =
        new Chart.Caption(
            from.file() + "-" + number, from.title(), from.where(), from.reading(), from.summary());
    if (chart instanceof Chart.Rows rows) {
      return new Chart.Rows(
          caption, rows.axis(), false, rows.reference(), rows.keys(), rows.rows());
    }
    Chart.Lines lines = (Chart.Lines) chart;
    return new Chart.Lines(caption, lines.x(), lines.y(), lines.lines());
  }
}

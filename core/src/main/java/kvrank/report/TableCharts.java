package kvrank.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import kvrank.metric.Unit;
import kvrank.report.chart.Axis;
import kvrank.report.chart.Chart;
import kvrank.report.chart.Measure;
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
  private final Looks looks;
  private final String to;

  private TableCharts(ChartSpec spec, TableFrame frame) {
    this.spec = spec;
    this.frame = frame;
    this.cell = spec.cell().or(frame.cell());
    this.engines = frame.cells().engines();
    this.looks = new Looks(engines);
    this.to = cell.show().map(Show::compared).orElse(false) ? frame.cells().to(cell) : "";
  }

  /** Returns the chart; empty if no engine has a value. */
  static Optional<Chart> of(ChartSpec spec, TableFrame frame, View view) {
    return new TableCharts(spec, frame).chart(view.where(spec.cell().where()));
  }

  /** One engine's mark in a row. */
  private record Mark(String engine, Measure measure, String text) {}

  private record Row(String title, List<Mark> marks) {}

  private Optional<Chart> chart(View view) {
    List<Row> rows = new ArrayList<>();
    View.split(List.of(view.where(spec.rows().cell().where())), spec.rows().forEach())
        .forEach(at -> rows.add(new Row(title(at), marks(at))));
    rows.removeIf(row -> row.marks().isEmpty());
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
    return Optional.of(
        spec.kind() == ChartSpec.Kind.LINES
            ? lines(caption, rows, view)
            : dots(caption, rows, view));
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

  private List<Mark> marks(View at) {
    List<Mark> marks = new ArrayList<>();
    for (String engine : engines) {
      View own = new View(at.groups(), List.of(engine), at.loads());
      if (!engine.equals(to) && at.engines().contains(engine)) {
        frame.cells().cell(cell, own).flatMap(this::mark).ifPresent(marks::add);
      }
    }
    return marks;
  }

  private Optional<Mark> mark(RankingCell found) {
    Optional<Standing> standing = found.ranking().standing(found.engine());
    if (to.isEmpty()) {
      return standing.map(
          each ->
              new Mark(
                  found.engine(),
                  Drawing.measure(each.estimate()),
                  found.engine()
                      + " "
                      + Quantities.of(found.ranking().metric().unit(), each.estimate().value())));
    }
    return found
        .quotient()
        .filter(ratio -> ratio > 0)
        .map(
            any ->
                new Mark(
                    found.engine(),
                    measure(found.ranking().verdict(found.engine(), to).ratio(), any),
                    found.show(Show.RATIO)));
  }

  private static Measure measure(Ratio ratio, double ofMedians) {
    return ratio.hasInterval()
        ? new Measure(ratio.value(), ratio.low(), ratio.high())
        : Measure.of(ofMedians);
  }

  /** Intervals may be far wider than what there is to see: the axis goes by the values. */
  private Axis axis(List<Row> rows, View view) {
    String title = frame.text(spec.axis(), view, cell);
    DoubleStream values =
        rows.stream()
            .flatMap(row -> row.marks().stream())
            .mapToDouble(mark -> mark.measure().value());
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

  private Chart dots(Chart.Caption caption, List<Row> rows, View view) {
    List<Chart.Key> keys =
        engines.stream()
            .filter(engine -> !engine.equals(to))
            .map(
                engine ->
                    new Chart.Key(looks.of(engine), to.isEmpty() ? engine : engine + " / " + to))
            .toList();
    return new Chart.Dots(
        caption,
        axis(rows, view),
        to.isEmpty() ? Double.NaN : 1,
        keys,
        rows.stream().map(this::dots).toList());
  }

  private Chart.Row dots(Row row) {
    return new Chart.Row(
        row.title(),
        row.marks().stream().map(Mark::text).collect(Collectors.joining(", ")),
        row.marks().stream()
            .map(mark -> new Chart.Dot(looks.of(mark.engine()), mark.measure(), mark.text()))
            .toList());
  }

  private Chart lines(Chart.Caption caption, List<Row> rows, View view) {
    List<Chart.Line> lines = new ArrayList<>();
    for (String engine : engines) {
      List<Chart.Point> points = new ArrayList<>();
      for (int i = 0; i < rows.size(); i++) {
        for (Mark mark : rows.get(i).marks()) {
          if (mark.engine().equals(engine)) {
            points.add(new Chart.Point(i, mark.measure(), mark.text()));
          }
        }
      }
      if (!points.isEmpty()) {
        lines.add(new Chart.Line(looks.of(engine), engine, points));
      }
    }
    return new Chart.Lines(
        caption, Axis.names("", rows.stream().map(Row::title).toList()), axis(rows, view), lines);
  }

  /** Returns {@code chart} with a number in its file's name. */
  static Chart numbered(Chart chart, int number) {
    Chart.Caption from = chart.caption();
    Chart.Caption caption =
        new Chart.Caption(
            from.file() + "-" + number, from.title(), from.where(), from.reading(), from.summary());
    if (chart instanceof Chart.Dots dots) {
      return new Chart.Dots(caption, dots.axis(), dots.reference(), dots.keys(), dots.rows());
    }
    Chart.Lines lines = (Chart.Lines) chart;
    return new Chart.Lines(caption, lines.x(), lines.y(), lines.lines());
  }
}

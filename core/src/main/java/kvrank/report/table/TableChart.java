package kvrank.report.table;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import kvrank.metric.Unit;
import kvrank.report.block.Quantities;
import kvrank.report.chart.Axis;
import kvrank.report.chart.Chart;
import kvrank.report.chart.SeriesStyle;
import kvrank.report.figure.ChartParts;
import kvrank.stats.Standing;
import kvrank.stats.infer.Ratio;
import kvrank.table.CellSpec;
import kvrank.table.ChartSpec;
import kvrank.table.Dimensions;
import kvrank.table.Show;

/** A chart that a table declares: values or ratios of the engines, row by row. */
final class TableChart {

  private static final String READING =
      "Lines are 95% intervals, cut off at the edge of the chart.";

  private final ChartSpec spec;
  private final TableFrame frame;
  private final ResultSlice slice;
  private final CellSpec cell;
  private final Unit unit;
  private final List<String> engines;
  private final Map<String, SeriesStyle> styles;

  /** The engine that the others are compared with; empty if values are shown. */
  private final String to;

  private final List<Chart.Row> rows = new ArrayList<>();

  TableChart(ChartSpec spec, TableFrame frame, ResultSlice all) {
    this.spec = spec;
    this.frame = frame;
    this.slice = all.where(spec.cell().where());
    this.cell = spec.rows().cell().or(spec.cell()).or(frame.cell());
    this.unit = cell.metric().orElseThrow().unit();
    List<String> rowsOfAll = all.index().engines();
    this.engines = new ArrayList<>(rowsOfAll.stream().map(slice::name).distinct().toList());
    this.styles = SeriesStyle.of(engines);
    this.to = cell.show().filter(Show::compared).map(any -> RankingCell.to(cell, slice)).orElse("");
    engines.remove(to);
    for (ResultSlice at : slice.where(spec.rows().cell().where()).split(spec.rows().forEach())) {
      List<Chart.Dot> dots = new ArrayList<>();
      for (ResultSlice each : at.split(List.of(Dimensions.ENGINE))) {
        if (each.engine().filter(to::equals).isEmpty()) {
          RankingCell.of(cell, each).flatMap(this::dot).ifPresent(dots::add);
        }
      }
      if (!dots.isEmpty()) {
        String note = dots.stream().map(Chart.Dot::text).collect(Collectors.joining(", "));
        rows.add(new Chart.Row(title(at), note, dots));
      }
    }
  }

  private String title(ResultSlice at) {
    String each =
        spec.rows().forEach().stream()
            .map(name -> "{" + name + "}")
            .collect(Collectors.joining(", "));
    return frame.text(spec.rows().title().orElse(each), at);
  }

  private Optional<Chart.Dot> dot(RankingCell found) {
    String engine = found.engine();
    SeriesStyle style = styles.get(slice.name(engine));
    Optional<Standing> standing = found.ranking().standing(engine);
    if (to.isEmpty()) {
      return standing.map(
          each ->
              new Chart.Dot(
                  style,
                  ChartParts.measure(each.estimate()),
                  engine + " " + found.labelled(each.estimate().value())));
    }
    double quotient = found.quotient();
    if (!ChartParts.drawn(quotient)) {
      return Optional.empty();
    }
    Ratio ratio = found.ranking().verdict(engine, to).ratio();
    Chart.Measure measure =
        ratio.hasInterval() ? ChartParts.measure(ratio) : Chart.Measure.of(quotient);
    return Optional.of(new Chart.Dot(style, measure, found.show(Show.RATIO)));
  }

  boolean hasValue() {
    return !rows.isEmpty();
  }

  /** Returns the chart; the name of its file ends with {@code number}. */
  Chart chart(String number) {
    String title = frame.text(spec.title(), slice, cell);
    String where = frame.text("{at}", slice).replaceFirst("^ at ", "");
    String summary = title + ". The values are in the tables of the report.";
    Chart.Caption caption = new Chart.Caption(spec.file() + number, title, where, READING, summary);
    if (spec.kind() == ChartSpec.Kind.LINES) {
      List<Chart.Line> lines = new ArrayList<>();
      for (String engine : engines) {
        List<Chart.Point> points = points(styles.get(engine));
        if (!points.isEmpty()) {
          lines.add(new Chart.Line(styles.get(engine), engine, points));
        }
      }
      Axis x = Axis.names("", rows.stream().map(Chart.Row::label).toList());
      return new Chart.Lines(caption, x, axis(), lines);
    }
    List<Chart.Key> keys = new ArrayList<>();
    for (String engine : engines) {
      keys.add(new Chart.Key(styles.get(engine), to.isEmpty() ? engine : engine + " / " + to));
    }
    double reference = to.isEmpty() ? Double.NaN : 1;
    return new Chart.Rows(caption, axis(), false, reference, keys, rows);
  }

  /** Returns an axis that fits the values, because intervals may be far wider. */
  private Axis axis() {
    String title = frame.text(spec.axis(), slice, cell);
    DoubleStream values =
        rows.stream().flatMap(row -> row.dots().stream()).mapToDouble(dot -> dot.measure().value());
    Axis.Counting counting = to.isEmpty() ? ChartParts.counting(unit) : Axis.Counting.DECIMAL;
    DoubleFunction<String> tick = value -> to.isEmpty() ? tick(value) : Quantities.multiple(value);
    if (!spec.log()) {
      return Axis.linear(title, values.max().orElse(1) * 1.1, counting, tick);
    }
    DoubleStream all =
        to.isEmpty() ? values : DoubleStream.concat(DoubleStream.of(0.9, 1.1), values);
    DoubleSummaryStatistics shown = all.filter(value -> value > 0).summaryStatistics();
    return Axis.log(title, shown.getMin(), shown.getMax(), counting, tick);
  }

  private String tick(double value) {
    Optional<Double> factor = cell.unit().flatMap(unit::factor);
    return factor.isEmpty() || value == 0
        ? Quantities.tick(unit, value)
        : Quantities.withoutZeros(
            Quantities.digits(value / factor.get()) + " " + cell.unit().get());
  }

  private List<Chart.Point> points(SeriesStyle style) {
    List<Chart.Point> points = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      for (Chart.Dot dot : rows.get(i).dots()) {
        if (dot.style().equals(style)) {
          points.add(new Chart.Point(i, dot.measure(), dot.text()));
        }
      }
    }
    return points;
  }
}

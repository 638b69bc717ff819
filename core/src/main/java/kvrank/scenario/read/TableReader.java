package kvrank.scenario.read;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import kvrank.engine.Tuning;
import kvrank.input.Diagnostics;
import kvrank.input.Located;
import kvrank.input.SourceLocation;
import kvrank.input.YamlFile;
import kvrank.input.YamlValue;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.metric.Unit;
import kvrank.scenario.EngineRow;
import kvrank.scenario.Setting;
import kvrank.table.CellSpec;
import kvrank.table.ChartSpec;
import kvrank.table.Dimensions;
import kvrank.table.Filter;
import kvrank.table.Filter.Choice;
import kvrank.table.LineSpec;
import kvrank.table.Show;
import kvrank.table.TableRequest;
import kvrank.table.TableSpec;
import kvrank.table.Template;
import kvrank.workload.request.Operation;
import org.yaml.snakeyaml.Yaml;

/** Reads a table: a file of its own, or a map inside a scenario. */
public final class TableReader {

  private static final List<String> DIMENSIONS =
      Stream.concat(Dimensions.ALL.stream(), Setting.labels().stream()).toList();
  private static final List<String> OPERATIONS =
      Arrays.stream(Operation.values()).map(Operation::label).toList();
  private static final List<String> UNITS =
      Arrays.stream(Unit.values()).flatMap(unit -> unit.suffixes().stream()).distinct().toList();
  private static final String FORMAT = CellSpec.SHORT + "|(#,##)?0(\\.0*#*)?";

  /** The names that only a scenario knows. */
  record Names(Collection<String> phases, Collection<String> engines, Collection<String> options) {

    Names(Collection<String> phases, List<EngineRow> rows) {
      this(
          phases,
          rows.stream().flatMap(row -> Stream.of(row.name(), row.label())).distinct().toList(),
          EngineRow.values(rows).keySet().stream().map(Dimensions.OPTIONS::concat).toList());
    }
  }

  /**
   * What the cells of a table have in common, the dimensions that have a value, and named cells.
   */
  private record Frame(CellSpec cell, Set<String> bound, Set<String> values) {

    Frame with(LineSpec line, Set<String> named) {
      return new Frame(line.cell().or(cell), union(bound, line.bound()), union(values, named));
    }

    Frame with(LineSpec line) {
      return with(line, Set.of());
    }

    private static Set<String> union(Set<String> one, Set<String> other) {
      Set<String> both = new TreeSet<>(one);
      both.addAll(other);
      return both;
    }
  }

  private final Optional<Names> names;

  /** {@code names} are of the scenario that the table is for; empty if it is for any. */
  TableReader(Optional<Names> names) {
    this.names = names;
  }

  /**
   * Returns the table that {@code request} stands for; empty if this kvrank has none of its name.
   */
  public static Optional<TableSpec> read(TableRequest request) {
    Object stated = request.stated();
    return stated instanceof Map
        ? read(new Yaml().dump(stated), "plan.json")
        : shipped(stated.toString());
  }

  /** Returns the table of {@code tables/} as it was when kvrank was built, if it was there. */
  static Optional<TableSpec> shipped(String name) {
    String file = name + ".yaml";
    try (InputStream in = TableReader.class.getResourceAsStream("/kvrank/tables/" + file)) {
      return in == null
          ? Optional.empty()
          : read(new String(in.readAllBytes(), StandardCharsets.UTF_8), file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Optional<TableSpec> read(String text, String file) {
    return YamlFile.parse(new Diagnostics(), text, Path.of(file))
        .flatMap(new TableReader(Optional.empty())::read);
  }

  Optional<TableSpec> read(YamlValue value) {
    Frame none = new Frame(CellSpec.OPEN, Set.of(), Set.of());
    return value.ifMap(map -> table(map, map.get("description").sentence().orElse(""), none));
  }

  private TableSpec table(YamlValue map, String description, Frame above) {
    List<String> forEach = dimensions(map);
    CellSpec cell = cell(map);
    SortedMap<String, CellSpec> values = new TreeMap<>();
    map.get("values").all().forEach((name, each) -> values.put(name, cell(each)));
    Frame frame = above.with(LineSpec.each(forEach, cell), values.keySet());
    List<Located<LineSpec>> rows = lines(map.get("rows"), frame);
    List<Located<LineSpec>> columns = lines(map.get("columns"), frame);
    check(map, rows, columns, frame);
    YamlValue index = map.get("index");
    return new TableSpec(
        description,
        template(map.get("title"), frame).orElse(""),
        template(map.get("text"), frame).orElse(""),
        map.get("corner").text().orElse(""),
        forEach,
        cell,
        rows.stream().map(Located::value).toList(),
        columns.stream().map(Located::value).toList(),
        values,
        rename(map.get("rename")),
        line(map.get("items"), frame),
        index.ifMap(
            own ->
                new TableSpec.Index(
                    template(own.required("title"), frame).orElse(""),
                    template(own.get("text"), frame).orElse(""))),
        map.get("charts").items().stream().map(chart -> chart(chart, frame)).toList(),
        map.get("tables").items().stream().map(table -> table(table, "", frame)).toList());
  }

  private List<String> dimensions(YamlValue map) {
    return YamlValue.each(map.get("for-each").oneOrMore(), this::dimension);
  }

  private Optional<String> dimension(YamlValue value) {
    return value.text().filter(name -> isDimension(value.place(), "dimension", name, DIMENSIONS));
  }

  /** Returns whether {@code name} is valid, or an option of an engine, as far as that is known. */
  private boolean isDimension(
      SourceLocation place, String noun, String name, Collection<String> valid) {
    if (names.isEmpty() && name.startsWith(Dimensions.OPTIONS)) {
      return true;
    }
    Set<String> all = new LinkedHashSet<>(valid);
    names.ifPresent(known -> all.addAll(known.options()));
    return place.known(noun, name, all);
  }

  private CellSpec cell(YamlValue map) {
    Optional<Metric> metric = metric(map.get("metric"));
    return new CellSpec(
        metric,
        unit(map.get("unit"), metric),
        map.get("format")
            .matching(
                "is not a format; write one such as 0, 0.00, 0.0## or #,##0, or short", FORMAT),
        map.get("show").choice("kind of cell", Show.class),
        value(Dimensions.ENGINE, map.get("to")),
        filter(map));
  }

  static Optional<Metric> metric(YamlValue value) {
    Optional<String> name = value.text();
    Optional<Metric> metric = name.flatMap(Metrics::find);
    if (name.isPresent() && metric.isEmpty()) {
      boolean latency = name.get().startsWith(Metric.LATENCY);
      value.oneOf(
          "metric", Metrics.ALL.stream().map(latency ? Metric::id : Metric::shortName).toList());
    }
    return metric;
  }

  private static Optional<String> unit(YamlValue value, Optional<Metric> metric) {
    List<String> units = metric.map(each -> each.unit().suffixes()).orElse(UNITS);
    String name = metric.map(Metric::shortName).orElse("");
    return value.text().isPresent() && units.isEmpty()
        ? value.report("%s has no unit; leave '%s' out", name, value.text().get())
        : value.oneOf(metric.isPresent() ? "unit of " + name : "unit", units);
  }

  private Filter filter(YamlValue map) {
    SortedMap<String, Choice> choices = new TreeMap<>();
    for (boolean negated : new boolean[] {false, true}) {
      YamlValue filter = map.get(negated ? "except" : "where").keys("dimension");
      SortedMap<String, List<String>> chosen = new TreeMap<>();
      Stream<String> options =
          names.isPresent()
              ? names.get().options().stream()
              : filter.names().stream().filter(name -> name.startsWith(Dimensions.OPTIONS));
      for (String dimension : Stream.concat(DIMENSIONS.stream(), options).toList()) {
        List<YamlValue> stated = filter.get(dimension).oneOrMore();
        chosen.put(dimension, YamlValue.each(stated, item -> value(dimension, item)));
      }
      Optional<Boolean> load = filter.get(Dimensions.LOAD).flag();
      chosen.put(Dimensions.LOAD, load.stream().map(String::valueOf).toList());
      chosen.values().removeIf(List::isEmpty);
      chosen.forEach(
          (dimension, values) -> {
            if (choices.putIfAbsent(dimension, new Choice(values, negated)) != null) {
              filter.at(dimension).report("'where' chooses of it already");
            }
          });
    }
    return new Filter(choices);
  }

  /** Returns a value of {@code dimension}, or a place among its values. */
  private Optional<String> value(String dimension, YamlValue value) {
    Optional<Collection<String>> valid =
        switch (dimension) {
          case Dimensions.OPERATION -> Optional.of(OPERATIONS);
          case Dimensions.PHASE -> names.map(Names::phases);
          case Dimensions.ENGINE -> names.map(Names::engines);
          default -> Optional.empty();
        };
    Optional<String> text = value.text();
    if (valid.isPresent() && !text.map(Choice.PLACES::contains).orElse(true)) {
      text = value.oneOf(dimension, valid.get());
    }
    if (text.isPresent() && Tuning.isPlaceholder(text.get())) {
      return value.report(
          "'%s' is the name until the search is over and of no row of the report; choose by first or last, or not at all",
          text.get());
    }
    // Values are compared in their normal form, in which digits are not grouped.
    return text.map(each -> each.matches("[0-9_]+") ? each.replace("_", "") : each);
  }

  private Optional<String> template(YamlValue value, Frame frame) {
    // The heading of a column may be empty.
    Optional<String> text = value.isBlank() ? value.text() : value.sentence();
    if (!Template.balanced(text.orElse(""))) {
      value.report("a '{' or '[' is not closed, is closed twice, or stands in another");
      return text;
    }
    Set<String> valid = new LinkedHashSet<>(Template.NAMES);
    valid.addAll(frame.values());
    valid.addAll(Setting.labels());
    for (Template.Placeholder each : Template.placeholders(text.orElse(""))) {
      isDimension(value.place(), "placeholder", each.name(), valid);
      each.form().ifPresent(form -> value.place().known("form", form, Template.Form.labels()));
    }
    return text;
  }

  private List<Located<LineSpec>> lines(YamlValue value, Frame frame) {
    return YamlValue.each(
        value.oneOrMore(),
        item -> line(item, frame).map(line -> new Located<>(line, item.place())));
  }

  private Optional<LineSpec> line(YamlValue map, Frame frame) {
    if (!map.isMap()) {
      return dimension(map).map(name -> LineSpec.each(List.of(name), CellSpec.OPEN));
    }
    return Optional.of(
        new LineSpec(
            template(map.get("title"), frame),
            map.get("brief").sentence(),
            template(map.get("text"), frame),
            map.get("align").choice("side", Map.of("left", false, "right", true)),
            dimensions(map),
            cell(map)));
  }

  private static Map<String, Map<String, String>> rename(YamlValue map) {
    Map<String, Map<String, String>> rename = new TreeMap<>();
    for (String dimension : Dimensions.ALL) {
      rename.put(dimension, map.get(dimension).texts());
    }
    rename.values().removeIf(Map::isEmpty);
    return rename;
  }

  private ChartSpec chart(YamlValue map, Frame above) {
    CellSpec cell = cell(map);
    Frame frame = above.with(LineSpec.each(List.of(Dimensions.ENGINE), cell));
    LineSpec rows =
        line(map.required("rows"), frame).orElse(LineSpec.each(List.of(), CellSpec.OPEN));
    checkCell(map.place(), frame.with(rows));
    return new ChartSpec(
        map.get("kind").choice("kind of chart", ChartSpec.Kind.class).orElse(ChartSpec.Kind.DOTS),
        map.required("file").name().orElse(""),
        template(map.required("title"), frame).orElse(""),
        template(map.get("axis"), frame).orElse(""),
        map.get("scale").choice("scale", Map.of("linear", false, "log", true)).orElse(false),
        map.get("png").flag().orElse(false),
        cell,
        rows);
  }

  private static void check(
      YamlValue map, List<Located<LineSpec>> rows, List<Located<LineSpec>> columns, Frame frame) {
    boolean grid = map.has("rows") || map.has("columns");
    if (grid && !(map.has("rows") && map.has("columns"))) {
      map.place().report("has rows or columns alone; a table needs both");
    }
    if (!grid && Stream.of("items", "tables", "charts").noneMatch(map::has)) {
      map.place().report("shows nothing; add rows and columns, items, charts or tables");
    }
    if ((grid || map.has("items")) && !map.has("title")) {
      map.place().report("missing key 'title'");
    }
    List<Located<String>> missing = new ArrayList<>();
    for (Located<LineSpec> column : columns) {
      for (Located<LineSpec> row : rows) {
        if (column.value().text().isPresent()) {
          continue;
        }
        if (row.value().cell().metric().isPresent() && column.value().cell().metric().isPresent()) {
          column.report("names a metric, and so does a row; let one of them do it");
        }
        Frame cell = frame.with(row.value()).with(column.value());
        checkCell(column.place(), cell);
        missing.add(new Located<>(missing(cell), column.place()));
      }
    }
    // What no cell names makes a table for each; what only some name is forgotten in the others.
    if (missing.stream().map(Located::value).distinct().count() > 1) {
      for (Located<String> each : missing) {
        if (!each.value().isEmpty()) {
          each.report(
              "names no %s, and others do; add 'where: {%s: ...}'", each.value(), each.value());
        }
      }
    }
  }

  /** Returns the dimension that a cell needs and that nothing gives a value; empty if none. */
  private static String missing(Frame frame) {
    List<String> needed = frame.cell().metric().map(Dimensions::needed).orElse(List.of());
    return needed.stream().filter(each -> !frame.bound().contains(each)).findFirst().orElse("");
  }

  private static void checkCell(SourceLocation place, Frame frame) {
    CellSpec cell = frame.cell();
    Show show = cell.show().orElse(Show.VALUE);
    if (cell.metric().isEmpty()) {
      place.report("names no metric, nor do the rows and the table");
    } else if (show.ofEngine() && !frame.bound().contains(Dimensions.ENGINE)) {
      place.report("is of no engine; let the rows or the columns be 'engine'");
    } else if (show.compared() && cell.to().isEmpty()) {
      place.report(
          "'%s' compares with an engine; add 'to: first', 'to: last' or 'to: NAME'", show.label());
    }
  }
}

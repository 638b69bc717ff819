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

/** Reads a table: a file, or a map inside a scenario. */
public final class TableReader {

  private static final List<String> DIMENSIONS =
      Stream.concat(Dimensions.ALL.stream(), Setting.labels().stream()).toList();
  private static final List<String> OPERATIONS =
      Arrays.stream(Operation.values()).map(Operation::label).toList();
  private static final List<String> UNITS =
      Arrays.stream(Unit.values()).flatMap(unit -> unit.suffixes().stream()).distinct().toList();
  private static final String FORMAT = CellSpec.SHORT + "|(#,##)?0(\\.0*#*)?";

  /**
   * The names in a scenario.
   *
   * @param settings the values of each setting that the command line does not replace
   */
  record Names(
      Collection<String> phases, List<EngineRow> rows, Map<Setting, Set<String>> settings) {

    List<String> options() {
      return EngineRow.values(rows).keySet().stream().map(Dimensions.OPTIONS::concat).toList();
    }

    /** Returns the values of {@code dimension}; empty if they are not known yet. */
    private Optional<? extends Collection<String>> values(String dimension) {
      return switch (dimension) {
        case Dimensions.PHASE -> Optional.of(phases);
        case Dimensions.ENGINE ->
            Optional.of(
                rows.stream()
                    .flatMap(row -> Stream.of(row.name(), row.label()))
                    .distinct()
                    .toList());
        default ->
            dimension.startsWith(Dimensions.OPTIONS)
                ? Optional.of(dimension.substring(Dimensions.OPTIONS.length()))
                    .map(name -> EngineRow.values(rows).get(name))
                    .filter(values -> values.stream().noneMatch(Tuning::isPlaceholder))
                : Setting.of(dimension).map(settings::get);
      };
    }
  }

  /** The common part of cells, the dimensions that have a value, and the values by name. */
  private record Frame(CellSpec cell, Set<String> bound, Map<String, Located<CellSpec>> values) {

    Frame with(LineSpec line, Map<String, Located<CellSpec>> named) {
      Set<String> allBound = new TreeSet<>(bound);
      allBound.addAll(line.bound());
      Map<String, Located<CellSpec>> allValues = new TreeMap<>(values);
      allValues.putAll(named);
      return new Frame(line.cell().or(cell), allBound, allValues);
    }

    Frame with(LineSpec line) {
      return with(line, Map.of());
    }
  }

  private final Optional<Names> names;

  /** {@code names} is empty for a table that any scenario may use. */
  TableReader(Optional<Names> names) {
    this.names = names;
  }

  /**
   * Returns the requested table; empty if this version of kvrank has none with its name or cannot
   * read it.
   */
  public static Optional<TableSpec> read(TableRequest request) {
    Object stated = request.stated();
    return stated instanceof Map
        ? read(new Yaml().dump(stated), "plan.json")
        : Optional.of(stated.toString())
            .filter(name -> name.matches("[A-Za-z0-9][A-Za-z0-9._-]*"))
            .flatMap(TableReader::shipped);
  }

  /** Returns a table of {@code tables/} from kvrank's jar, if it has this name. */
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
    Diagnostics reading = new Diagnostics();
    Optional<TableSpec> table =
        YamlFile.parse(reading, text, Path.of(file))
            .flatMap(new TableReader(Optional.empty())::read);
    return reading.problems().isEmpty() ? table : Optional.empty();
  }

  Optional<TableSpec> read(YamlValue value) {
    Frame none = new Frame(CellSpec.OPEN, Set.of(), Map.of());
    return value.ifMap(map -> table(map, map.get("description").sentence().orElse(""), none));
  }

  private TableSpec table(YamlValue map, String description, Frame above) {
    List<String> forEach = dimensions(map);
    CellSpec cell = cell(map);
    SortedMap<String, CellSpec> values = new TreeMap<>();
    Map<String, Located<CellSpec>> named = new TreeMap<>();
    map.get("values")
        .entries()
        .forEach(
            (name, value) -> {
              values.put(name, cell(value));
              named.put(name, new Located<>(values.get(name), value.place()));
            });
    Frame frame = above.with(LineSpec.each(forEach, cell), named);
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
            stated ->
                new TableSpec.Index(
                    template(stated.required("title"), frame).orElse(""),
                    template(stated.get("text"), frame).orElse(""))),
        map.get("charts").items().stream().map(chart -> chart(chart, frame)).toList(),
        map.get("tables").items().stream().map(table -> table(table, "", frame)).toList());
  }

  private List<String> dimensions(YamlValue map) {
    return YamlValue.readAll(map.get("for-each").oneOrMore(), this::dimension);
  }

  private Optional<String> dimension(YamlValue value) {
    return value.text().filter(name -> isDimension(value.place(), "dimension", name, DIMENSIONS));
  }

  /** Returns whether {@code name} is valid; options of engines are, if they are unknown here. */
  private boolean isDimension(
      SourceLocation place, String noun, String name, Collection<String> valid) {
    if (names.isEmpty() && name.startsWith(Dimensions.OPTIONS)) {
      return true;
    }
    Set<String> withOptions = new LinkedHashSet<>(valid);
    names.ifPresent(known -> withOptions.addAll(known.options()));
    return place.known(noun, name, withOptions);
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
        to(map.get("to")),
        filter(map));
  }

  private Optional<String> to(YamlValue value) {
    Optional<String> to = value(Dimensions.ENGINE, value);
    List<String> labels =
        names.stream()
            .flatMap(known -> known.rows().stream())
            .filter(row -> to.equals(Optional.of(row.name())))
            .map(EngineRow::label)
            .toList();
    if (labels.size() > 1 && !labels.contains(to.get())) {
      value.report(
          "'%s' has %d rows; compare with one of them, such as '%s'",
          to.get(), labels.size(), labels.get(0));
    }
    return to;
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
    List<String> units = metric.map(known -> known.unit().suffixes()).orElse(UNITS);
    String name = metric.map(Metric::shortName).orElse("");
    return value.text().isPresent() && units.isEmpty()
        ? value.report("%s has no unit; remove '%s'", name, value.text().get())
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
        chosen.put(dimension, YamlValue.readAll(stated, item -> value(dimension, item)));
      }
      Optional<Boolean> load = filter.get(Dimensions.LOAD).flag();
      chosen.put(Dimensions.LOAD, load.stream().map(String::valueOf).toList());
      chosen.values().removeIf(List::isEmpty);
      chosen.forEach(
          (dimension, values) -> {
            if (choices.putIfAbsent(dimension, new Choice(values, negated)) != null) {
              filter.at(dimension).report("'where' already selects from this dimension");
            }
          });
    }
    return new Filter(choices);
  }

  /** Returns a value of {@code dimension}, or a position among its values. */
  private Optional<String> value(String dimension, YamlValue value) {
    Optional<String> text = value.text();
    if (text.map(Choice.PLACES::contains).orElse(true)) {
      return text;
    }
    if (Tuning.isPlaceholder(text.get())) {
      return value.report(
          "'%s' is a placeholder, which the search replaces; select 'first' or 'last', or remove it",
          text.get());
    }
    if (dimension.equals(Dimensions.OPERATION)) {
      boolean ofGroup = Operation.ofResult(text.get()).isPresent();
      return ofGroup ? text : value.oneOf(dimension, OPERATIONS);
    }
    // Values are compared in their canonical form.
    Optional<Setting> setting = Setting.of(dimension);
    Optional<String> read = setting.isPresent() ? setting.get().read(value) : text;
    Optional<Collection<String>> valid = names.flatMap(known -> known.values(dimension));
    String noun = Dimensions.ALL.contains(dimension) ? dimension : "value of " + dimension;
    return read.filter(name -> valid.isEmpty() || value.place().known(noun, name, valid.get()));
  }

  private Optional<String> template(YamlValue value, Frame frame) {
    // A column may have an empty heading.
    Optional<String> text = value.isBlank() ? value.text() : value.sentence();
    if (!Template.balanced(text.orElse(""))) {
      value.report("a '{' or '[' is not closed, is closed twice or is nested");
      return text;
    }
    Set<String> valid = new LinkedHashSet<>(Template.NAMES);
    valid.addAll(frame.values().keySet());
    valid.addAll(Setting.labels());
    for (Template.Placeholder p : Template.placeholders(text.orElse(""))) {
      isDimension(value.place(), "placeholder", p.name(), valid);
      p.form().ifPresent(form -> value.place().known("form", form, Template.Form.labels()));
      Located<CellSpec> cell = frame.values().get(p.name());
      if (cell != null && cell.value().or(frame.cell()).metric().isEmpty()) {
        cell.report("has no metric; add 'metric' to it or to the table");
      }
    }
    return text;
  }

  private List<Located<LineSpec>> lines(YamlValue value, Frame frame) {
    return YamlValue.readAll(
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
        line(map.required("rows"), above).orElse(LineSpec.each(List.of(), CellSpec.OPEN));
    checkCell(map.place(), frame.with(rows));
    checkShow(map.get("show"), cell);
    checkShow(map.get("rows"), rows.cell());
    return new ChartSpec(
        map.get("kind").choice("kind of chart", ChartSpec.Kind.class).orElse(ChartSpec.Kind.DOTS),
        map.required("file").name().orElse(""),
        template(map.required("title"), above).orElse(""),
        template(map.get("axis"), above).orElse(""),
        map.get("scale").choice("scale", Map.of("linear", false, "log", true)).orElse(false),
        map.get("png").flag().orElse(false),
        cell,
        rows);
  }

  private static void checkShow(YamlValue value, CellSpec cell) {
    cell.show()
        .filter(show -> show != Show.VALUE && show != Show.RATIO)
        .ifPresent(
            show -> value.report("a chart cannot show '%s'; write value or ratio", show.label()));
  }

  private static void check(
      YamlValue map, List<Located<LineSpec>> rows, List<Located<LineSpec>> columns, Frame frame) {
    boolean grid = map.has("rows") || map.has("columns");
    if (grid && !(map.has("rows") && map.has("columns"))) {
      map.place().report("has only rows or only columns; a table needs both");
    }
    if (!grid && Stream.of("items", "tables", "charts").noneMatch(map::has)) {
      map.place().report("is empty; add rows and columns, items, charts or tables");
    }
    if ((grid || map.has("items")) && !map.has("title")) {
      map.place().report("missing key 'title'");
    }
    List<Located<String>> missing = new ArrayList<>();
    for (Located<LineSpec> column : columns) {
      boolean ranked = map.has("index") && column.value().text().isEmpty();
      if (ranked && frame.with(column.value()).cell().metric().isEmpty()) {
        column.report("has no metric; an index ranks columns, so add 'metric' to each");
      }
      for (Located<LineSpec> row : rows) {
        if (column.value().text().isPresent()) {
          continue;
        }
        if (row.value().cell().metric().isPresent() && column.value().cell().metric().isPresent()) {
          column.report("has a metric, and so does a row; keep one of them");
        }
        Frame cell = frame.with(row.value()).with(column.value());
        checkCell(column.place(), cell);
        missing.add(new Located<>(missing(cell), column.place()));
      }
    }
    // A dimension open in all cells makes a table for each value; in some cells it is forgotten.
    if (missing.stream().map(Located::value).distinct().count() > 1) {
      missing.stream()
          .filter(open -> !open.value().isEmpty())
          .forEach(
              open ->
                  open.report(
                      "selects no %s, but other columns do; add 'where: {%s: ...}'",
                      open.value(), open.value()));
    }
  }

  /** Returns the first open dimension that the metric of a cell needs; empty if there is none. */
  private static String missing(Frame frame) {
    List<String> needed = frame.cell().metric().map(Dimensions::needed).orElse(List.of());
    return needed.stream().filter(name -> !frame.bound().contains(name)).findFirst().orElse("");
  }

  private static void checkCell(SourceLocation place, Frame frame) {
    CellSpec cell = frame.cell();
    Show show = cell.show().orElse(Show.VALUE);
    if (cell.metric().isEmpty()) {
      place.report("has no metric; add 'metric' to it, to the rows or to the table");
    } else if (show.ofEngine() && !frame.bound().contains(Dimensions.ENGINE)) {
      place.report("needs an engine; make the rows or the columns 'engine'");
    } else if (show.compared() && cell.to().isEmpty()) {
      place.report(
          "'%s' compares with an engine; add 'to: first', 'to: last' or 'to: NAME'", show.label());
    }
  }
}

package kvrank.scenario;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toMap;

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
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.metric.Unit;
import kvrank.table.CellSpec;
import kvrank.table.ChartSpec;
import kvrank.table.Dimensions;
import kvrank.table.Filter;
import kvrank.table.Filter.Choice;
import kvrank.table.LineSpec;
import kvrank.table.Show;
import kvrank.table.TableSpec;
import kvrank.table.Template;
import kvrank.workload.Operation;

/** Reads a table: a file of its own, or a map inside a scenario. */
final class TableReader {

  private static final List<String> FACTORS =
      Arrays.stream(Setting.values()).map(Setting::label).toList();
  private static final List<String> DIMENSIONS =
      Stream.concat(Dimensions.ALL.stream(), FACTORS.stream()).toList();
  private static final List<String> OPERATIONS =
      Arrays.stream(Operation.values()).map(Operation::label).toList();
  private static final List<String> UNITS =
      Arrays.stream(Unit.values()).flatMap(unit -> unit.suffixes().stream()).distinct().toList();
  private static final Map<String, Show> SHOWS =
      Arrays.stream(Show.values()).collect(toMap(Show::label, identity()));
  private static final Map<String, ChartSpec.Kind> KINDS =
      Map.of("dots", ChartSpec.Kind.DOTS, "lines", ChartSpec.Kind.LINES);
  private static final String PATTERN = "(#,##)?0(\\.0*#*)?";

  /** The names that only a scenario knows. */
  record Names(Collection<String> phases, Collection<String> engines) {
    Names {
      phases = List.copyOf(phases);
      engines = List.copyOf(engines);
    }
  }

  /**
   * What holds in a table.
   *
   * @param cell what its cells have in common
   * @param bound the dimensions that have a value
   * @param values the names of cells that templates can name
   */
  private record Frame(CellSpec cell, Set<String> bound, Set<String> values) {

    Frame with(LineSpec line, Collection<String> named) {
      return new Frame(line.cell().or(cell), union(bound, line.bound()), union(values, named));
    }
  }

  private final Optional<Names> names;

  /**
   * @param names those of the scenario that the table is for; empty if it is for any
   */
  TableReader(Optional<Names> names) {
    this.names = names;
  }

  Optional<TableSpec> read(YamlValue root) {
    return root.section(
        map ->
            table(
                map,
                map.optional("description").flatMap(YamlValue::sentence).orElse(""),
                new Frame(CellSpec.OPEN, Set.of(), Set.of())));
  }

  private TableSpec table(YamlMap map, String description, Frame above) {
    List<String> forEach = dimensions(map);
    CellSpec cell = cell(map);
    TreeMap<String, CellSpec> values = new TreeMap<>();
    map.optional("values")
        .flatMap(named -> named.section(YamlMap::all))
        .ifPresent(
            all ->
                all.forEach(
                    (name, value) ->
                        value.section(this::cell).ifPresent(each -> values.put(name, each))));
    Frame frame = above.with(LineSpec.each(forEach, cell), values.keySet());
    List<Located<LineSpec>> rows = lines(map, "rows", frame);
    List<Located<LineSpec>> columns = lines(map, "columns", frame);
    check(map, rows, columns, frame);
    return new TableSpec(
        description,
        template(map.optional("title"), frame).orElse(""),
        template(map.optional("text"), frame).orElse(""),
        map.optional("corner").flatMap(YamlValue::text).orElse(""),
        forEach,
        cell,
        rows.stream().map(Located::value).toList(),
        columns.stream().map(Located::value).toList(),
        values,
        rename(map),
        map.optional("items").flatMap(value -> line(value, frame)),
        map.optional("index").flatMap(value -> value.section(index -> index(index, frame))),
        sections(map, "charts", chart -> chart(chart, frame)),
        sections(map, "tables", table -> table(table, "", frame)));
  }

  private static <T> List<T> sections(YamlMap map, String key, Function<YamlMap, T> reader) {
    return map.optional(key).map(YamlValue::items).orElse(List.of()).stream()
        .flatMap(item -> item.section(reader).stream())
        .toList();
  }

  private static Set<String> union(Collection<String> one, Collection<String> other) {
    Set<String> both = new TreeSet<>(one);
    both.addAll(other);
    return both;
  }

  private static List<YamlValue> oneOrMore(Optional<YamlValue> element) {
    return element.map(value -> value.isList() ? value.items() : List.of(value)).orElse(List.of());
  }

  private static boolean known(
      String noun, String name, Collection<String> valid, SourceLocation place) {
    boolean known = valid.contains(name);
    if (!known) {
      place.report("unknown %s '%s'%s".formatted(noun, name, Suggestion.of(name, valid)));
    }
    return known;
  }

  private static List<String> dimensions(YamlMap map) {
    return oneOrMore(map.optional("for-each")).stream()
        .flatMap(item -> dimension(item).stream())
        .toList();
  }

  private static Optional<String> dimension(YamlValue item) {
    return item.text().filter(name -> known("dimension", name, DIMENSIONS, item.place()));
  }

  private CellSpec cell(YamlMap map) {
    Optional<Metric> metric = map.optional("metric").flatMap(TableReader::metric);
    return new CellSpec(
        metric,
        map.optional("unit").flatMap(value -> unit(value, metric)),
        map.optional("format").flatMap(TableReader::format),
        map.optional("show").flatMap(value -> value.choice("kind of cell", SHOWS)),
        map.optional("to").flatMap(value -> value(Dimensions.ENGINE, value)),
        filter(map));
  }

  private static Optional<Metric> metric(YamlValue value) {
    Optional<String> name = value.text();
    Optional<Metric> metric = name.flatMap(Metrics::find);
    if (name.isPresent() && metric.isEmpty()) {
      Function<Metric, String> form =
          name.get().startsWith(Metric.LATENCY) ? Metric::id : Metric::shortName;
      known("metric", name.get(), Metrics.ALL.stream().map(form).toList(), value.place());
    }
    return metric;
  }

  private static Optional<String> unit(YamlValue value, Optional<Metric> metric) {
    List<String> units = metric.map(each -> each.unit().suffixes()).orElse(UNITS);
    Optional<String> unit = value.text();
    if (unit.isPresent() && units.isEmpty()) {
      value.report(
          "%s has no unit; leave '%s' out".formatted(metric.orElseThrow().shortName(), unit.get()));
      return Optional.empty();
    }
    String noun = metric.map(each -> "unit of " + each.shortName()).orElse("unit");
    return unit.filter(name -> known(noun, name, units, value.place()));
  }

  private static Optional<String> format(YamlValue value) {
    Optional<String> format = value.text();
    boolean good =
        format.map(text -> text.equals(CellSpec.SHORT) || text.matches(PATTERN)).orElse(true);
    if (!good) {
      value.report(
          "'%s' is not a format; write one such as 0, 0.00, 0.0## or #,##0, or short"
              .formatted(format.get()));
    }
    return format.filter(any -> good);
  }

  private Filter filter(YamlMap map) {
    SortedMap<String, Choice> choices = new TreeMap<>();
    for (boolean negated : new boolean[] {false, true}) {
      map.optional(negated ? "except" : "where")
          .ifPresent(
              value ->
                  value.section(
                      "dimension",
                      all ->
                          choices(
                              all,
                              (name, chosen) -> {
                                if (choices.putIfAbsent(name, new Choice(chosen, negated))
                                    != null) {
                                  all.keyPlace(name).report("'where' chooses of it already");
                                }
                              })));
    }
    return new Filter(choices);
  }

  private boolean choices(YamlMap map, BiConsumer<String, List<String>> chosen) {
    for (String dimension : DIMENSIONS) {
      List<String> values =
          oneOrMore(map.optional(dimension)).stream()
              .flatMap(item -> value(dimension, item).stream())
              .toList();
      if (!values.isEmpty()) {
        chosen.accept(dimension, values);
      }
    }
    map.optional(Dimensions.LOAD)
        .flatMap(YamlValue::flag)
        .ifPresent(load -> chosen.accept(Dimensions.LOAD, List.of(Boolean.toString(load))));
    return true;
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
    return value
        .text()
        .filter(
            text ->
                Choice.PLACES.contains(text)
                    || valid.isEmpty()
                    || known(dimension, text, valid.get(), value.place()))
        // Values are compared in their normal form, in which digits are not grouped.
        .map(text -> text.matches("[0-9_]+") ? text.replace("_", "") : text);
  }

  private static Optional<String> template(Optional<YamlValue> value, Frame frame) {
    Optional<String> text =
        // The heading of a column may be empty.
        value.flatMap(each -> each.isBlank() ? each.text() : each.sentence());
    text.ifPresent(
        template -> {
          SourceLocation place = value.get().place();
          if (!Template.balanced(template)) {
            place.report("a '{' or '[' is not closed, is closed twice, or stands in another");
            return;
          }
          Set<String> valid = new LinkedHashSet<>(Template.NAMES);
          valid.addAll(frame.values());
          valid.addAll(FACTORS);
          for (Template.Placeholder each : Template.placeholders(template)) {
            known("placeholder", each.name(), valid, place);
            each.form().ifPresent(form -> known("form", form, Template.Form.labels(), place));
          }
        });
    return text;
  }

  private List<Located<LineSpec>> lines(YamlMap map, String key, Frame frame) {
    List<Located<LineSpec>> lines = new ArrayList<>();
    for (YamlValue item : oneOrMore(map.optional(key))) {
      line(item, frame).ifPresent(line -> lines.add(new Located<>(line, item.place())));
    }
    return lines;
  }

  private Optional<LineSpec> line(YamlValue value, Frame frame) {
    return value.isMap()
        ? value.section(map -> line(map, frame))
        : dimension(value).map(name -> LineSpec.each(List.of(name), CellSpec.OPEN));
  }

  private LineSpec line(YamlMap map, Frame frame) {
    return new LineSpec(
        template(map.optional("title"), frame),
        map.optional("brief").flatMap(YamlValue::sentence),
        template(map.optional("text"), frame),
        map.optional("align")
            .flatMap(value -> value.choice("side", Map.of("left", false, "right", true))),
        dimensions(map),
        cell(map));
  }

  private static TableSpec.Index index(YamlMap map, Frame frame) {
    return new TableSpec.Index(
        template(map.required("title"), frame).orElse(""),
        template(map.optional("text"), frame).orElse(""));
  }

  private static Map<String, Map<String, String>> rename(YamlMap map) {
    Map<String, Map<String, String>> rename = new TreeMap<>();
    map.optional("rename")
        .ifPresent(
            value ->
                value.inside(
                    all -> {
                      for (String dimension : Dimensions.ALL) {
                        all.optional(dimension)
                            .flatMap(each -> each.section(YamlMap::texts))
                            .ifPresent(words -> rename.put(dimension, words));
                      }
                    }));
    return rename;
  }

  private ChartSpec chart(YamlMap map, Frame above) {
    CellSpec cell = cell(map);
    Frame frame = above.with(LineSpec.each(List.of(Dimensions.ENGINE), cell), List.of());
    LineSpec rows =
        map.required("rows")
            .flatMap(value -> line(value, frame))
            .orElse(LineSpec.each(List.of(), CellSpec.OPEN));
    checkCell(map.place(), frame.with(rows, List.of()));
    return new ChartSpec(
        map.optional("kind")
            .flatMap(value -> value.choice("kind of chart", KINDS))
            .orElse(ChartSpec.Kind.DOTS),
        map.required("file").flatMap(YamlValue::name).orElse(""),
        template(map.required("title"), frame).orElse(""),
        template(map.optional("axis"), frame).orElse(""),
        map.optional("scale")
            .flatMap(value -> value.choice("scale", Map.of("linear", false, "log", true)))
            .orElse(false),
        map.optional("png").flatMap(YamlValue::flag).orElse(false),
        cell,
        rows);
  }

  private static void check(
      YamlMap map, List<Located<LineSpec>> rows, List<Located<LineSpec>> columns, Frame frame) {
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
          column.place().report("names a metric, and so does a row; let one of them do it");
        }
        Frame cell = frame.with(row.value(), List.of()).with(column.value(), List.of());
        checkCell(column.place(), cell);
        missing.add(new Located<>(missing(cell), column.place()));
      }
    }
    // What no cell names makes a table for each; what only some name is forgotten in the others.
    if (missing.stream().map(Located::value).distinct().count() > 1) {
      for (Located<String> each : missing) {
        if (!each.value().isEmpty()) {
          each.place()
              .report(
                  "names no %s, and others do; add 'where: {%s: ...}'"
                      .formatted(each.value(), each.value()));
        }
      }
    }
  }

  /** Returns the dimension that a cell needs and that nothing gives a value; empty if none. */
  private static String missing(Frame cell) {
    return cell.cell().metric().stream()
        .flatMap(metric -> Dimensions.needed(metric).stream())
        .filter(dimension -> !cell.bound().contains(dimension))
        .findFirst()
        .orElse("");
  }

  private static void checkCell(SourceLocation place, Frame cell) {
    Show show = cell.cell().show().orElse(Show.VALUE);
    if (cell.cell().metric().isEmpty()) {
      place.report("names no metric, nor do the rows and the table");
    } else if (show.ofEngine() && !cell.bound().contains(Dimensions.ENGINE)) {
      place.report("is of no engine; let the rows or the columns be 'engine'");
    } else if (show.compared() && cell.cell().to().isEmpty()) {
      place.report(
          "'%s' compares with an engine; add 'to: first', 'to: last' or 'to: NAME'"
              .formatted(show.label()));
    }
  }
}

package kvrank.scenario.read;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import kvrank.engine.EngineDefinition;
import kvrank.engine.EngineReader;
import kvrank.engine.LibraryProperties;
import kvrank.engine.ProvisionMethod;
import kvrank.engine.Tuning;
import kvrank.input.Located;
import kvrank.input.SourceLocation;
import kvrank.input.YamlValue;
import kvrank.metric.Direction;
import kvrank.metric.Metric;
import kvrank.metric.Scope;
import kvrank.scenario.EngineRow;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.EngineSpec.ServerChoice;
import kvrank.scenario.FactorPoints;

/** Reads the engines of a scenario. */
final class EngineSpecReader {

  /** Rows of one engine, at most. */
  private static final int MAX_ROWS = 1_000;

  /** The largest value of a tuned option. */
  private static final long MAX_VALUE = 1L << 50;

  private final DefinitionLoader library;
  private final int copies;
  private final List<String> only;
  private final SortedMap<String, SourceLocation> entries = new TreeMap<>();
  private final Map<String, Located<EngineRow>> rows = new LinkedHashMap<>();

  /** Reads each entry as {@code copies} rows; {@code only} has the names to read, or is empty. */
  EngineSpecReader(DefinitionLoader library, int copies, List<String> only) {
    this.library = library;
    this.copies = copies;
    this.only = List.copyOf(only);
  }

  List<EngineSpec> read(YamlValue engines) {
    List<EngineSpec> result = new ArrayList<>();
    List<YamlValue> items = engines.items("needs at least one engine");
    if (only.isEmpty()) {
      library.readAhead(
          items.stream()
              .filter(item -> !item.isMap() || !item.has("bindings"))
              .map(item -> item.isMap() ? item.get("engine") : item)
              .flatMap(name -> name.text().stream()));
    }
    items.forEach(item -> result.addAll(entry(item)));
    result.forEach(row -> row.tuning().ifPresent(tuning -> checkTuned(row.row().name(), tuning)));
    return result;
  }

  /** Reports rows with listed values of a tuned option: the search may choose the same values. */
  private void checkTuned(String name, Tuning tuning) {
    List<EngineRow> same = rows().stream().filter(row -> row.name().equals(name)).toList();
    Set<String> values = EngineRow.values(same).get(tuning.option());
    if (!tuning.placeholders().containsAll(values)) {
      entries
          .get(name)
          .report(
              "'%s' of '%s' is tuned in one entry and listed in another; rename one with 'as'",
              tuning.option(), name);
    }
  }

  /** Returns the names of all entries, including those that are not read. */
  Set<String> entries() {
    return entries.keySet();
  }

  /** Returns the rows of all entries, including those that are not read. */
  List<EngineRow> rows() {
    return rows.values().stream().map(Located::value).toList();
  }

  private List<EngineSpec> entry(YamlValue value) {
    YamlValue map = value.isMap() ? value : value.absent();
    YamlValue engineName = value.isMap() ? value.required("engine") : value;
    YamlValue as = map.get("as");
    YamlValue options = map.get("options");
    YamlValue server = map.get("server").keys("method for the server");
    SortedMap<String, String> fixed = new TreeMap<>();
    SortedMap<String, List<String>> factors = new TreeMap<>();
    options
        .entries()
        .forEach(
            (option, stated) -> {
              if (stated.isList()) {
                factors.put(
                    option,
                    stated.distinct(
                        item ->
                            item.matching(
                                "has a line break, starts with '--' or is longer than 60 characters",
                                "(?!--)\\P{Cntrl}{0,60}")));
              } else {
                // Servers that accept any setting would read '--' as another setting.
                stated
                    .matching("has a line break or starts with '--'", "(?!--)\\P{Cntrl}*")
                    .ifPresent(text -> fixed.put(option, text));
              }
            });
    factors.values().removeIf(List::isEmpty);
    YamlValue tune = map.get("tune");
    Optional<Tuning> tuning = tuning(tune, options, !factors.isEmpty());
    double points = FactorPoints.count(factors);
    if (points > MAX_ROWS) {
      options.report("makes %,.0f rows of one engine; at most %,d are allowed", points, MAX_ROWS);
      factors.clear();
    }
    tuning.ifPresent(search -> factors.put(search.option(), search.placeholders()));
    Optional<String> name = as.isPresent() ? as.name() : engineName.text();
    List<EngineRow> newRows = name.map(text -> rows(text, factors)).orElse(List.of());
    boolean read = name.isPresent() && claim(name.get(), newRows, as.or(engineName).place());
    Path here = value.place().file().toAbsolutePath().getParent();
    Optional<Path> bindings =
        map.get("bindings")
            .parsed("is not a path", text -> ServerChoiceReader.path(here, text))
            .map(Path::of);
    bindings.ifPresent(
        folder -> map.place().reading().starts(map.get("bindings").place(), folder.toString()));
    Optional<EngineDefinition> engine =
        read ? library.engine(engineName, bindings) : Optional.empty();
    if (engine.isEmpty()) {
      return List.of();
    }
    Optional<ServerChoice> choice = ServerChoiceReader.read(server, engine.get());
    Map<String, SourceLocation> named = new LinkedHashMap<>();
    options.names().forEach(option -> named.put(option, options.at(option)));
    tuning.ifPresent(search -> named.put(search.option(), tune.get("option").place()));
    EngineDefinition definition =
        choice.filter(ServerChoice::cluster).isPresent() ? engine.get().clustered() : engine.get();
    checkOptions(named, definition, choice);
    checkNumbers(options, definition.binding().properties().keySet());
    SortedMap<String, List<String>> stated = new TreeMap<>(factors);
    fixed.forEach((option, text) -> stated.put(option, List.of(text)));
    if (definition.hasTransport() && stated.containsKey(EngineDefinition.TRANSPORT)) {
      checkTransport(
          named.get(EngineDefinition.TRANSPORT), stated.get(EngineDefinition.TRANSPORT), choice);
    }
    LibraryProperties.of(definition.binding())
        .ifPresent(
            properties -> {
              properties.check(named, stated);
              tuning.map(Tuning::option).ifPresent(o -> properties.checkTuned(named.get(o), o));
            });
    factors.keySet().stream()
        .filter(engine.get()::setByFsync)
        .forEach(
            option ->
                named.get(option).report("'%s' is set by fsync; vary 'fsync' instead", option));
    EngineSpec spec =
        new EngineSpec(EngineRow.of(name.get()), definition, fixed, choice, tuning, bindings);
    return newRows.stream().map(spec::as).toList();
  }

  /** Returns a row for each copy and each combination of the options that are factors. */
  private List<EngineRow> rows(String name, SortedMap<String, List<String>> factors) {
    Stream<String> names =
        copies == 1
            ? Stream.of(name)
            : IntStream.rangeClosed(1, copies).mapToObj(copy -> name + "-" + copy);
    List<SortedMap<String, String>> points = FactorPoints.of(factors);
    return names.flatMap(copy -> points.stream().map(point -> new EngineRow(copy, point))).toList();
  }

  /** Returns whether to read the entry: its rows are new, and {@code only} does not exclude it. */
  private boolean claim(String name, List<EngineRow> newRows, SourceLocation place) {
    entries.put(name, place);
    boolean unique = true;
    for (EngineRow row : newRows) {
      Located<EngineRow> first = rows.putIfAbsent(row.folder(), new Located<>(row, place));
      if (first != null) {
        place.report(
            "'%s' is already on %s; rename one of them with 'as'",
            row.label(), first.place().reference());
        unique = false;
      }
    }
    return unique && (only.isEmpty() || only.contains(name));
  }

  /** Returns the search for the best value of an option; empty without one or after a problem. */
  private Optional<Tuning> tuning(YamlValue tune, YamlValue options, boolean factors) {
    if (!tune.isPresent() || !tune.expectMap()) {
      return Optional.empty();
    }
    Optional<String> option = tune.required("option").text();
    Optional<Long> from = tune.required("from").bytes(1, MAX_VALUE);
    Optional<Long> to = tune.required("to").bytes(1, MAX_VALUE);
    YamlValue maximise = tune.get("maximise");
    YamlValue target = maximise.or(tune.get("minimise"));
    Optional<Metric> metric = TableReader.metric(target);
    if (maximise.isPresent() == tune.get("minimise").isPresent()) {
      tune.report("needs one of 'maximise' and 'minimise'");
    }
    if (copies > 1) {
      tune.report("cannot be combined with 'copies', which must be equal");
    }
    if (factors) {
      tune.report("cannot be combined with lists of options; keep one value of each");
    }
    if (option.filter(options::has).isPresent()) {
      options.at(option.get()).report("'%s' is tuned; remove it here", option.get());
    }
    if (from.isPresent() && to.isPresent() && from.get() >= to.get()) {
      tune.get("from").report("must be less than 'to'");
    }
    metric.ifPresent(known -> checkMetric(target, known, maximise.isPresent()));
    return option.isPresent() && from.isPresent() && to.isPresent()
        ? metric.map(known -> new Tuning(option.get(), from.get(), to.get(), known))
        : Optional.empty();
  }

  private static void checkMetric(YamlValue value, Metric metric, boolean maximise) {
    boolean higher = metric.direction() == Direction.HIGHER;
    if (metric.counted() || metric.scope() == Scope.RUN) {
      value.report(
          "'%s' is a count or belongs to the whole run; choose a metric of phases",
          metric.shortName());
    } else if (higher != maximise) {
      value.report(
          "%s values of '%s' are better; write '%s'",
          higher ? "higher" : "lower", metric.shortName(), higher ? "maximise" : "minimise");
    }
  }

  private static void checkOptions(
      Map<String, SourceLocation> named, EngineDefinition engine, Optional<ServerChoice> choice) {
    Set<String> properties = engine.binding().properties().keySet();
    Set<String> known = new TreeSet<>(properties);
    known.addAll(engine.settings().keySet());
    if (engine.hasTransport()) {
      known.add(EngineDefinition.TRANSPORT);
    }
    known.removeIf(engine::reserves);
    String external =
        choice.filter(ServerChoice::cluster).isPresent()
            ? "'%s' is not an option of a cluster"
            : "'%s' is a server setting, and kvrank does not configure external servers";
    // Some servers accept settings that engine.yaml does not name.
    boolean any =
        engine.server().filter(s -> s.arguments().contains(EngineReader.ALL_SETTINGS)).isPresent();
    named.forEach(
        (option, place) -> {
          if (engine.reserves(option)) {
            place.report(
                engine.embedded()
                    ? "'%s' is set by kvrank; for another data folder, use 'storage: {data:"
                        + " FOLDER}' or '--set data=FOLDER'"
                    : "'%s' is set by kvrank; for a running server, use 'server: {external:"
                        + " {address: HOST:PORT}}'; for another data folder, '--set data=FOLDER'",
                option);
          } else if (choice.filter(ServerChoice::external).isPresent()) {
            if (!properties.contains(option)) {
              place.report(external, option);
            }
          } else if (any
              && (known.contains(option) || !option.equals(EngineDefinition.TRANSPORT))) {
            place.isName(option);
          } else {
            place.has(engine.name() + " has no option", option, known);
          }
        });
  }

  /** Reports values of {@code properties} with a unit in their name that are not numbers. */
  private static void checkNumbers(YamlValue options, Set<String> properties) {
    options
        .entries()
        .forEach(
            (option, value) -> {
              if (properties.contains(option) && option.matches(".*-(bytes|millis)")) {
                value
                    .oneOrMore()
                    .forEach(item -> item.matching("must be a number without a unit", "-?[0-9]+"));
              }
            });
  }

  private static void checkTransport(
      SourceLocation place, List<String> values, Optional<ServerChoice> choice) {
    values.forEach(value -> place.has("unknown transport", value, EngineDefinition.TRANSPORTS));
    if (values.contains("unix")
        && choice.filter(any -> any.method() == ProvisionMethod.CONTAINER).isPresent()) {
      place.report(
          "kvrank cannot reach a Unix socket in a container; use 'server: {process: true}'");
    }
  }
}

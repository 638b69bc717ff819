package kvrank.scenario.read;

import static java.util.stream.Collectors.toCollection;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvrank.engine.Tuning;
import kvrank.input.SourceLocation;
import kvrank.input.YamlValue;
import kvrank.metric.Expectation;
import kvrank.metric.Expectation.Cell;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.metric.Preference;
import kvrank.metric.Scope;
import kvrank.scenario.EngineRow;
import kvrank.scenario.PhaseSpec;
import kvrank.scenario.Setting;
import kvrank.table.Dimensions;

/**
 * Reads {@code expect}: {@code [ENGINE] [PHASE] [OPERATION] METRIC <|> QUANTITY [at
 * FACTOR=VALUE,...]}, and {@code prefer}.
 *
 * @param rows all rows of the file
 * @param factors every setting with its values
 */
record ExpectationReader(
    List<EngineRow> rows,
    List<PhaseSpec> phases,
    SortedMap<Setting, List<String>> factors,
    Overrides overrides) {

  private static final String FORM =
      "write [ENGINE] [PHASE] [OPERATION] METRIC < or > QUANTITY [at FACTOR=VALUE,...],"
          + " such as redis read p99 < 2ms at threads=8";

  private static final String NUMBER = "([0-9][0-9_]{0,17}(?:\\.[0-9]{1,9})?)";

  private static final Pattern SENTENCE =
      Pattern.compile("([^<>]+)([<>])([^<>]+?)(?:\\s+at\\s+([^<>]+))?");
  private static final Pattern QUANTITY = Pattern.compile(NUMBER + "\\s*(\\D*)");
  private static final Pattern RELATIVE = Pattern.compile(NUMBER + "\\s*%\\s+of(?:\\s+(\\S.*))?");

  /** A value in the metric's unit, or a share of the value of another row. */
  private record Bound(double value, Optional<String> other) {}

  /**
   * Returns the expectations that can be judged, each for one row. Those about or relative to
   * engines outside of {@code kept}, or about values that {@code --set} replaces, are left out.
   */
  List<Expectation> read(YamlValue list, List<String> kept) {
    return list.items().stream()
        .flatMap(item -> item.sentence().stream().flatMap(text -> read(text, item).stream()))
        .filter(e -> kept.contains(e.engine()) && applies(e.point()))
        .filter(e -> e.other().stream().allMatch(o -> kept.contains(o) || best(o)))
        .toList();
  }

  /** Returns the metric by which {@code prefer} orders engines; empty without a valid one. */
  Optional<Preference> preference(YamlValue value) {
    Optional<String> text = value.sentence();
    if (text.isEmpty()) {
      return Optional.empty();
    }
    List<String> words = List.of(text.get().strip().split("\\s+", -1));
    if (words.size() > 3) {
      return value.report(
          "'%s' must have 1 to 3 words; write [PHASE] [OPERATION] METRIC, such as memory",
          text.get());
    }
    Optional<Metric> metric = metric(words, value);
    List<String> place = words.subList(0, words.size() - 1);
    return metric
        .map(m -> new Preference(String.join(" ", words), cells(place, m, value), m))
        .filter(preference -> !preference.cells().isEmpty());
  }

  private boolean best(String other) {
    return other.equals(Expectation.BEST) && rows(other).isEmpty();
  }

  private List<EngineRow> rows(String name) {
    return rows.stream().filter(row -> row.name().equals(name)).toList();
  }

  /** Returns the metric that the last of {@code words} names. */
  private static Optional<Metric> metric(List<String> words, YamlValue item) {
    String last = words.get(words.size() - 1);
    Optional<Metric> metric = Metrics.find(last);
    if (metric.isEmpty()) {
      List<String> valid = Metrics.ALL.stream().map(Metric::shortName).distinct().sorted().toList();
      item.place().known("metric", last, valid);
    }
    return metric;
  }

  private boolean applies(SortedMap<String, String> point) {
    return point.entrySet().stream()
        .allMatch(at -> factors.get(Setting.of(at.getKey()).orElseThrow()).contains(at.getValue()));
  }

  private List<Expectation> read(String text, YamlValue item) {
    Matcher sentence = SENTENCE.matcher(text);
    if (!sentence.matches()) {
      item.report("'%s' is not an expectation; %s", text, FORM);
      return List.of();
    }
    List<String> words = List.of(sentence.group(1).strip().split("\\s+", -1));
    String first = words.get(0);
    Set<String> places = places();
    boolean every = words.size() == 1 || first.equals(Expectation.EVERY) || places.contains(first);
    List<EngineRow> named = rows(first).isEmpty() && every ? rows : rows(first);
    boolean stated = named != rows || first.equals(Expectation.EVERY);
    List<String> rest = words.subList(stated ? 1 : 0, words.size());
    if (rest.isEmpty() || rest.size() > 3) {
      item.report(
          "'%s' must have 1 to 3 words%s; %s",
          sentence.group(1).strip(), stated ? " after the engine" : "", FORM);
      return List.of();
    }
    // All parts are read even after a problem, so that every problem is reported.
    if (named.isEmpty()) {
      Set<String> valid = names();
      valid.addAll(places);
      item.place().known("engine, phase or operation", first, valid);
    }
    Optional<Metric> metric = metric(rest, item);
    List<String> between = rest.subList(0, rest.size() - 1);
    List<Cell> cells = metric.map(m -> cells(between, m, item)).orElse(List.of());
    Optional<Bound> bound = metric.flatMap(m -> bound(sentence.group(3).strip(), m, item));
    SortedMap<String, String> options = new TreeMap<>();
    Optional<SortedMap<String, String>> point = point(sentence.group(4), item, named, options);
    boolean below = sentence.group(2).equals("<");
    if (cells.isEmpty() || bound.isEmpty() || point.isEmpty()) {
      return List.of();
    }
    Optional<String> other = bound.get().other();
    return named.stream()
        .filter(row -> row.options().entrySet().containsAll(options.entrySet()))
        .filter(row -> !other.equals(Optional.of(row.label())))
        .map(
            row ->
                new Expectation(
                    text,
                    row.label(),
                    cells,
                    metric.get(),
                    below,
                    bound.get().value(),
                    point.get(),
                    other))
        .toList();
  }

  private Set<String> names() {
    return rows.stream().map(EngineRow::name).collect(toCollection(TreeSet::new));
  }

  /** Returns the names of phases and operations. */
  private Set<String> places() {
    Set<String> places = new TreeSet<>();
    for (PhaseSpec phase : phases) {
      places.add(phase.name());
      places.addAll(phase.operations());
    }
    return places;
  }

  /** Returns the cells that the words between engine and metric name; empty after a problem. */
  private List<Cell> cells(List<String> words, Metric metric, YamlValue item) {
    Set<String> names = new TreeSet<>();
    Set<String> operations = new TreeSet<>();
    for (PhaseSpec phase : phases) {
      names.add(phase.name());
      operations.addAll(phase.operations());
    }
    SourceLocation place = item.place();
    boolean good = words.isEmpty();
    if (words.size() == 1) {
      good = place.known("phase or operation", words.get(0), places());
    } else if (words.size() == 2) {
      good = place.known("phase", words.get(0), names);
      good &= place.known("operation", words.get(1), operations);
    }
    Optional<String> phase = words.stream().findFirst().filter(names::contains);
    Optional<String> operation = words.stream().skip(phase.isPresent() ? 1 : 0).findFirst();
    return good ? cells(phase, operation, metric, item) : List.of();
  }

  private List<Cell> cells(
      Optional<String> phase, Optional<String> operation, Metric metric, YamlValue item) {
    boolean ofRun = metric.scope() == Scope.RUN;
    boolean ofLoad = metric.scope() == Scope.LOAD;
    Optional<String> extra =
        metric.scope().ofOperations()
            ? Optional.empty()
            : operation.or(() -> phase.filter(any -> ofRun));
    if (extra.isPresent()) {
      String whole = ofRun ? "run" : "phase";
      item.report(
          "%s is a metric of a whole %s; remove '%s'", metric.shortName(), whole, extra.get());
      return List.of();
    }
    if (ofRun) {
      return List.of(new Cell(Optional.empty(), Optional.empty()));
    }
    List<Cell> cells =
        phases.stream()
            .filter(spec -> phase.map(spec.name()::equals).orElse(spec.load() == ofLoad))
            .filter(spec -> !ofLoad || spec.load())
            .flatMap(spec -> cells(spec, operation, metric).stream())
            .toList();
    if (cells.isEmpty()) {
      item.report(noCells(phase, operation, ofLoad));
    }
    return cells;
  }

  private static List<Cell> cells(PhaseSpec phase, Optional<String> operation, Metric metric) {
    if (operation.isEmpty() && metric.scope().ofPhases()) {
      return List.of(new Cell(Optional.of(phase.name()), Optional.empty()));
    }
    return phase.operations().stream()
        .filter(label -> operation.isEmpty() || operation.get().equals(label))
        .map(label -> new Cell(Optional.of(phase.name()), Optional.of(label)))
        .toList();
  }

  private static String noCells(
      Optional<String> phase, Optional<String> operation, boolean ofLoad) {
    if (ofLoad) {
      return "phase '" + phase.orElse("load") + "' is not the load; only the load has a load-time";
    }
    String label = operation.orElse("");
    return operation.isEmpty()
        ? "the load is the only phase; name it"
        : phase
            .map(name -> "phase '" + name + "' has no operation '" + label + "'")
            .orElse("only the load has the operation '" + label + "'; name its phase too");
  }

  private Optional<Bound> bound(String text, Metric metric, YamlValue item) {
    Matcher relative = RELATIVE.matcher(text);
    if (!relative.matches()) {
      return quantity(text, metric, item).map(value -> new Bound(value, Optional.empty()));
    }
    if (relative.group(2) == null) {
      return item.report(
          "'%s' names no row; write the share of one, such as %s%% of %s",
          text, relative.group(1), rows.isEmpty() ? Expectation.BEST : rows.get(0).label());
    }
    String name = relative.group(2).strip();
    double share = number(relative.group(1)) / 100;
    if (metric.counted()) {
      return item.report(
          "%s are counts, which kvrank does not divide; write a number instead of '%s'",
          metric.shortName(), text);
    }
    if (best(name)) {
      return Optional.of(new Bound(share, Optional.of(name)));
    }
    Set<String> valid = names();
    valid.add(Expectation.BEST);
    if (!item.place().known("engine", name, valid)) {
      return Optional.empty();
    }
    List<EngineRow> others = rows(name);
    return others.size() == 1
        ? Optional.of(new Bound(share, Optional.of(others.get(0).label())))
        : item.report(
            "'%s' has %d rows, but a bound is relative to one; add that one to 'engines' by a name"
                + " of its own with 'as'",
            name, others.size());
  }

  private static double number(String digits) {
    return Double.parseDouble(digits.replace("_", ""));
  }

  private static Optional<Double> quantity(String text, Metric metric, YamlValue item) {
    Matcher quantity = QUANTITY.matcher(text);
    String name = metric.shortName();
    if (!quantity.matches()) {
      String example = metric.unit().example();
      return item.report("'%s' is not a quantity; write one such as %s", text, example);
    }
    String unit = quantity.group(2).strip();
    Optional<Double> factor = metric.unit().factor(unit);
    String units = String.join(", ", metric.unit().suffixes());
    if (factor.isEmpty() && unit.isEmpty()) {
      item.report("'%s' has no unit; valid for %s: %s", text, name, units);
    } else if (factor.isEmpty() && units.isEmpty()) {
      item.report("%s has no unit; remove '%s'", name, unit);
    } else if (factor.isEmpty()) {
      item.report("unknown unit '%s' of %s; valid: %s", unit, name, units);
    }
    return factor.map(value -> number(quantity.group(1)) * value);
  }

  /**
   * Returns the settings that {@code text} names, and adds the engine's options to {@code options}.
   */
  private Optional<SortedMap<String, String>> point(
      String text, YamlValue item, List<EngineRow> named, SortedMap<String, String> options) {
    SortedMap<String, Set<String>> known = EngineRow.values(named);
    SortedMap<String, String> point = new TreeMap<>();
    boolean good = true;
    for (String pair : text == null ? List.<String>of() : List.of(text.split(",", -1))) {
      String[] parts = pair.strip().split("\\s*=\\s*", 2);
      Optional<Setting> setting = Setting.of(parts[0]);
      String option = parts[0].replaceFirst("^" + Dimensions.OPTIONS, "");
      if (parts.length < 2) {
        item.report("'%s': expected FACTOR=VALUE", pair.strip());
        good = false;
      } else if (setting.isPresent()) {
        // Values are compared in their canonical form.
        Optional<String> value = setting.get().read(item.with(parts[1]));
        if (value.isPresent() && !overrides.has(setting.get())) {
          List<String> valid = factors.get(setting.get()).stream().sorted().toList();
          good &= item.place().known("value of " + parts[0], value.get(), valid);
        }
        good &= value.isPresent();
        value.ifPresent(normal -> point.put(parts[0], normal));
      } else if (!known.containsKey(option)) {
        Set<String> names = new TreeSet<>(Setting.labels());
        names.addAll(known.keySet());
        good = item.place().known("factor", parts[0], names);
      } else if (known.get(option).stream().anyMatch(Tuning::isPlaceholder)) {
        item.report(
            "the values of '%s' are known only after the search; remove it to judge all values that"
                + " the repetitions measure",
            option);
        good = false;
      } else {
        good &= item.place().known("value of " + option, parts[1], known.get(option));
        options.put(option, parts[1]);
      }
    }
    return good ? Optional.of(point) : Optional.empty();
  }
}

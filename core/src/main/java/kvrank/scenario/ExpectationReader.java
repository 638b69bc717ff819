package kvrank.scenario;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvrank.metric.Expectation;
import kvrank.metric.Expectation.Cell;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.metric.Scope;
import kvrank.workload.Operation;

/**
 * Reads {@code expect}: {@code ENGINE [PHASE] [OPERATION] METRIC <|> QUANTITY [at
 * FACTOR=VALUE,...]}.
 */
final class ExpectationReader {

  private static final String FORM =
      "write ENGINE [PHASE] [OPERATION] METRIC < or > QUANTITY [at FACTOR=VALUE,...],"
          + " such as redis read p99 < 2ms at threads=8";

  private static final Pattern SENTENCE =
      Pattern.compile("([^<>]+)([<>])([^<>]+?)(?:\\s+at\\s+([^<>]+))?");
  private static final Pattern QUANTITY =
      Pattern.compile("([0-9][0-9_]{0,17}(?:\\.[0-9]{1,9})?)\\s*(\\D*)");

  private final Set<String> engines;
  private final Set<String> kept;
  private final List<PhaseSpec> phases;
  private final SortedMap<Setting, List<String>> factors;
  private final Overrides overrides;

  /**
   * @param engines the labels that the file has
   * @param kept those that take part
   * @param factors every setting with its values
   */
  ExpectationReader(
      Set<String> engines,
      Set<String> kept,
      List<PhaseSpec> phases,
      SortedMap<Setting, List<String>> factors,
      Overrides overrides) {
    this.engines = Set.copyOf(engines);
    this.kept = Set.copyOf(kept);
    this.phases = List.copyOf(phases);
    this.factors = factors;
    this.overrides = overrides;
  }

  /**
   * Returns the expectations that can be judged. Those about an engine that {@code --engines}
   * leaves out, or about a factor value that {@code --set} takes away, are not among them.
   */
  List<Expectation> read(YamlValue list) {
    List<Expectation> expectations = new ArrayList<>();
    for (YamlValue item : list.items()) {
      item.sentence().flatMap(text -> read(text, item)).ifPresent(expectations::add);
    }
    return expectations.stream().filter(this::applies).toList();
  }

  private boolean applies(Expectation expectation) {
    return kept.contains(expectation.engine())
        && expectation.point().entrySet().stream()
            .allMatch(at -> values(at.getKey()).contains(at.getValue()));
  }

  private List<String> values(String setting) {
    return factors.get(Setting.of(setting).orElseThrow());
  }

  private Optional<Expectation> read(String text, YamlValue item) {
    Matcher sentence = SENTENCE.matcher(text);
    if (!sentence.matches()) {
      item.report("'" + text + "' is not an expectation; " + FORM);
      return Optional.empty();
    }
    List<String> words = Arrays.asList(sentence.group(1).strip().split("\\s+"));
    if (words.size() < 2 || words.size() > 4) {
      item.report("'" + sentence.group(1).strip() + "' has not 2 to 4 words; " + FORM);
      return Optional.empty();
    }
    // Everything is read before anything is given up, so that every problem is reported.
    boolean engine = known("engine", words.get(0), engines, item);
    String last = words.get(words.size() - 1);
    Optional<Metric> metric = Metrics.find(last);
    if (metric.isEmpty()) {
      known("metric", last, Metrics.ALL.stream().map(Metric::shortName).toList(), item);
    }
    List<String> between = words.subList(1, words.size() - 1);
    List<Cell> cells = metric.map(m -> cells(between, m, item)).orElse(List.of());
    Optional<Double> bound = metric.flatMap(m -> bound(sentence.group(3).strip(), m, item));
    Optional<SortedMap<String, String>> point = point(sentence.group(4), item);
    if (!engine || cells.isEmpty() || bound.isEmpty() || point.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Expectation(
            text,
            words.get(0),
            cells,
            metric.get(),
            sentence.group(2).equals("<"),
            bound.get(),
            point.get()));
  }

  private static boolean known(String what, String name, Collection<String> valid, YamlValue item) {
    boolean known = valid.contains(name);
    if (!known) {
      item.report("unknown %s '%s'%s".formatted(what, name, Suggestion.of(name, sorted(valid))));
    }
    return known;
  }

  private static List<String> sorted(Collection<String> names) {
    return names.stream().distinct().sorted().toList();
  }

  /**
   * Returns what the words between engine and metric name; empty, with a problem, if it is nothing.
   */
  private List<Cell> cells(List<String> words, Metric metric, YamlValue item) {
    List<String> names = phases.stream().map(PhaseSpec::name).toList();
    SortedSet<String> operations = new TreeSet<>();
    phases.forEach(p -> p.workload().operations().forEach(o -> operations.add(o.label())));
    boolean one = words.size() == 1;
    boolean phaseFirst = words.size() == 2 || (one && names.contains(words.get(0)));
    if (one && !phaseFirst && !operations.contains(words.get(0))) {
      List<String> both = new ArrayList<>(names);
      both.addAll(operations);
      known("phase or operation", words.get(0), both, item);
      return List.of();
    }
    if (words.size() == 2) {
      boolean phaseKnown = known("phase", words.get(0), names, item);
      boolean operationKnown = known("operation", words.get(1), operations, item);
      if (!phaseKnown || !operationKnown) {
        return List.of();
      }
    }
    Optional<String> phase = phaseFirst ? Optional.of(words.get(0)) : Optional.empty();
    Optional<Operation> operation =
        words.size() == (phaseFirst ? 1 : 0)
            ? Optional.empty()
            : Operation.of(words.get(words.size() - 1));
    return cells(phase, operation, metric, item);
  }

  private List<Cell> cells(
      Optional<String> phase, Optional<Operation> operation, Metric metric, YamlValue item) {
    if (operation.isPresent() && !metric.scope().ofOperations()) {
      item.report(
          "%s is of a whole %s; leave '%s' out"
              .formatted(
                  metric.shortName(),
                  metric.scope() == Scope.RUN ? "run" : "phase",
                  operation.get().label()));
      return List.of();
    }
    if (metric.scope() == Scope.RUN) {
      phase.ifPresent(
          name ->
              item.report(
                  "%s is of a whole run; leave '%s' out".formatted(metric.shortName(), name)));
      return phase.isPresent() ? List.of() : List.of(new Cell(Optional.empty(), Optional.empty()));
    }
    boolean ofLoad = metric.scope() == Scope.LOAD;
    List<Cell> cells = new ArrayList<>();
    for (PhaseSpec each : phases) {
      boolean meant = phase.map(each.name()::equals).orElse(each.load() == ofLoad);
      if (meant && (!ofLoad || each.load())) {
        cells.addAll(cells(each, operation, metric));
      }
    }
    if (cells.isEmpty()) {
      item.report(nothing(phase, operation, ofLoad));
    }
    return cells;
  }

  private static List<Cell> cells(PhaseSpec phase, Optional<Operation> operation, Metric metric) {
    Set<Operation> operations = phase.workload().operations();
    if (operation.isEmpty() && metric.scope().ofPhases()) {
      return List.of(new Cell(Optional.of(phase.name()), Optional.empty()));
    }
    return operations.stream()
        .filter(each -> operation.isEmpty() || operation.get() == each)
        .map(each -> new Cell(Optional.of(phase.name()), Optional.of(each.label())))
        .toList();
  }

  private static String nothing(
      Optional<String> phase, Optional<Operation> operation, boolean ofLoad) {
    if (ofLoad) {
      return "phase '" + phase.orElse("load") + "' is not the load, which alone has a load-time";
    }
    if (operation.isEmpty()) {
      return "there is no phase but the load; name that";
    }
    String label = operation.get().label();
    return phase
        .map(name -> "phase '" + name + "' has no operation '" + label + "'")
        .orElse("only the load has the operation '" + label + "'; name that phase, too");
  }

  private static Optional<Double> bound(String text, Metric metric, YamlValue item) {
    Matcher quantity = QUANTITY.matcher(text);
    String such = "; write it such as " + metric.unit().example();
    if (!quantity.matches()) {
      item.report("'" + text + "' is not a quantity" + such);
      return Optional.empty();
    }
    String unit = quantity.group(2).strip();
    Optional<Double> factor = metric.unit().factor(unit);
    if (factor.isEmpty()) {
      List<String> units = metric.unit().suffixes();
      item.report(
          unit.isEmpty()
              ? "'%s' has no unit; %s is in one of %s"
                  .formatted(text, metric.shortName(), String.join(", ", units))
              : units.isEmpty()
                  ? "%s has no unit; leave '%s' out".formatted(metric.shortName(), unit)
                  : "unknown unit '%s' of %s; valid: %s"
                      .formatted(unit, metric.shortName(), String.join(", ", units)));
    }
    double number = Double.parseDouble(quantity.group(1).replace("_", ""));
    return factor.map(each -> number * each);
  }

  private Optional<SortedMap<String, String>> point(String text, YamlValue item) {
    SortedMap<String, String> point = new TreeMap<>();
    boolean good = true;
    for (String pair : text == null ? List.<String>of() : List.of(text.split(",", -1))) {
      String[] parts = pair.strip().split("\\s*=\\s*", 2);
      if (parts.length < 2) {
        item.report("'" + pair.strip() + "': expected FACTOR=VALUE");
        good = false;
        continue;
      }
      Optional<Setting> setting = Setting.of(parts[0]);
      if (setting.isEmpty()) {
        List<String> all = Arrays.stream(Setting.values()).map(Setting::label).toList();
        good = known("factor", parts[0], all, item);
        continue;
      }
      // Values are compared in their normal form.
      Optional<String> value = SettingFormat.read(setting.get(), item.with(parts[1]));
      if (value.isPresent() && overrides.get(setting.get()).isEmpty()) {
        good &= known("value of " + parts[0], value.get(), factors.get(setting.get()), item);
      }
      good &= value.isPresent();
      value.ifPresent(normal -> point.put(parts[0], normal));
    }
    return good ? Optional.of(point) : Optional.empty();
  }
}

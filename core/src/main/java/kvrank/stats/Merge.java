package kvrank.stats;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.metric.Expectation;
import kvrank.results.ExecutionResults;
import kvrank.results.Manifest;
import kvrank.results.RunRecord;

/**
 * Several executions as one. What is the same merges into more repetitions; what is not stays
 * apart, in groups or under names of its own, and is said.
 *
 * @param results everything; its {@link ExecutionResults#parts} are what was merged
 */
public record Merge(ExecutionResults results, List<String> differences) {

  private static final String KVRANK = "kvrank.version";

  /**
   * Merges {@code executions}, which are in the order of the report.
   *
   * @throws IllegalArgumentException if there are none
   */
  public static Merge of(List<ExecutionResults> executions) {
    if (executions.isEmpty()) {
      throw new IllegalArgumentException("nothing to merge");
    }
    List<String> differences = new ArrayList<>();
    List<ExecutionResults> once = once(executions, differences);
    if (once.size() == 1) {
      return new Merge(once.get(0), differences);
    }
    Map<String, List<String>> machine = machine(once);
    settings(once).forEach((setting, values) -> differences.add(difference(once, setting, values)));
    machine.forEach((fact, values) -> differences.add(difference(once, fact, values)));
    List<ExecutionResults> parts = new ArrayList<>();
    for (int i = 0; i < once.size(); i++) {
      SortedMap<String, String> facts = new TreeMap<>();
      int place = i;
      machine.forEach((fact, values) -> facts.put(fact, values.get(place)));
      parts.add(as(once.get(i), Map.of(), Map.of(), facts));
    }
    return new Merge(
        merged(renamed(parts, VariantLabels.engines(parts), differences)), differences);
  }

  /** Whether {@code factor} tells machines or versions of kvrank apart. */
  static boolean apart(String factor) {
    return factor.equals(KVRANK)
        || ExecutionResults.MACHINE.stream().map(Fact::label).anyMatch(factor::equals);
  }

  /**
   * What of two machines is not the same, by the name of the fact: both values. A fact that only
   * one of them has is not the same.
   */
  public static SortedMap<String, List<String>> machines(
      ExecutionResults first, ExecutionResults second) {
    return new TreeMap<>(machine(List.of(first, second)));
  }

  private static List<ExecutionResults> once(
      List<ExecutionResults> executions, List<String> differences) {
    List<ExecutionResults> once = new ArrayList<>();
    for (ExecutionResults execution : executions) {
      if (once.stream().noneMatch(other -> same(other, execution))) {
        once.add(execution);
      } else {
        differences.add(execution.name() + " is given twice; it counts once");
      }
    }
    return once;
  }

  private static boolean same(ExecutionResults one, ExecutionResults other) {
    return one.manifest().equals(other.manifest()) && one.environment().equals(other.environment());
  }

  /** The facts that differ, each with its value in each of the executions. */
  private static Map<String, List<String>> machine(List<ExecutionResults> executions) {
    Map<String, List<String>> differing = new LinkedHashMap<>();
    for (Fact fact : ExecutionResults.MACHINE) {
      List<String> values = new ArrayList<>();
      for (int i = 0; i < executions.size(); i++) {
        // Two hosts that were not recorded need not be the same one.
        String unknown =
            fact == Fact.HOST ? "not recorded (" + executions.get(i).name() + ")" : "not recorded";
        values.add(executions.get(i).environment().find(fact).orElse(unknown));
      }
      put(differing, fact.label(), values);
    }
    put(
        differing,
        KVRANK,
        executions.stream().map(execution -> execution.manifest().kvrank()).toList());
    return differing;
  }

  /** The settings whose values differ; they are part of the factor point already. */
  private static Map<String, List<String>> settings(List<ExecutionResults> executions) {
    List<Manifest> manifests = executions.stream().map(ExecutionResults::manifest).toList();
    Map<String, List<String>> differing = new LinkedHashMap<>();
    for (String setting : union(manifests, manifest -> manifest.factors().keySet())) {
      List<String> values = new ArrayList<>();
      for (Manifest manifest : manifests) {
        values.add(String.join(", ", manifest.factors().getOrDefault(setting, List.of("-"))));
      }
      put(differing, setting, values);
    }
    return differing;
  }

  private static void put(Map<String, List<String>> differing, String name, List<String> values) {
    if (values.stream().distinct().count() > 1) {
      differing.put(name, values);
    }
  }

  private static String difference(
      List<ExecutionResults> executions, String what, List<String> values) {
    return what
        + " differs, so nothing is ranked across it: "
        + VariantLabels.listed(executions, values);
  }

  /** With names of their own for engines and phases that only share their name. */
  private static List<ExecutionResults> renamed(
      List<ExecutionResults> executions, List<VariantLabels> engines, List<String> said) {
    List<VariantLabels> phases = VariantLabels.phases(executions);
    engines.forEach(labels -> labels.difference().ifPresent(said::add));
    phases.forEach(labels -> labels.difference().ifPresent(said::add));
    List<ExecutionResults> renamed = new ArrayList<>();
    for (int i = 0; i < executions.size(); i++) {
      Map<String, String> engine = VariantLabels.names(engines, i);
      Map<String, String> phase = VariantLabels.names(phases, i);
      renamed.add(as(executions.get(i), engine, phase, new TreeMap<>()));
    }
    return renamed;
  }

  static List<ExecutionResults> phasesApart(List<ExecutionResults> executions, List<String> said) {
    return renamed(executions, List.of(), said);
  }

  /**
   * Returns {@code of} with other names for some engines and phases, and with {@code facts} in the
   * factor points, so that no group crosses them.
   */
  private static ExecutionResults as(
      ExecutionResults of,
      Map<String, String> engines,
      Map<String, String> phases,
      SortedMap<String, String> facts) {
    Manifest asked = of.manifest();
    SortedMap<String, List<String>> factors = new TreeMap<>(asked.factors());
    facts.forEach((fact, value) -> factors.put(fact, List.of(value)));
    Manifest manifest =
        new Manifest(
            asked.kvrank(),
            asked.scenario(),
            asked.question(),
            asked.medium(),
            asked.tables(),
            asked.expectations().stream()
                .map(expectation -> as(expectation, engines, phases, facts))
                .toList(),
            asked.engines().stream().map(name -> named(engines, name)).toList(),
            asked.phases().stream().map(name -> named(phases, name)).toList(),
            factors,
            asked.repetitions(),
            asked.adaptive(),
            asked.seed(),
            asked.runs(),
            asked.planned(),
            asked.extended());
    List<RunRecord> runs = new ArrayList<>();
    for (RunRecord run : of.runs()) {
      runs.add(
          run.as(
              named(engines, run.engine()),
              with(run.factors(), facts),
              run.phases().stream()
                  .map(phase -> phase.named(named(phases, phase.name())))
                  .toList()));
    }
    List<ExecutionResults> parts =
        of.parts().stream().map(part -> as(part, engines, phases, facts)).toList();
    return new ExecutionResults(
        of.directory(), manifest, of.environment(), runs, of.unreadable(), of.tuned(), parts);
  }

  private static Expectation as(
      Expectation of,
      Map<String, String> engines,
      Map<String, String> phases,
      SortedMap<String, String> facts) {
    List<Expectation.Cell> cells = new ArrayList<>();
    for (Expectation.Cell cell : of.cells()) {
      cells.add(
          new Expectation.Cell(cell.phase().map(name -> named(phases, name)), cell.operation()));
    }
    return new Expectation(
        of.text(),
        named(engines, of.engine()),
        cells,
        of.metric(),
        of.below(),
        of.bound(),
        with(of.point(), facts));
  }

  private static String named(Map<String, String> names, String name) {
    return names.getOrDefault(name, name);
  }

  private static SortedMap<String, String> with(
      SortedMap<String, String> point, SortedMap<String, String> facts) {
    SortedMap<String, String> merged = new TreeMap<>(point);
    merged.putAll(facts);
    return merged;
  }

  private static ExecutionResults merged(List<ExecutionResults> parts) {
    List<Manifest> manifests = parts.stream().map(ExecutionResults::manifest).toList();
    SortedMap<String, List<String>> factors = new TreeMap<>();
    for (String factor : union(manifests, source -> source.factors().keySet())) {
      factors.put(
          factor, union(manifests, source -> source.factors().getOrDefault(factor, List.of())));
    }
    Manifest manifest =
        new Manifest(
            manifests.get(0).kvrank(),
            String.join(" + ", union(manifests, source -> List.of(source.scenario()))),
            String.join(" / ", union(manifests, source -> List.of(source.question()))),
            String.join(", ", union(manifests, source -> List.of(source.medium()))),
            union(manifests, Manifest::tables),
            union(manifests, Manifest::expectations),
            union(manifests, Manifest::engines),
            union(manifests, Manifest::phases),
            factors,
            manifests.stream().mapToInt(Manifest::repetitions).max().orElse(0),
            Optional.empty(),
            manifests.get(0).seed(),
            manifests.stream().flatMap(source -> source.runs().stream()).toList(),
            manifests.get(0).planned(),
            List.of());
    SortedMap<String, String> environment = new TreeMap<>();
    for (String fact : union(parts, part -> part.environment().asMap().keySet())) {
      environment.put(
          fact,
          String.join(
              "; ",
              union(parts, part -> List.of(part.environment().asMap().getOrDefault(fact, "-")))));
    }
    return new ExecutionResults(
        parts.get(0).directory(),
        manifest,
        Facts.of(environment),
        parts.stream().flatMap(part -> part.runs().stream()).toList(),
        parts.stream().flatMap(part -> part.unreadable().stream()).toList(),
        union(parts, ExecutionResults::tuned),
        parts);
  }

  private static <F, T> List<T> union(List<F> sources, Function<F, Collection<T>> what) {
    return sources.stream().flatMap(source -> what.apply(source).stream()).distinct().toList();
  }
}

package kvrank.stats;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import kvrank.metric.Expectation;
import kvrank.results.Design;
import kvrank.results.Manifest;
import kvrank.results.Purpose;
import kvrank.results.Results;
import kvrank.results.RunRecord;

/**
 * Several executions as one. What is the same merges into more repetitions; what is not stays
 * apart, in groups or under names of its own, and is said.
 *
 * @param results everything; its {@link Results#parts} are what was merged
 * @param differences a sentence for each thing that is kept apart
 */
public record Merge(Results results, List<String> differences) {

  /** The facts of a machine across which nothing is ranked. */
  private static final List<String> MACHINE =
      List.of(
          "host",
          "cpu.model",
          "cpu.cores",
          "isolation.clientCpus",
          "isolation.serverCpus",
          "os",
          "java.version",
          "storage.medium",
          "storage.fileSystem",
          "storage.device");

  private static final String KVRANK = "kvrank.version";

  public Merge {
    differences = List.copyOf(differences);
  }

  /**
   * Merges {@code all}, which are in the order of the report.
   *
   * @throws IllegalArgumentException if there are none
   */
  public static Merge of(List<Results> all) {
    if (all.isEmpty()) {
      throw new IllegalArgumentException("nothing to merge");
    }
    List<String> differences = new ArrayList<>();
    List<Results> once = once(all, differences);
    if (once.size() == 1) {
      return new Merge(once.get(0), differences);
    }
    Map<String, List<String>> machine = machine(once);
    settings(once).forEach((setting, values) -> differences.add(difference(once, setting, values)));
    machine.forEach((fact, values) -> differences.add(difference(once, fact, values)));
    List<Results> parts = located(once, machine);
    parts = renamed(parts, VariantLabels.engines(parts), VariantLabels.phases(parts), differences);
    return new Merge(merged(parts), differences);
  }

  /** Whether {@code factor} tells machines or versions of kvrank apart. */
  static boolean apart(String factor) {
    return MACHINE.contains(factor) || factor.equals(KVRANK);
  }

  /**
   * What of two machines is not the same, by the name of the fact: both values. A fact that only
   * one of them has is not the same.
   */
  public static SortedMap<String, List<String>> machines(Results first, Results second) {
    return new TreeMap<>(machine(List.of(first, second)));
  }

  private static List<Results> once(List<Results> all, List<String> differences) {
    List<Results> once = new ArrayList<>();
    for (Results each : all) {
      boolean known =
          once.stream()
              .anyMatch(
                  other ->
                      other.manifest().equals(each.manifest())
                          && other.environment().equals(each.environment()));
      if (known) {
        differences.add(each.name() + " is given twice; it counts once");
      } else {
        once.add(each);
      }
    }
    return once;
  }

  /** The facts that differ, each with its value in each of the executions. */
  private static Map<String, List<String>> machine(List<Results> all) {
    Map<String, List<String>> differing = new LinkedHashMap<>();
    for (String fact : MACHINE) {
      List<String> values = new ArrayList<>();
      for (int i = 0; i < all.size(); i++) {
        // Two hosts that were not recorded need not be the same one.
        String unknown =
            fact.equals("host") ? "not recorded (" + all.get(i).name() + ")" : "not recorded";
        values.add(all.get(i).environment().getOrDefault(fact, unknown));
      }
      put(differing, fact, values);
    }
    put(differing, KVRANK, all.stream().map(each -> each.manifest().kvrank()).toList());
    return differing;
  }

  /** The settings whose values differ; they are part of the factor point already. */
  private static Map<String, List<String>> settings(List<Results> all) {
    Map<String, List<String>> differing = new LinkedHashMap<>();
    for (String setting : union(all, each -> each.manifest().factors().keySet())) {
      put(
          differing,
          setting,
          all.stream()
              .map(each -> each.manifest().factors().getOrDefault(setting, List.of("-")))
              .map(values -> String.join(", ", values))
              .toList());
    }
    return differing;
  }

  private static void put(Map<String, List<String>> differing, String name, List<String> values) {
    if (values.stream().distinct().count() > 1) {
      differing.put(name, values);
    }
  }

  private static String difference(List<Results> all, String what, List<String> values) {
    return what + " differs, so nothing is ranked across it: " + VariantLabels.listed(all, values);
  }

  /** With the facts that differ in the factor points, so that no group crosses them. */
  private static List<Results> located(List<Results> all, Map<String, List<String>> machine) {
    List<Results> located = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      int index = i;
      SortedMap<String, String> facts = new TreeMap<>();
      machine.forEach((fact, values) -> facts.put(fact, values.get(index)));
      located.add(
          mapped(
              all.get(i),
              run -> {
                SortedMap<String, String> point = new TreeMap<>(run.factors());
                point.putAll(facts);
                return run.as(run.engine(), point, run.phases());
              },
              manifest -> {
                SortedMap<String, List<String>> factors = new TreeMap<>(manifest.factors());
                facts.forEach((fact, value) -> factors.put(fact, List.of(value)));
                return with(
                    manifest,
                    manifest.engines(),
                    manifest.phases(),
                    factors,
                    each -> at(each, facts));
              }));
    }
    return located;
  }

  /** With names of their own for engines and phases that only share their name. */
  private static List<Results> renamed(
      List<Results> all,
      List<VariantLabels> engines,
      List<VariantLabels> phases,
      List<String> said) {
    engines.forEach(each -> each.difference().ifPresent(said::add));
    phases.forEach(each -> each.difference().ifPresent(said::add));
    List<Results> renamed = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      Map<String, String> engine = VariantLabels.names(engines, i);
      Map<String, String> phase = VariantLabels.names(phases, i);
      renamed.add(
          mapped(
              all.get(i),
              run ->
                  run.as(
                      engine.getOrDefault(run.engine(), run.engine()),
                      run.factors(),
                      run.phases().stream()
                          .map(each -> each.named(phase.getOrDefault(each.name(), each.name())))
                          .toList()),
              manifest ->
                  with(
                      manifest,
                      renamed(manifest.engines(), engine),
                      renamed(manifest.phases(), phase),
                      manifest.factors(),
                      each -> renamed(each, engine, phase))));
    }
    return renamed;
  }

  /** With names of their own for phases that only share their name. */
  static List<Results> phasesApart(List<Results> all, List<String> said) {
    return renamed(all, List.of(), VariantLabels.phases(all), said);
  }

  private static List<String> renamed(List<String> names, Map<String, String> to) {
    return names.stream().map(name -> to.getOrDefault(name, name)).toList();
  }

  /** Returns {@code of} where {@code facts} are as in its own execution. */
  private static Expectation at(Expectation of, SortedMap<String, String> facts) {
    SortedMap<String, String> point = new TreeMap<>(of.point());
    point.putAll(facts);
    return new Expectation(
        of.text(), of.engine(), of.cells(), of.metric(), of.below(), of.bound(), point);
  }

  private static Expectation renamed(
      Expectation of, Map<String, String> engine, Map<String, String> phase) {
    List<Expectation.Cell> cells =
        of.cells().stream()
            .map(
                cell ->
                    new Expectation.Cell(
                        cell.phase().map(name -> phase.getOrDefault(name, name)), cell.operation()))
            .toList();
    return new Expectation(
        of.text(),
        engine.getOrDefault(of.engine(), of.engine()),
        cells,
        of.metric(),
        of.below(),
        of.bound(),
        of.point());
  }

  private static Manifest with(
      Manifest of,
      List<String> engines,
      List<String> phases,
      SortedMap<String, List<String>> factors,
      UnaryOperator<Expectation> expectation) {
    return new Manifest(
        of.kvrank(),
        of.purpose().with(of.expectations().stream().map(expectation).toList()),
        of.design().with(engines, phases, factors),
        of.runs(),
        of.planned());
  }

  private static Results mapped(
      Results results, Function<RunRecord, RunRecord> run, Function<Manifest, Manifest> manifest) {
    return new Results(
        results.directory(),
        manifest.apply(results.manifest()),
        results.environment(),
        results.runs().stream().map(run).toList(),
        results.unreadable(),
        results.parts().stream().map(part -> mapped(part, run, manifest)).toList());
  }

  private static Results merged(List<Results> parts) {
    Manifest first = parts.get(0).manifest();
    SortedMap<String, List<String>> factors = new TreeMap<>();
    for (String factor : union(parts, each -> each.manifest().factors().keySet())) {
      factors.put(
          factor, union(parts, each -> each.manifest().factors().getOrDefault(factor, List.of())));
    }
    Manifest manifest =
        new Manifest(
            first.kvrank(),
            new Purpose(
                joined(parts, Manifest::scenario, " + "),
                joined(parts, Manifest::question, " / "),
                joined(parts, Manifest::medium, ", "),
                parts.stream()
                    .flatMap(each -> each.manifest().purpose().tables().stream())
                    .distinct()
                    .toList(),
                parts.stream()
                    .flatMap(each -> each.manifest().expectations().stream())
                    .distinct()
                    .toList()),
            new Design(
                union(parts, each -> each.manifest().engines()),
                union(parts, each -> each.manifest().phases()),
                factors,
                parts.stream().mapToInt(each -> each.manifest().repetitions()).max().orElse(0),
                first.seed()),
            parts.stream().flatMap(each -> each.manifest().runs().stream()).toList(),
            first.planned());
    SortedMap<String, String> environment = new TreeMap<>();
    for (String fact : union(parts, each -> each.environment().keySet())) {
      environment.put(
          fact,
          String.join(
              "; ", union(parts, each -> List.of(each.environment().getOrDefault(fact, "-")))));
    }
    return new Results(
        parts.get(0).directory(),
        manifest,
        environment,
        parts.stream().flatMap(each -> each.runs().stream()).toList(),
        parts.stream().flatMap(each -> each.unreadable().stream()).toList(),
        parts);
  }

  private static String joined(
      List<Results> parts, Function<Manifest, String> text, String separator) {
    return parts.stream()
        .map(each -> text.apply(each.manifest()))
        .distinct()
        .collect(Collectors.joining(separator));
  }

  private static List<String> union(
      List<Results> all, Function<Results, Collection<String>> names) {
    Set<String> union = new LinkedHashSet<>();
    all.forEach(each -> union.addAll(names.apply(each)));
    return List.copyOf(union);
  }
}

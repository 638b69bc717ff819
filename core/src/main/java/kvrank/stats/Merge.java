package kvrank.stats;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toSet;

import java.util.ArrayList;
import java.util.Collection;
import java.util.DoubleSummaryStatistics;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.metric.Expectation;
import kvrank.metric.Preference;
import kvrank.results.ExecutionResults;
import kvrank.results.Manifest;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;

/**
 * Several executions as one. Repetitions of the same thing are merged; what differs is kept apart,
 * in groups or rows of its own, and reported.
 *
 * @param results everything; {@link ExecutionResults#parts} has the merged executions
 * @param differences what is kept apart or disturbed, a sentence each
 */
public record Merge(ExecutionResults results, List<String> differences) {

  private static final String KVRANK = "kvrank.version";
  private static final String EXECUTION = "execution";

  /** A note names file systems whose used shares are further apart. */
  private static final double FILL = 0.2;

  /**
   * Merges {@code executions}, which are in the order of the report.
   *
   * @throws IllegalArgumentException if there are none
   */
  public static Merge of(List<ExecutionResults> executions) {
    if (executions.isEmpty()) {
      throw new IllegalArgumentException("no results to merge");
    }
    List<String> differences = new ArrayList<>();
    List<ExecutionResults> distinct = distinct(executions, differences);
    if (distinct.size() == 1) {
      differences.addAll(Disturbance.notes(distinct));
      return new Merge(distinct.get(0), differences);
    }
    Map<String, List<String>> machine = machine(distinct);
    Map<String, List<String>> differing = settings(distinct);
    differing.putAll(machine);
    differing.forEach(
        (name, values) ->
            differences.add(
                name
                    + " differs, so these are ranked separately: "
                    + VariantLabels.listed(distinct, values)));
    differences.addAll(commits(distinct));
    differences.addAll(notes(distinct));
    differences.addAll(Disturbance.notes(distinct));
    List<ExecutionResults> parts = new ArrayList<>();
    for (int i = 0; i < distinct.size(); i++) {
      SortedMap<String, String> facts = new TreeMap<>();
      int index = i;
      machine.forEach((fact, values) -> facts.put(fact, values.get(index)));
      parts.add(new Renaming(Map.of(), Map.of(), facts).apply(distinct.get(i)));
    }
    List<ExecutionResults> named = renamed(parts, VariantLabels.engines(parts), differences);
    List<ExecutionResults> apart = apart(named, differences);
    differences.addAll(unshared(apart));
    return new Merge(merged(apart), differences);
  }

  /**
   * Returns a sentence about each division of engines of which some were never measured in one
   * execution.
   */
  private static Set<String> unshared(List<ExecutionResults> executions) {
    Map<List<Object>, Map<Set<String>, List<String>>> measured = new LinkedHashMap<>();
    for (ExecutionResults execution : executions) {
      Map<List<Object>, Set<String>> engines = new LinkedHashMap<>();
      for (RunRecord run : execution.runs()) {
        run.phases().stream()
            .filter(Merge::completed)
            .map(phase -> List.<Object>of(phase.name(), run.factors()))
            .forEach(
                place -> engines.computeIfAbsent(place, any -> new TreeSet<>()).add(run.engine()));
      }
      engines.forEach(
          (place, names) ->
              measured
                  .computeIfAbsent(place, any -> new LinkedHashMap<>())
                  .computeIfAbsent(names, any -> new ArrayList<>())
                  .add(execution.name()));
    }
    return measured.values().stream()
        .filter(sets -> !together(sets.keySet()))
        .map(
            sets ->
                "no execution has all of these engines, so differences between executions, 5 % or"
                    + " more, count as noise: "
                    + sets.entrySet().stream()
                        .map(set -> listed(set.getKey()) + " (" + listed(set.getValue()) + ")")
                        .collect(joining("; ")))
        .collect(toCollection(LinkedHashSet::new));
  }

  private static String listed(Collection<String> names) {
    return String.join(", ", names);
  }

  /** Returns whether every two engines of {@code sets} are in one of them. */
  private static boolean together(Set<Set<String>> sets) {
    Set<String> all = sets.stream().flatMap(Set::stream).collect(toSet());
    return all.stream()
        .allMatch(
            engine ->
                sets.stream()
                    .filter(set -> set.contains(engine))
                    .flatMap(Set::stream)
                    .collect(toSet())
                    .equals(all));
  }

  /**
   * Keeps executions apart that share some but not all engines at a factor point. Engines would be
   * compared by different executions, so that ratios contradict values and each other.
   */
  private static List<ExecutionResults> apart(
      List<ExecutionResults> executions, List<String> differences) {
    List<Map<SortedMap<String, String>, Set<String>>> measured =
        executions.stream()
            .map(
                each ->
                    each.runs().stream()
                        .filter(run -> run.phases().stream().anyMatch(Merge::completed))
                        .collect(
                            groupingBy(RunRecord::factors, mapping(RunRecord::engine, toSet()))))
            .toList();
    boolean clear =
        measured.stream()
            .flatMap(points -> points.entrySet().stream())
            .collect(groupingBy(Map.Entry::getKey, mapping(Map.Entry::getValue, toSet())))
            .values()
            .stream()
            .allMatch(Merge::disjoint);
    if (clear) {
      return executions;
    }
    Map<Object, String> names =
        IntStream.range(0, measured.size())
            .boxed()
            .collect(
                groupingBy(
                    measured::get,
                    LinkedHashMap::new,
                    mapping(i -> executions.get(i).name(), joining(", "))));
    differences.add(
        "the measured engines differ, so these executions are ranked separately: %s; run all"
                .formatted(String.join("; ", names.values()))
            + " engines in one execution to rank them together");
    return IntStream.range(0, measured.size())
        .mapToObj(
            i ->
                new Renaming(
                        Map.of(),
                        Map.of(),
                        new TreeMap<>(Map.of(EXECUTION, names.get(measured.get(i)))))
                    .apply(executions.get(i)))
        .toList();
  }

  private static boolean disjoint(Set<Set<String>> sets) {
    return sets.stream().mapToInt(Set::size).sum()
        == sets.stream().flatMap(Set::stream).distinct().count();
  }

  private static boolean completed(PhaseRecord phase) {
    return phase.outcome() instanceof Outcome.Completed;
  }

  /** Returns whether {@code factor} distinguishes machines or versions of kvrank. */
  static boolean apart(String factor) {
    return factor.equals(KVRANK)
        || ExecutionResults.MACHINE.stream().map(Fact::label).anyMatch(factor::equals);
  }

  /**
   * Returns the differences between two machines, by the name of the fact: both values. A fact that
   * only one of them has is a difference.
   */
  public static SortedMap<String, List<String>> machines(
      ExecutionResults first, ExecutionResults second) {
    return new TreeMap<>(machine(List.of(first, second)));
  }

  /** Returns differences of storage that may explain results but do not separate them. */
  public static List<String> notes(List<ExecutionResults> executions) {
    List<Double> used =
        executions.stream().map(each -> each.environment().number(Fact.STORAGE_USED)).toList();
    DoubleSummaryStatistics known =
        used.stream()
            .filter(share -> !share.isNaN())
            .collect(Collectors.summarizingDouble(share -> share));
    if (known.getCount() < 2 || known.getMax() - known.getMin() <= FILL) {
      return List.of();
    }
    List<String> shares =
        used.stream().map(share -> share.isNaN() ? "" : "%.0f %%".formatted(100 * share)).toList();
    return List.of(
        "the file systems were filled differently, and a fuller disk can be slower: "
            + VariantLabels.listed(executions, shares));
  }

  /** Returns a sentence if commits of kvrank differ within a version. */
  private static List<String> commits(List<ExecutionResults> executions) {
    List<String> versions = executions.stream().map(ExecutionResults::version).toList();
    long released = executions.stream().map(each -> each.manifest().kvrank()).distinct().count();
    return versions.stream().distinct().count() == released
        ? List.of()
        : List.of(
            "commits of a version of kvrank differ, and are ranked together: "
                + VariantLabels.listed(executions, versions));
  }

  private static List<ExecutionResults> distinct(
      List<ExecutionResults> executions, List<String> differences) {
    List<ExecutionResults> distinct = new ArrayList<>();
    Set<List<Object>> earlier = new HashSet<>();
    for (ExecutionResults execution : executions) {
      if (earlier.add(List.of(execution.manifest(), execution.environment()))) {
        distinct.add(execution);
      } else {
        differences.add(execution.name() + " is given twice and counts once");
      }
    }
    return distinct;
  }

  /** Returns the facts that differ, each with its value in each of the executions. */
  private static Map<String, List<String>> machine(List<ExecutionResults> executions) {
    Map<String, List<String>> differing = new LinkedHashMap<>();
    for (Fact fact : ExecutionResults.MACHINE) {
      List<String> values = new ArrayList<>();
      for (ExecutionResults execution : executions) {
        // Two hosts that were not recorded need not be the same one.
        String unknown = "not recorded" + (fact == Fact.HOST ? " (" + execution.name() + ")" : "");
        values.add(ExecutionResults.compared(fact, execution.environment()).orElse(unknown));
      }
      put(differing, fact.label(), values);
    }
    put(
        differing,
        KVRANK,
        executions.stream().map(execution -> execution.manifest().kvrank()).toList());
    return differing;
  }

  /** Returns the settings whose values differ; they are part of the factor point already. */
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

  /** Gives different engines and phases that share a name names of their own. */
  private static List<ExecutionResults> renamed(
      List<ExecutionResults> executions, List<VariantLabels> engines, List<String> differences) {
    List<VariantLabels> phases = VariantLabels.phases(executions);
    engines.forEach(labels -> labels.difference().ifPresent(differences::add));
    phases.forEach(labels -> labels.difference().ifPresent(differences::add));
    List<ExecutionResults> renamed = new ArrayList<>();
    for (int i = 0; i < executions.size(); i++) {
      Map<String, String> engine = VariantLabels.names(engines, i);
      Map<String, String> phase = VariantLabels.names(phases, i);
      renamed.add(new Renaming(engine, phase, new TreeMap<>()).apply(executions.get(i)));
    }
    return renamed;
  }

  /** Returns {@code results} with other names of engines. */
  public static ExecutionResults renamed(ExecutionResults results, Map<String, String> engines) {
    return new Renaming(engines, Map.of(), new TreeMap<>()).apply(results);
  }

  /**
   * Returns {@code executions} with other names for phases that differ between them; adds what
   * differs to {@code differences}, a sentence each.
   */
  public static List<ExecutionResults> phasesApart(
      List<ExecutionResults> executions, List<String> differences) {
    return renamed(executions, List.of(), differences);
  }

  /** New names of engines and phases, and facts that join each factor point. */
  private record Renaming(
      Map<String, String> engines, Map<String, String> phases, SortedMap<String, String> facts) {

    ExecutionResults apply(ExecutionResults results) {
      if (engines.isEmpty() && phases.isEmpty() && facts.isEmpty()) {
        return results; // a copy of many runs takes memory
      }
      Manifest old = results.manifest();
      SortedMap<String, List<String>> factors = new TreeMap<>(old.factors());
      facts.forEach((fact, value) -> factors.put(fact, List.of(value)));
      Manifest manifest =
          new Manifest(
              old.kvrank(),
              old.scenario(),
              old.question(),
              old.medium(),
              old.tables(),
              old.expectations().stream().map(this::apply).toList(),
              old.prefer().map(all -> new Preference(all.text(), cells(all.cells()), all.metric())),
              old.engines().stream().map(this::engine).toList(),
              old.phases().stream().map(this::phase).toList(),
              factors,
              old.repetitions(),
              old.adaptive(),
              old.seed(),
              old.orderSeed(),
              old.runs(),
              old.planned(),
              old.extended());
      return new ExecutionResults(
          results.directory(),
          manifest,
          results.environment(),
          results.runs().stream().map(this::apply).toList(),
          results.unreadable(),
          results.tuned(),
          results.parts().stream().map(this::apply).toList());
    }

    private RunRecord apply(RunRecord run) {
      return run.as(
          engine(run.engine()),
          point(run.factors()),
          run.phases().stream().map(record -> record.named(phase(record.name()))).toList());
    }

    private Expectation apply(Expectation old) {
      return new Expectation(
          old.text(),
          engine(old.engine()),
          cells(old.cells()),
          old.metric(),
          old.below(),
          old.bound(),
          point(old.point()),
          old.other().map(this::engine));
    }

    private List<Expectation.Cell> cells(List<Expectation.Cell> old) {
      return old.stream()
          .map(cell -> new Expectation.Cell(cell.phase().map(this::phase), cell.operation()))
          .toList();
    }

    private String engine(String name) {
      return engines.getOrDefault(name, name);
    }

    private String phase(String name) {
      return phases.getOrDefault(name, name);
    }

    private SortedMap<String, String> point(SortedMap<String, String> old) {
      SortedMap<String, String> point = new TreeMap<>(old);
      point.putAll(facts);
      return point;
    }
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
            manifests.stream().flatMap(source -> source.prefer().stream()).findFirst(),
            union(manifests, Manifest::engines),
            union(manifests, Manifest::phases),
            factors,
            manifests.stream().mapToInt(Manifest::repetitions).max().orElse(0),
            Optional.empty(),
            manifests.get(0).seed(),
            Optional.empty(),
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

  private static <F, T> List<T> union(List<F> sources, Function<F, Collection<T>> values) {
    return sources.stream().flatMap(source -> values.apply(source).stream()).distinct().toList();
  }
}

package kvrank.stats;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import kvrank.results.PhaseRecord;
import kvrank.results.Results;
import kvrank.results.RunRecord;

/**
 * What has one name in several executions, an engine or a phase, told apart by its facts where they
 * contradict each other.
 */
final class VariantLabels {

  /** The facts of a run that say nothing of what the engine is. */
  private static final Set<String> PASSING =
      Set.of("address", "host", "pid", "port", "footprint.closedBytes", "memory.emptyBytes");

  /** How the names of facts begin that were measured in the run. */
  private static final String MEASURED = "durability.";

  /** The facts that name a variant rather than others, the most important last. */
  private static final List<String> IMPORTANT = List.of("image", "way", "workload", "version");

  private static final int FACTS_IN_NAME = 2;

  private final String name;
  private final List<Results> executions;
  private final List<Facts> facts;
  private final List<List<Integer>> variants = new ArrayList<>();
  private final SortedSet<String> contradicted = new TreeSet<>(VariantLabels::importantFirst);

  /** Facts by scope: those of a factor point, or of all of it. Only equal scopes are compared. */
  private record Facts(SortedMap<String, SortedMap<String, String>> byScope) {

    /** The facts that both have, with different values. */
    Set<String> contradictions(Facts other) {
      Set<String> names = new LinkedHashSet<>();
      byScope.forEach(
          (scope, facts) -> {
            SortedMap<String, String> others = other.byScope.get(scope);
            if (others != null) {
              facts.forEach(
                  (fact, value) -> {
                    if (!value.equals(others.getOrDefault(fact, value))) {
                      names.add(fact);
                    }
                  });
            }
          });
      return names;
    }

    String value(String fact) {
      return byScope.values().stream()
          .filter(facts -> facts.containsKey(fact))
          .map(facts -> facts.get(fact))
          .distinct()
          .collect(Collectors.joining(", "));
    }
  }

  private VariantLabels(String name, List<Results> executions, Function<Results, Facts> facts) {
    this.name = name;
    this.executions = executions;
    this.facts = executions.stream().map(facts).toList();
    for (int i = 0; i < executions.size(); i++) {
      place(i);
    }
  }

  private void place(int index) {
    for (List<Integer> variant : variants) {
      Set<String> contradictions = new LinkedHashSet<>();
      variant.forEach(
          other -> contradictions.addAll(facts.get(other).contradictions(facts.get(index))));
      if (contradictions.isEmpty()) {
        variant.add(index);
        return;
      }
      contradicted.addAll(contradictions);
    }
    variants.add(new ArrayList<>(List.of(index)));
  }

  private static int importantFirst(String one, String other) {
    int order = Integer.compare(IMPORTANT.indexOf(other), IMPORTANT.indexOf(one));
    return order != 0 ? order : one.compareTo(other);
  }

  /** Every engine of {@code executions}. */
  static List<VariantLabels> engines(List<Results> executions) {
    return all(executions, Rankings::engines, VariantLabels::engine);
  }

  /** Every phase of {@code executions}. */
  static List<VariantLabels> phases(List<Results> executions) {
    return all(executions, each -> each.manifest().phases(), VariantLabels::phase);
  }

  private static List<VariantLabels> all(
      List<Results> executions,
      Function<Results, List<String>> names,
      BiFunction<Results, String, Facts> facts) {
    Set<String> all = new LinkedHashSet<>();
    executions.forEach(each -> all.addAll(names.apply(each)));
    return all.stream()
        .map(name -> new VariantLabels(name, executions, each -> facts.apply(each, name)))
        .toList();
  }

  private static Facts engine(Results execution, String name) {
    SortedMap<String, SortedMap<String, String>> scopes = new TreeMap<>();
    Set<String> changing = new LinkedHashSet<>(PASSING);
    for (RunRecord run : execution.runs()) {
      if (run.engine().equals(name)) {
        SortedMap<String, String> always = new TreeMap<>(run.facts());
        always.keySet().retainAll(Set.of("version", "image", "way"));
        scopes.computeIfAbsent("", scope -> new TreeMap<>()).putAll(always);
        SortedMap<String, String> here =
            scopes.computeIfAbsent(run.factors().toString(), scope -> new TreeMap<>());
        run.facts()
            .forEach(
                (fact, value) -> {
                  if (fact.startsWith(MEASURED)) {
                    changing.add(fact);
                  }
                  String before = here.put(fact, value);
                  if (before != null && !before.equals(value)) {
                    changing.add(fact);
                  }
                });
      }
    }
    scopes.values().forEach(facts -> facts.keySet().removeAll(changing));
    return new Facts(scopes);
  }

  /** A phase is what it does, with which settings, and after what. */
  private static Facts phase(Results execution, String name) {
    SortedMap<String, SortedMap<String, String>> scopes = new TreeMap<>();
    int place = execution.manifest().phases().indexOf(name);
    if (place >= 0) {
      String before = String.join(", ", execution.manifest().phases().subList(0, place));
      scopes.put("", new TreeMap<>(Map.of("after", before.isEmpty() ? "nothing" : before)));
    }
    for (RunRecord run : execution.runs()) {
      for (PhaseRecord phase : run.phases()) {
        if (phase.name().equals(name) && !phase.settings().isEmpty()) {
          scopes.computeIfAbsent("", s -> new TreeMap<>()).put("workload", phase.workload());
          scopes
              .computeIfAbsent(run.factors().toString(), scope -> new TreeMap<>())
              .putAll(phase.settings());
        }
      }
    }
    return new Facts(scopes);
  }

  /** What is not the same, for a reader; empty if there is one variant. */
  Optional<String> difference() {
    if (variants.size() < 2) {
      return Optional.empty();
    }
    return Optional.of(
        contradicted.stream()
            .map(
                fact ->
                    fact
                        + " is "
                        + listed(executions, facts.stream().map(each -> each.value(fact)).toList()))
            .collect(Collectors.joining("; ", name + " is not the same everywhere: ", "")));
  }

  /** The names in the execution at {@code index} of those that have several variants. */
  static Map<String, String> names(List<VariantLabels> all, int index) {
    Map<String, String> names = new LinkedHashMap<>();
    for (VariantLabels each : all) {
      if (each.variants.size() > 1) {
        names.put(each.name, each.names().get(index));
      }
    }
    return names;
  }

  private List<String> names() {
    List<String> labels = new ArrayList<>();
    for (List<Integer> variant : variants) {
      labels.add(
          contradicted.stream()
              .limit(FACTS_IN_NAME)
              .map(fact -> fact + " " + facts.get(variant.get(0)).value(fact))
              .collect(Collectors.joining(", ", name + " (", ")")));
    }
    if (labels.stream().distinct().count() < labels.size()) {
      labels.replaceAll(label -> name);
      for (int i = 0; i < labels.size(); i++) {
        labels.set(i, name + " (" + executions.get(variants.get(i).get(0)).name() + ")");
      }
    }
    List<String> names = new ArrayList<>(Collections.nCopies(executions.size(), name));
    for (int i = 0; i < variants.size(); i++) {
      for (int index : variants.get(i)) {
        names.set(index, labels.get(i));
      }
    }
    return names;
  }

  /** Values with the executions that have them, for example {@code off (a, b), on (c)}. */
  static String listed(List<Results> executions, List<String> values) {
    Map<String, List<String>> byValue = new LinkedHashMap<>();
    for (int i = 0; i < values.size(); i++) {
      if (!values.get(i).isEmpty()) {
        byValue
            .computeIfAbsent(
                values.get(i).replace(" (" + executions.get(i).name() + ")", ""),
                value -> new ArrayList<>())
            .add(executions.get(i).name());
      }
    }
    return byValue.entrySet().stream()
        .map(entry -> entry.getKey() + " (" + String.join(", ", entry.getValue()) + ")")
        .collect(Collectors.joining(", "));
  }
}

package kvrank.stats;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
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
import java.util.regex.Pattern;
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
      Set.of(
          "address",
          "data.kept",
          "host",
          "members",
          "pid",
          "port",
          RunRecord.CLOSING,
          "footprint.closedBytes",
          "memory.emptyBytes");

  /** How the names of facts begin that were measured in the run, or are of a cluster's members. */
  private static final Pattern MEASURED = Pattern.compile("(durability|others|member)\\..*");

  /** The facts that are the same at every factor point. */
  private static final Set<String> EVERYWHERE = Set.of("version", "image", "way");

  /** The facts that name a variant rather than others, the most important last. */
  private static final List<String> IMPORTANT = List.of("image", "way", "workload", "version");

  private static final int FACTS_IN_NAME = 2;

  /** Facts by scope: those of a factor point, or of all of it. Only equal scopes are compared. */
  private static final class Facts extends TreeMap<String, SortedMap<String, String>> {
    private static final long serialVersionUID = 1L;

    SortedMap<String, String> scope(String scope) {
      return computeIfAbsent(scope, any -> new TreeMap<>());
    }

    /** The facts that both have, with different values. */
    Set<String> contradictions(Facts other) {
      Set<String> names = new HashSet<>();
      forEach(
          (scope, facts) -> {
            SortedMap<String, String> others = other.getOrDefault(scope, facts);
            facts.forEach(
                (fact, value) -> {
                  if (!value.equals(others.getOrDefault(fact, value))) {
                    names.add(fact);
                  }
                });
          });
      return names;
    }

    String value(String fact) {
      return values().stream()
          .flatMap(facts -> Optional.ofNullable(facts.get(fact)).stream())
          .distinct()
          .collect(Collectors.joining(", "));
    }
  }

  private final String name;
  private final List<Results> executions;
  private final List<Facts> facts;
  private final List<List<Integer>> variants = new ArrayList<>();
  private final SortedSet<String> contradicted =
      new TreeSet<>(
          Comparator.<String>comparingInt(IMPORTANT::indexOf)
              .reversed()
              .thenComparing(Comparator.naturalOrder()));

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
      Set<String> found = new HashSet<>();
      variant.forEach(other -> found.addAll(facts.get(other).contradictions(facts.get(index))));
      if (found.isEmpty()) {
        variant.add(index);
        return;
      }
      contradicted.addAll(found);
    }
    variants.add(new ArrayList<>(List.of(index)));
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
    Facts scopes = new Facts();
    Set<String> changing = new HashSet<>(PASSING);
    for (RunRecord run : execution.runs()) {
      if (run.engine().equals(name)) {
        SortedMap<String, String> always = scopes.scope("");
        SortedMap<String, String> here = scopes.scope(run.factors().toString());
        run.facts()
            .forEach(
                (fact, value) -> {
                  if (EVERYWHERE.contains(fact)) {
                    always.put(fact, value);
                  }
                  String before = here.put(fact, value);
                  if (MEASURED.matcher(fact).matches()
                      || (before != null && !before.equals(value))) {
                    changing.add(fact);
                  }
                });
      }
    }
    scopes.values().forEach(facts -> facts.keySet().removeAll(changing));
    return scopes;
  }

  /** A phase is what it does, with which settings, and after what. */
  private static Facts phase(Results execution, String name) {
    Facts scopes = new Facts();
    int place = execution.manifest().phases().indexOf(name);
    if (place >= 0) {
      String before = String.join(", ", execution.manifest().phases().subList(0, place));
      scopes.scope("").put("after", before.isEmpty() ? "nothing" : before);
    }
    for (RunRecord run : execution.runs()) {
      for (PhaseRecord phase : run.phases()) {
        if (phase.name().equals(name) && !phase.settings().isEmpty()) {
          scopes.scope("").put("workload", phase.workload());
          scopes.scope(run.factors().toString()).putAll(phase.settings());
        }
      }
    }
    return scopes;
  }

  /** What is not the same, for a reader; empty if there is one variant. */
  Optional<String> difference() {
    if (variants.size() < 2) {
      return Optional.empty();
    }
    List<String> sentences = new ArrayList<>();
    for (String fact : contradicted) {
      List<String> values = facts.stream().map(each -> each.value(fact)).toList();
      sentences.add(fact + " is " + listed(executions, values));
    }
    return Optional.of(name + " is not the same everywhere: " + String.join("; ", sentences));
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
    boolean distinct = Set.copyOf(labels).size() == labels.size();
    List<String> names = new ArrayList<>(Collections.nCopies(executions.size(), name));
    for (int i = 0; i < variants.size(); i++) {
      List<Integer> variant = variants.get(i);
      String execution = name + " (" + executions.get(variant.get(0)).name() + ")";
      String label = distinct ? labels.get(i) : execution;
      variant.forEach(index -> names.set(index, label));
    }
    return names;
  }

  /** Values with the executions that have them, for example {@code off (a, b), on (c)}. */
  static String listed(List<Results> executions, List<String> values) {
    Map<String, List<String>> byValue = new LinkedHashMap<>();
    for (int i = 0; i < values.size(); i++) {
      if (!values.get(i).isEmpty()) {
        String execution = executions.get(i).name();
        String value = values.get(i).replace(" (" + execution + ")", "");
        byValue.computeIfAbsent(value, any -> new ArrayList<>()).add(execution);
      }
    }
    return byValue.entrySet().stream()
        .map(entry -> entry.getKey() + " (" + String.join(", ", entry.getValue()) + ")")
        .collect(Collectors.joining(", "));
  }
}

package kvrank.stats;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import kvrank.fact.Fact;
import kvrank.fact.Level;
import kvrank.results.ExecutionResults;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;

/**
 * The variants of an engine or phase that has the same name in several executions but contradicting
 * facts, and labels that distinguish them.
 */
public final class VariantLabels {

  /** The facts of a run that identify its engine. */
  private static final Set<Fact> IDENTITY =
      EnumSet.of(
          Fact.ASKED,
          Fact.ENGINE,
          Fact.ENGINE_VERSION,
          Fact.EXECUTABLE,
          Fact.GENERATORS,
          Fact.GENERATORS_CPUS,
          Fact.GENERATORS_HOSTS,
          Fact.IMAGE,
          Fact.IMAGE_DIGEST,
          Fact.IMAGE_ID,
          Fact.MEMORY_LIMIT_BYTES,
          Fact.PREPARE_COMMAND,
          Fact.SETTING,
          Fact.SETTINGS,
          Fact.WAY,
          Fact.WORKER_JVM);

  /** A fact about one member of a cluster, which another fact combines with the others'. */
  private static final Pattern OF_MEMBER = Pattern.compile("member\\.[0-9]+\\..*");

  /** Facts that are the same at every factor point. */
  private static final Set<String> EVERYWHERE =
      Set.of(Fact.ENGINE_VERSION.label(), Fact.IMAGE.label(), Fact.WAY.label());

  /** Facts that are preferred for the name of a variant, the most important last. */
  private static final List<String> IMPORTANT =
      List.of(Fact.IMAGE.label(), Fact.WAY.label(), "workload", Fact.ENGINE_VERSION.label());

  /** A digest, whose start distinguishes it from any other. */
  private static final Pattern DIGEST = Pattern.compile("(sha256:[0-9a-f]{12})[0-9a-f]{52}");

  private static final int FACTS_IN_NAME = 2;

  /** A setting whose absence is a value, too: a phase without it measures something else. */
  private static final String ERRORS = "errors";

  private static final String NONE = "none";

  /** A fact, and the factor point that it belongs to; empty for all. */
  private record Scoped(String scope, String name) {}

  /**
   * Executions without contradictions, by index.
   *
   * @param facts of any of them; they agree on those that several have
   */
  private record Variant(List<Integer> executions, Map<Scoped, String> facts) {}

  private final String name;
  private final List<ExecutionResults> executions;
  private final List<Map<Scoped, String>> facts;
  private final List<Variant> variants = new ArrayList<>();
  private final List<String> names = new ArrayList<>();
  private final SortedSet<String> contradicted =
      new TreeSet<>(
          Comparator.<String>comparingInt(IMPORTANT::indexOf)
              .reversed()
              .thenComparing(VariantLabels::shown)
              .thenComparing(Comparator.naturalOrder()));

  private VariantLabels(
      String name,
      List<ExecutionResults> executions,
      Function<ExecutionResults, Map<Scoped, String>> facts) {
    this.name = name;
    this.executions = executions;
    this.facts = executions.stream().map(facts).toList();
    for (int i = 0; i < executions.size(); i++) {
      place(i);
    }
    if (contradicted.contains(Fact.IMAGE_DIGEST.label())) {
      contradicted.remove(Fact.IMAGE_ID.label()); // of the same images
    }
  }

  private void place(int index) {
    for (Variant variant : variants) {
      Set<String> contradictions = contradictions(variant.facts, facts.get(index));
      if (contradictions.isEmpty()) {
        variant.executions.add(index);
        variant.facts.putAll(facts.get(index));
        return;
      }
      contradicted.addAll(contradictions);
    }
    variants.add(new Variant(new ArrayList<>(List.of(index)), new HashMap<>(facts.get(index))));
  }

  public static List<VariantLabels> engines(List<ExecutionResults> executions) {
    return all(executions, ExecutionResults::engines, VariantLabels::engine);
  }

  static List<VariantLabels> phases(List<ExecutionResults> executions) {
    return all(executions, execution -> execution.manifest().phases(), VariantLabels::phase);
  }

  private static List<VariantLabels> all(
      List<ExecutionResults> executions,
      Function<ExecutionResults, List<String>> names,
      BiFunction<ExecutionResults, String, Map<Scoped, String>> facts) {
    Set<String> distinctNames = new LinkedHashSet<>();
    executions.forEach(execution -> distinctNames.addAll(names.apply(execution)));
    return distinctNames.stream()
        .map(name -> new VariantLabels(name, executions, execution -> facts.apply(execution, name)))
        .toList();
  }

  /** Returns the names of the facts that both have with different values. */
  private static Set<String> contradictions(Map<Scoped, String> first, Map<Scoped, String> other) {
    return first.entrySet().stream()
        .filter(fact -> !fact.getValue().equals(other.getOrDefault(fact.getKey(), fact.getValue())))
        .map(fact -> fact.getKey().name())
        .collect(Collectors.toSet());
  }

  private String value(int execution, String name) {
    return facts.get(execution).entrySet().stream()
        .filter(fact -> fact.getKey().name().equals(name))
        .sorted(Comparator.comparing(fact -> fact.getKey().scope()))
        .map(Map.Entry::getValue)
        .distinct()
        .map(VariantLabels::brief)
        .collect(Collectors.joining(", "));
  }

  /** Returns a value with the start of each digest. */
  public static String brief(String value) {
    return DIGEST.matcher(value).replaceAll("$1…");
  }

  private static boolean identifies(RunRecord run, String fact) {
    if (Fact.EXECUTABLE.names(fact) && run.facts().text(Fact.WAY).equals("bundled")) {
      return false; // each kvrank has its own copy
    }
    return Fact.find(Level.RUN, fact).filter(IDENTITY::contains).isPresent()
        && Fact.ENGINE.part(fact).filter(OF_MEMBER.asMatchPredicate()).isEmpty();
  }

  /** Returns a name as reports show it, without the prefix of an engine's facts. */
  private static String shown(String fact) {
    return Fact.ENGINE.part(fact).orElse(fact);
  }

  private static Map<Scoped, String> engine(ExecutionResults execution, String name) {
    Map<Scoped, String> facts = new HashMap<>();
    Set<String> changing = new HashSet<>();
    for (RunRecord run : execution.runs()) {
      if (run.engine().equals(name)) {
        String point = run.factors().toString();
        run.facts()
            .asMap()
            .forEach(
                (fact, value) -> {
                  if (!identifies(run, fact)) {
                    return;
                  }
                  if (EVERYWHERE.contains(fact)) {
                    facts.put(new Scoped("", fact), value);
                  }
                  String before = facts.put(new Scoped(point, fact), value);
                  if (before != null && !before.equals(value)) {
                    changing.add(fact);
                  }
                });
      }
    }
    facts.keySet().removeIf(fact -> changing.contains(fact.name()));
    return facts;
  }

  /** Returns a phase's workload, settings and preceding phases. */
  private static Map<Scoped, String> phase(ExecutionResults execution, String name) {
    Map<Scoped, String> facts = new HashMap<>();
    int place = execution.manifest().phases().indexOf(name);
    if (place >= 0) {
      String before = String.join(", ", execution.manifest().phases().subList(0, place));
      facts.put(new Scoped("", "after"), before.isEmpty() ? "nothing" : before);
    }
    for (RunRecord run : execution.runs()) {
      String point = run.factors().toString();
      for (PhaseRecord phase : run.phases()) {
        if (phase.name().equals(name) && !phase.settings().isEmpty()) {
          facts.put(new Scoped("", "workload"), phase.workload());
          facts.put(new Scoped(point, ERRORS), NONE);
          phase
              .settings()
              .forEach((setting, value) -> facts.put(new Scoped(point, setting), value));
        }
      }
    }
    return facts;
  }

  /** Returns a sentence about the differences; empty if there is one variant. */
  public Optional<String> difference() {
    if (variants.size() < 2) {
      return Optional.empty();
    }
    List<String> sentences = new ArrayList<>();
    for (String fact : contradicted) {
      List<String> values = IntStream.range(0, facts.size()).mapToObj(i -> value(i, fact)).toList();
      sentences.add(shown(fact) + " is " + listed(executions, values));
    }
    return Optional.of(name + " differs: " + String.join("; ", sentences));
  }

  /** Returns the labels of all names with several variants in the execution at {@code index}. */
  static Map<String, String> names(List<VariantLabels> labels, int index) {
    Map<String, String> names = new LinkedHashMap<>();
    for (VariantLabels label : labels) {
      if (label.variants.size() > 1) {
        names.put(label.name, label.names().get(index));
      }
    }
    return names;
  }

  /** Returns the name in each execution. */
  private List<String> names() {
    if (names.isEmpty()) {
      names.addAll(computed());
    }
    return names;
  }

  private List<String> computed() {
    List<String> labels = new ArrayList<>();
    for (Variant variant : variants) {
      labels.add(
          contradicted.stream()
              .limit(FACTS_IN_NAME)
              .map(fact -> shown(fact) + " " + value(variant.executions.get(0), fact))
              .collect(Collectors.joining(", ", name + " (", ")")));
    }
    boolean distinct = Set.copyOf(labels).size() == labels.size();
    List<String> byExecution = new ArrayList<>(Collections.nCopies(executions.size(), name));
    for (int i = 0; i < variants.size(); i++) {
      List<Integer> variant = variants.get(i).executions;
      String execution = name + " (" + executions.get(variant.get(0)).name() + ")";
      String label = distinct ? labels.get(i) : execution;
      variant.forEach(index -> byExecution.set(index, label));
    }
    return byExecution;
  }

  /** Returns values with the executions that have them, for example {@code off (a, b), on (c)}. */
  static String listed(List<ExecutionResults> executions, List<String> values) {
    Map<String, List<String>> byValue = new LinkedHashMap<>();
    for (int i = 0; i < values.size(); i++) {
      if (!values.get(i).isEmpty()) {
        String execution = executions.get(i).name();
        String value = values.get(i).replace(" (" + execution + ")", "");
        byValue.computeIfAbsent(value, key -> new ArrayList<>()).add(execution);
      }
    }
    return byValue.entrySet().stream()
        .map(entry -> entry.getKey() + " (" + String.join(", ", entry.getValue()) + ")")
        .collect(Collectors.joining(", "));
  }
}

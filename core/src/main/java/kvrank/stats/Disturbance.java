package kvrank.stats;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import kvrank.results.ExecutionResults;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;

/**
 * The number of runs of an execution that others disturbed. Loads are too short to judge.
 *
 * @param disturbed the runs with a measured phase that is {@link QualityFlag.Kind#DISTURBED}
 * @param runs those with a measured phase
 */
public record Disturbance(ExecutionResults execution, int disturbed, int runs) {

  public static Disturbance of(ExecutionResults execution) {
    int disturbed = 0;
    int runs = 0;
    for (RunRecord run : execution.runs()) {
      List<PhaseRecord> measured =
          run.phases().stream()
              .filter(phase -> !phase.load() && phase.outcome() instanceof Outcome.Completed)
              .toList();
      runs += measured.isEmpty() ? 0 : 1;
      disturbed += measured.stream().anyMatch(Disturbance::in) ? 1 : 0;
    }
    return new Disturbance(execution, disturbed, runs);
  }

  /** Returns whether others disturbed a phase other than a load. */
  static boolean in(PhaseRecord phase) {
    return !phase.load() && QualityFlag.Kind.DISTURBED.holds(phase);
  }

  /** Returns whether others disturbed more than half of the runs. */
  public boolean mostly() {
    return 2 * disturbed > runs;
  }

  /**
   * Returns the executions of one scenario on one machine of which most runs were disturbed, as far
   * as a quiet one measured the same ({@code spoiling}, since they would spoil it when merged), or
   * as far as none did.
   */
  public static List<Disturbance> among(Collection<ExecutionResults> executions, boolean spoiling) {
    List<Disturbance> all = executions.stream().map(Disturbance::of).toList();
    Set<List<Object>> quiet = new HashSet<>();
    all.stream()
        .filter(Predicate.not(Disturbance::mostly))
        .forEach(each -> quiet.addAll(places(each.execution)));
    return all.stream()
        .filter(Disturbance::mostly)
        .filter(each -> quiet.containsAll(places(each.execution)) == spoiling)
        .toList();
  }

  /** Returns the engines, phases and factor points that an execution has measured. */
  private static Set<List<Object>> places(ExecutionResults execution) {
    Set<List<Object>> places = new HashSet<>();
    for (RunRecord run : execution.runs()) {
      run.phases().stream()
          .filter(phase -> phase.outcome() instanceof Outcome.Completed)
          .forEach(phase -> places.add(List.of(run.engine(), phase.name(), run.factors())));
    }
    return places;
  }

  /**
   * Returns for example {@code others disturbed most runs of a/1 (8 of 10 runs), and a quiet
   * execution measured the same}; {@code no quiet execution} unless they are {@code spoiling}.
   */
  public static String sentence(List<Disturbance> busy, boolean spoiling) {
    return "others disturbed most runs of %s, and %s quiet execution measured the same"
        .formatted(
            busy.stream()
                .map(
                    each ->
                        "%s (%d of %d runs)"
                            .formatted(each.execution.name(), each.disturbed, each.runs))
                .collect(joining(", ")),
            spoiling ? "a" : "no");
  }

  /** Returns sentences about mostly disturbed executions, each with the next step. */
  static List<String> notes(List<ExecutionResults> executions) {
    List<String> notes = new ArrayList<>();
    executions.stream()
        .collect(groupingBy(Disturbance::kind, LinkedHashMap::new, toList()))
        .values()
        .forEach(
            alike -> {
              List<Disturbance> spoiling = among(alike, true);
              List<Disturbance> others = among(alike, false);
              if (!spoiling.isEmpty()) {
                notes.add(sentence(spoiling, true) + "; leave these runs out");
              }
              if (!others.isEmpty()) {
                notes.add(sentence(others, false) + "; repeat these runs on a quiet machine");
              }
            });
    return notes;
  }

  /** Returns the scenario and the machine. */
  private static List<Object> kind(ExecutionResults execution) {
    List<Object> kind = new ArrayList<>(List.of(execution.manifest().scenario()));
    ExecutionResults.MACHINE.forEach(
        fact -> kind.add(ExecutionResults.compared(fact, execution.environment())));
    return kind;
  }
}

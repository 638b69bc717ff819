package kvrank.results;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The design of the experiment: what is compared, at which factor points, and how often.
 *
 * @param engines the rows' labels in the order of the scenario
 * @param phases the phases' names in order
 * @param factors every setting by its label, with its values in the order of the scenario
 * @param repetitions how often each engine runs at each factor point
 * @param seed the scenario's seed
 */
public record Design(
    List<String> engines,
    List<String> phases,
    SortedMap<String, List<String>> factors,
    int repetitions,
    long seed) {

  public Design {
    engines = List.copyOf(engines);
    phases = List.copyOf(phases);
    factors = Collections.unmodifiableSortedMap(new TreeMap<>(factors));
  }

  /** Returns this design for other rows, phases and factors. */
  public Design with(
      List<String> newEngines, List<String> newPhases, SortedMap<String, List<String>> newFactors) {
    return new Design(newEngines, newPhases, newFactors, repetitions, seed);
  }
}

package kvrank.results;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which run of a plan a record is of.
 *
 * @param id the run's folder
 * @param engine the row's label
 * @param factors the factor point by the settings' labels, constants included
 * @param repetition from 1
 * @param seed the run's seed
 */
public record RunKey(
    String id, String engine, SortedMap<String, String> factors, int repetition, long seed) {

  public RunKey {
    requireNonNull(id, "id is null");
    requireNonNull(engine, "engine is null");
    factors = Collections.unmodifiableSortedMap(new TreeMap<>(factors));
  }
}

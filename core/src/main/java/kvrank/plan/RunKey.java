package kvrank.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The identity of a run in its plan.
 *
 * @param id unique in the plan; a valid folder name
 * @param engine the row's label
 * @param options the engine's options that are factors, which are also in the label
 * @param factors the factor point by the settings' labels: every setting with a value, constants
 *     included
 * @param repetition from 1
 * @param seed of the operations: the same for all engines and factor points of a repetition
 */
public record RunKey(
    String id,
    String engine,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) @JsonSetter(nulls = Nulls.AS_EMPTY)
        SortedMap<String, String> options,
    SortedMap<String, String> factors,
    int repetition,
    long seed) {

  /** Creates the key of an engine without options that are factors. */
  public RunKey(
      String id, String engine, SortedMap<String, String> factors, int repetition, long seed) {
    this(id, engine, new TreeMap<>(), factors, repetition, seed);
  }

  /** Returns the key of a repetition with the same engine and factor point. */
  RunKey repeated(int newRepetition, long newSeed) {
    return new RunKey(id + ".r" + newRepetition, engine, options, factors, newRepetition, newSeed);
  }
}

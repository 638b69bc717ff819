package kvrank.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What tells one run of a plan from the others.
 *
 * @param id unique in the plan and fit for a folder's name
 * @param engine the row's label
 * @param options the options of the engine that are factors, which the label has, too
 * @param factors the factor point, as text by the settings' labels: every setting that has a value,
 *     constants included
 * @param repetition from 1
 * @param seed the seed of the operations: the same for every engine and factor point of a
 *     repetition
 */
public record RunKey(
    String id,
    String engine,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) @JsonSetter(nulls = Nulls.AS_EMPTY)
        SortedMap<String, String> options,
    SortedMap<String, String> factors,
    int repetition,
    long seed) {

  /** A run of an engine without options that are factors. */
  public RunKey(
      String id, String engine, SortedMap<String, String> factors, int repetition, long seed) {
    this(id, engine, new TreeMap<>(), factors, repetition, seed);
  }

  /** Returns a repetition of the engine and the factor point that this one is of. */
  RunKey at(int repeated, long seeded) {
    return new RunKey(id + ".r" + repeated, engine, options, factors, repeated, seeded);
  }
}

package kvrank.plan;

import java.util.SortedMap;

/**
 * What tells one run of a plan from the others.
 *
 * @param id unique in the plan and fit for a folder's name
 * @param engine the row's label
 * @param factors the factor point, as text by the settings' labels: every setting that has a value,
 *     constants included
 * @param repetition from 1
 * @param seed the seed of the operations: the same for every engine and factor point of a
 *     repetition
 */
public record RunKey(
    String id, String engine, SortedMap<String, String> factors, int repetition, long seed) {}

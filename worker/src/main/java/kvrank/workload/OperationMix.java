package kvrank.workload;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which operations are applied, and to which records.
 *
 * @param weights the weight of each operation, each greater than 0
 * @param keys which record an operation is for; of a load, the order of the inserts
 * @param scanRecords the number of records that a range scan reads
 * @param drain whether deletes may empty the store; if not, deleted records are inserted again
 */
public record OperationMix(
    SortedMap<Operation, Integer> weights, KeyChoice keys, int scanRecords, boolean drain) {

  /** No operations: those of a hosted workload are its own. */
  public static final OperationMix NONE =
      new OperationMix(Collections.emptySortedMap(), KeyChoice.of(Distribution.UNIFORM), 1, false);

  public OperationMix {
    weights = Collections.unmodifiableSortedMap(new TreeMap<>(weights));
  }
}

package kvrank.workload;

import java.util.Collections;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import kvrank.workload.random.Distribution;
import kvrank.workload.random.KeyChoice;
import kvrank.workload.request.Operation;
import kvrank.workload.value.ValueSizes;

/**
 * Which operations are applied, and to which records.
 *
 * @param weights of operations, each greater than 0
 * @param keys chooses records; of a load, the order of the inserts
 * @param scanRecords the number of records that range scans read
 * @param drain whether deletes may empty the store; if not, deleted records are restored
 * @param fill whether a write of the record follows a read that misses, as caches do
 * @param reverse whether scans are in descending key order
 */
public record OperationMix(
    SortedMap<Operation, Integer> weights,
    KeyChoice keys,
    ValueSizes scanRecords,
    boolean drain,
    boolean fill,
    boolean reverse) {

  /** A hosted workload has its own operations. */
  public static final OperationMix NONE =
      new OperationMix(Collections.emptySortedMap(), KeyChoice.of(Distribution.UNIFORM), 1, false);

  /** Returns the operations, including the fill of misses. */
  public Set<Operation> operations() {
    SortedSet<Operation> operations = new TreeSet<>(weights.keySet());
    if (fill) {
      operations.add(Operation.FILL);
    }
    return operations;
  }

  /** A mix whose scans are in ascending key order. */
  public OperationMix(
      SortedMap<Operation, Integer> weights,
      KeyChoice keys,
      ValueSizes scanRecords,
      boolean drain,
      boolean fill) {
    this(weights, keys, scanRecords, drain, fill, false);
  }

  /** A mix whose scans read the same number of records each. */
  public OperationMix(
      SortedMap<Operation, Integer> weights,
      KeyChoice keys,
      int scanRecords,
      boolean drain,
      boolean fill) {
    this(weights, keys, ValueSizes.fixed(scanRecords), drain, fill);
  }

  /** As the constructor above, without fills of misses. */
  public OperationMix(
      SortedMap<Operation, Integer> weights, KeyChoice keys, int scanRecords, boolean drain) {
    this(weights, keys, scanRecords, drain, false);
  }

  public OperationMix {
    weights = Collections.unmodifiableSortedMap(new TreeMap<>(weights));
  }
}

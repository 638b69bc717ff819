package kvrank.workload;

import java.util.Collections;
import java.util.List;
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
 * @param transaction the operations of each transaction, in order, whose numbers are the weights;
 *     empty if operations are drawn one by one
 */
public record OperationMix(
    SortedMap<Operation, Integer> weights,
    KeyChoice keys,
    ValueSizes scanRecords,
    boolean drain,
    boolean fill,
    boolean reverse,
    List<TransactionPart> transaction) {

  /** The number of records in a scan, unless a workload states it. */
  public static final int DEFAULT_SCAN_RECORDS = 100;

  /** The largest number of records in a scan. */
  public static final int MOST_SCANNED = 1_000_000;

  /** A hosted workload has its own operations. */
  public static final OperationMix NONE =
      new OperationMix(Collections.emptySortedMap(), KeyChoice.of(Distribution.UNIFORM), 1, false);

  /** Returns the operations, including the fill of misses and the transaction. */
  public Set<Operation> operations() {
    SortedSet<Operation> operations = new TreeSet<>(weights.keySet());
    if (fill) {
      operations.add(Operation.FILL);
    }
    if (!transaction.isEmpty()) {
      operations.add(Operation.TRANSACTION);
    }
    return operations;
  }

  /** Returns whether throughput of a phase counts {@code operation}. */
  public boolean counts(Operation operation) {
    return transaction.isEmpty() || operation == Operation.TRANSACTION;
  }

  /** Returns the requests of each transaction, in order; none without transactions. */
  public List<Operation> requests() {
    return transaction.stream()
        .flatMap(part -> Collections.nCopies(part.times(), part.operation()).stream())
        .toList();
  }

  /** Returns a mix of transactions with {@code parts}, instead of these operations. */
  public OperationMix with(List<TransactionPart> parts) {
    return new OperationMix(weights(parts), keys, scanRecords, drain, fill, reverse, parts);
  }

  /** Returns the number of requests of each operation. */
  public static SortedMap<Operation, Integer> weights(List<TransactionPart> parts) {
    SortedMap<Operation, Integer> weights = new TreeMap<>();
    parts.forEach(part -> weights.merge(part.operation(), part.times(), Integer::sum));
    return weights;
  }

  /** A mix whose operations are drawn one by one. */
  public OperationMix(
      SortedMap<Operation, Integer> weights,
      KeyChoice keys,
      ValueSizes scanRecords,
      boolean drain,
      boolean fill,
      boolean reverse) {
    this(weights, keys, scanRecords, drain, fill, reverse, List.of());
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
    transaction = List.copyOf(transaction);
  }
}

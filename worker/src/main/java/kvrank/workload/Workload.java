package kvrank.workload;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * An operation mix over records, or a workload that somebody else wrote for YCSB. It names no
 * engine, port, thread count or duration.
 *
 * @param name the name of its file without the ending
 * @param description one sentence for a reader
 * @param operations the weight of each operation, at least one, each greater than 0; empty for a
 *     hosted workload
 * @param keys which record an operation is for
 * @param keyShape what keys look like, if the workload asks for something in particular
 * @param valueShape what values look like, if the workload asks for something in particular
 * @param scanRecords the number of records that a range scan reads
 * @param drain whether deletes may empty the store; if not, deleted keys are inserted again
 * @param hosted the workload of YCSB that this is; what else is said here does not apply to it
 */
public record Workload(
    String name,
    String description,
    SortedMap<Operation, Integer> operations,
    KeyChoice keys,
    Optional<KeyShape> keyShape,
    Optional<ValueShape> valueShape,
    int scanRecords,
    boolean drain,
    Optional<HostedWorkload> hosted) {

  public Workload {
    requireNonNull(name, "name is null");
    requireNonNull(description, "description is null");
    operations = Collections.unmodifiableSortedMap(new TreeMap<>(operations));
    requireNonNull(keys, "keys is null");
    requireNonNull(keyShape, "keyShape is null");
    requireNonNull(valueShape, "valueShape is null");
    requireNonNull(hosted, "hosted is null");
  }

  /** An operation mix. */
  public Workload(
      String name,
      String description,
      SortedMap<Operation, Integer> operations,
      KeyChoice keys,
      Optional<KeyShape> keyShape,
      Optional<ValueShape> valueShape,
      int scanRecords,
      boolean drain) {
    this(
        name,
        description,
        operations,
        keys,
        keyShape,
        valueShape,
        scanRecords,
        drain,
        Optional.empty());
  }

  /** A workload of YCSB. */
  public static Workload hosted(String name, String description, HostedWorkload hosted) {
    return new Workload(
        name,
        description,
        new TreeMap<>(),
        KeyChoice.of(Distribution.UNIFORM),
        Optional.empty(),
        Optional.empty(),
        1,
        false,
        Optional.of(hosted));
  }
}

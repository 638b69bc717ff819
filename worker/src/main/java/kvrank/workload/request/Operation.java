package kvrank.workload.request;

import java.util.Collection;
import java.util.Optional;

/** One kind of request to an engine. */
public enum Operation implements Labelled {
  READ,
  /** Writes a record under a new key. */
  INSERT,
  /** Replaces the value of an existing record. */
  UPDATE,
  /** Reads a record and then replaces its value. */
  READ_MODIFY_WRITE,
  DELETE,
  /** Reads records in key order from a start key. */
  RANGE_SCAN,
  /** Reads the records under one prefix and nothing else. */
  PREFIX_SCAN,
  /** Writes a record after a read missed it; never drawn from the mix. */
  FILL,
  /** Reads a key that was never written, which must not be found. */
  READ_MISSING,
  /** Walks over all records in key order; counts the records. */
  ITERATE,
  /** Requests of one thread, one after the other, as one unit of work; not a request itself. */
  TRANSACTION;

  /** Separates a group of threads from its operation in the labels of results. */
  public static final String OF_GROUP = ":";

  /** Returns an index for arrays. */
  @SuppressWarnings("EnumOrdinal") // nothing outside of a process depends on it
  public int index() {
    return ordinal();
  }

  /** Returns whether it can be in flight with others: not a scan, and not two steps. */
  public boolean pipelined() {
    return switch (this) {
      case READ, INSERT, UPDATE, DELETE, FILL, READ_MISSING -> true;
      case READ_MODIFY_WRITE, RANGE_SCAN, PREFIX_SCAN, ITERATE, TRANSACTION -> false;
    };
  }

  public boolean storesValue() {
    return switch (this) {
      case INSERT, UPDATE, READ_MODIFY_WRITE, FILL -> true;
      case READ, DELETE, RANGE_SCAN, PREFIX_SCAN, READ_MISSING, ITERATE, TRANSACTION -> false;
    };
  }

  /** Returns whether it changes records; a transaction does not, but its parts may. */
  public boolean writes() {
    return storesValue() || this == DELETE;
  }

  public static Optional<Operation> of(String label) {
    return Labelled.of(Operation.class, label);
  }

  /** Returns the operation of a label in results, which may begin with a group of threads. */
  public static Optional<Operation> ofResult(String label) {
    return of(label.substring(label.lastIndexOf(OF_GROUP) + 1));
  }

  /** Returns the group of threads of a label in results, with its colon; empty without groups. */
  public static String group(String label) {
    return label.substring(0, label.lastIndexOf(OF_GROUP) + 1);
  }

  /**
   * Returns whether {@code label} is an operation within transactions, which throughput of the
   * phase does not count.
   *
   * @param labels of all operations of the phase in results
   */
  public static boolean withinTransaction(String label, Collection<String> labels) {
    String transaction = group(label) + TRANSACTION.label();
    return !label.equals(transaction) && labels.contains(transaction);
  }
}

package kvrank.workload.request;

import java.util.Optional;

/** One kind of request to an engine. */
public enum Operation implements Labelled {
  /** Reads one record, or {@code batch} of them. */
  READ,
  /** Writes a record under a key that is not there yet. */
  INSERT,
  /** Replaces the value of a record that is there. */
  UPDATE,
  /** Reads a record and then replaces its value. */
  READ_MODIFY_WRITE,
  /** Deletes a record that is there. */
  DELETE,
  /** Reads records in key order from a start key. */
  RANGE_SCAN,
  /** Reads the records under one prefix and nothing else. */
  PREFIX_SCAN,
  /** Writes a record that a read has missed. It is not drawn, but follows from the read. */
  FILL;

  /** Its place among the operations, for arrays with something for each. */
  @SuppressWarnings("EnumOrdinal") // nothing outside of a process depends on it
  public int index() {
    return ordinal();
  }

  /** Whether it is one request that can be in flight with others: no scan, and not two steps. */
  public boolean pipelined() {
    return switch (this) {
      case READ, INSERT, UPDATE, DELETE, FILL -> true;
      case READ_MODIFY_WRITE, RANGE_SCAN, PREFIX_SCAN -> false;
    };
  }

  /** Whether it gives a value to the engine. */
  public boolean storesValue() {
    return switch (this) {
      case INSERT, UPDATE, READ_MODIFY_WRITE, FILL -> true;
      case READ, DELETE, RANGE_SCAN, PREFIX_SCAN -> false;
    };
  }

  /** The operation with that label, if there is one. */
  public static Optional<Operation> of(String label) {
    return Labelled.of(Operation.class, label);
  }
}

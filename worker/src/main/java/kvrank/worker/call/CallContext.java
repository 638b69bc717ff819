package kvrank.worker.call;

import java.util.OptionalLong;
import java.util.function.LongConsumer;
import kvrank.binding.KeyValueStore;
import kvrank.binding.ValueBuffer;
import kvrank.worker.protocol.WorkerException;
import kvrank.workload.Dataset;
import kvrank.workload.ValueSource;
import kvrank.workload.key.KeyFormat;
import kvrank.workload.request.Operation;
import kvrank.workload.value.Value;
import site.ycsb.DB;
import site.ycsb.Status;

/**
 * What the calls of one thread share.
 *
 * @param binding the thread's own instance
 * @param store the same in bytes
 * @param dataset what the load inserts
 * @param keys how keys are written
 * @param values where values come from
 * @param verify whether values that are read are checked
 * @param scanRecords the number of records that a range scan asks for
 * @param complete if every record from 0 to a number is there while the phase runs, that number
 * @param missed is told of each record that a read did not find
 */
public record CallContext(
    DB binding,
    KeyValueStore store,
    Dataset dataset,
    KeyFormat keys,
    ValueSource values,
    boolean verify,
    int scanRecords,
    OptionalLong complete,
    LongConsumer missed) {

  /** Notes what has to be forgotten of {@code value} if its write was {@code result}. */
  public void wrote(Value value, OperationResult result) {
    if (result.ok() > 0) {
      values.expirations().wrote(value);
    }
  }

  /**
   * Tells {@code result}, whose record {@code id} was not found, if nobody can have removed it: a
   * thread alone deletes what is its own, and each but once.
   */
  public void notFound(Operation operation, long id, OperationResult result) {
    boolean ownDelete =
        operation == Operation.DELETE && dataset.stays() && dataset.trace().isEmpty();
    if (ownDelete || complete.isPresent()) {
      result.wrong(operation, keys.key(id), "not found, and nobody has deleted it");
    }
  }

  /**
   * Reads a record into {@code value}, outside of what is measured; returns the name of the status,
   * with what the binding said or threw where it is neither OK nor NOT_FOUND.
   */
  public String look(byte[] key, ValueBuffer value) {
    value.clear();
    try {
      Status status = store.read(key, value);
      boolean answered = Status.OK.equals(status) || Status.NOT_FOUND.equals(status);
      return (status == null ? "no status" : status.getName())
          + (answered ? "" : WorkerException.said());
    } catch (RuntimeException | LinkageError e) {
      return WorkerException.summary(e);
    }
  }

  /** Returns a buffer for values that are read, large enough for those that were written. */
  public ValueBuffer newValueBuffer() {
    return new ValueBuffer(values.maxBytes());
  }
}

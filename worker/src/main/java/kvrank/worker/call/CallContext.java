package kvrank.worker.call;

import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
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
 * State that the calls of one thread share.
 *
 * @param binding the thread's own instance
 * @param store the same as a store of bytes
 * @param verify whether values are checked after reads
 * @param population the records that exist during the phase; empty if any may be missing
 * @param errorsAllowed whether requests may fail, so that any record may be missing
 * @param walked counts the records that iterations have seen so far
 * @param missed receives each record that a read did not find
 */
public record CallContext(
    DB binding,
    KeyValueStore store,
    Dataset dataset,
    KeyFormat keys,
    ValueSource values,
    boolean verify,
    Optional<Population> population,
    boolean errorsAllowed,
    LongAdder walked,
    LongConsumer missed) {

  /** Records the size of {@code value}, and when it expires, if its write was acknowledged. */
  public void wrote(Value value, OperationResult result) {
    if (result.ok() > 0) {
      result.wrote(dataset.keys().bytes() + value.size());
      values.expirations().wrote(value);
    }
  }

  /** Records the keys of acknowledged deletes. */
  public void deleted(OperationResult result) {
    result.wrote(result.ok() * dataset.keys().bytes());
  }

  /** Records the size of a record that was found; the no-op engine returns no values. */
  public void found(ValueBuffer value, OperationResult result) {
    result.read(dataset.keys().bytes() + Math.max(0, value.length()));
  }

  /**
   * Marks {@code result} as wrong if no one can have deleted {@code id}: each thread deletes only
   * its own records, each of them once.
   */
  public void notFound(Operation operation, long id, OperationResult result) {
    boolean ownDelete =
        operation == Operation.DELETE
            && dataset.stays()
            && dataset.trace().isEmpty()
            && !errorsAllowed;
    if (ownDelete || population.filter(each -> each.has(id)).isPresent()) {
      result.wrong(operation, keys.key(id), "not found although it was not deleted");
    }
  }

  /** Sets {@code result} of a read of {@code key}, which no record has: to find none is right. */
  public void neverWritten(byte[] key, ValueBuffer value, OperationResult result) {
    if (value.isPresent() && !(binding instanceof NoopBinding)) {
      result.wrong(
          Operation.READ_MISSING, KeyFormat.text(key), "found although it was never written");
    }
    result.missing(result.records(), 0);
  }

  /**
   * Reads a record into {@code value}, unmeasured; returns the status, with the binding's error
   * message or exception unless it is OK or NOT_FOUND.
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

  public ValueBuffer newValueBuffer() {
    return new ValueBuffer(values.maxBytes());
  }
}

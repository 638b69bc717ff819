package kvrank.workload;

import java.util.function.LongUnaryOperator;
import kvrank.workload.request.Operation;
import kvrank.workload.request.Requests;
import kvrank.workload.value.Value;

/** Requests of one operation for given records, in batches. */
final class RecordRequests implements Requests {

  private final Operation operation;
  private final LongUnaryOperator records;
  private final long count;
  private final long[] ids;
  private long done;
  private int size;

  /**
   * @param records returns the number of the nth record, from 0
   * @param count of all records
   * @param batch the largest number of records in a request
   */
  RecordRequests(Operation operation, LongUnaryOperator records, long count, int batch) {
    this.operation = operation;
    this.records = records;
    this.count = count;
    this.ids = new long[batch];
  }

  @Override
  public boolean next(int most) {
    size = (int) Math.min(Math.min(most, ids.length), count - done);
    for (int i = 0; i < size; i++) {
      ids[i] = records.applyAsLong(done++);
    }
    return size > 0;
  }

  @Override
  public Operation operation() {
    return operation;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public long id(int i) {
    return ids[i];
  }

  @Override
  public long version(int i) {
    return Value.FIRST_VERSION;
  }
}

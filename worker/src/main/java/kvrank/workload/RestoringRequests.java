package kvrank.workload;

import java.util.PrimitiveIterator;
import java.util.stream.LongStream;
import kvrank.workload.request.Operation;
import kvrank.workload.request.Requests;
import kvrank.workload.value.Value;

/** Requests of one operation for given records, in batches. */
final class RestoringRequests implements Requests {

  private final Operation operation;
  private final PrimitiveIterator.OfLong records;
  private final long[] ids;
  private int size;

  RestoringRequests(Operation operation, LongStream records, int batch) {
    this.operation = operation;
    this.records = records.iterator();
    this.ids = new long[batch];
  }

  @Override
  public boolean next(int most) {
    size = 0;
    while (size < Math.min(most, ids.length) && records.hasNext()) {
      ids[size++] = records.nextLong();
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

package kvrank.workload;

import kvrank.workload.random.CounterRandom.Purpose;
import kvrank.workload.random.RecordOrder;
import kvrank.workload.request.Operation;
import kvrank.workload.request.Requests;
import kvrank.workload.value.Value;

/**
 * One thread's part of a load: the places of the order that equal the thread modulo the threads.
 */
final class LoadRequests implements Requests {

  private final RecordOrder order;
  private final int thread;
  private final int threads;
  private final long owned;
  private final long[] ids;
  private long done;
  private int size;

  LoadRequests(RequestPlan plan, int thread) {
    long key = plan.key(Purpose.ORDER, 0);
    this.order = RecordOrder.of(plan.mix().keys().distribution(), plan.records(), key);
    this.thread = thread;
    this.threads = plan.threads();
    this.owned = plan.owned(thread);
    this.ids = new long[plan.batch()];
  }

  @Override
  public boolean next(int most) {
    size = (int) Math.min(Math.min(most, ids.length), owned - done);
    for (int i = 0; i < size; i++) {
      ids[i] = order.record(done++ * threads + thread);
    }
    return size > 0;
  }

  @Override
  public Operation operation() {
    return Operation.INSERT;
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

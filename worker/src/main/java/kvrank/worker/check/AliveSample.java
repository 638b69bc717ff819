package kvrank.worker.check;

import java.util.List;
import java.util.stream.Stream;
import kvrank.binding.BatchOperations;
import kvrank.binding.ValueBuffer;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.worker.call.BatchKeys;
import kvrank.worker.call.CallContext;
import kvrank.worker.protocol.WorkerMessage;
import kvrank.workload.value.ValueShape;
import site.ycsb.Status;

/** Estimates how many records exist, from reads of blocks spread over their numbers. */
public final class AliveSample {

  /** This sample size bounds the error of the share to 0.7 points (95 %). */
  private static final int MOST = 20_000;

  private static final int LEAST = 1_000;
  private static final int BLOCK = 100;

  /** Limits the memory of one read, so fewer long values are sampled. */
  private static final int BLOCK_BYTES = 1 << 20;

  private static final int BYTES = 64 << 20;

  private final CallContext context;
  private final int sample;
  private final int block;
  private final BatchKeys keys;
  private final List<ValueBuffer> values;

  public AliveSample(CallContext context) {
    ValueShape shape = context.dataset().values();
    boolean batches = context.binding() instanceof BatchOperations;
    this.context = context;
    this.sample = (int) Math.min(MOST, Math.max(LEAST, BYTES / (1 + shape.sizes().mean())));
    this.block =
        batches ? Math.max(1, Math.min(BLOCK, BLOCK_BYTES / (1 + shape.sizes().max()))) : 1;
    this.keys = new BatchKeys(context.keys(), block);
    this.values = Stream.generate(context::newValueBuffer).limit(block).toList();
  }

  /**
   * Returns the facts of {@link WorkerMessage.Looked}.
   *
   * @param end upper bound of the record numbers
   */
  public Facts facts(long end) {
    long blocks = (end + block - 1) / block;
    long looks = Math.min(blocks, sample / block);
    long asked = 0;
    long alive = 0;
    for (long i = 0; i < looks; i++) {
      long first = (blocks / looks * i + blocks % looks * i / looks) * block;
      int size = (int) Math.min(block, end - first);
      if (!read(keys.of(first, size))) {
        return new Facts();
      }
      asked += size;
      alive += values.stream().limit(size).filter(ValueBuffer::isPresent).count();
    }
    return new Facts()
        .put(Fact.ALIVE_RECORDS, Math.round((double) alive / asked * end))
        .put(Fact.ALIVE_SAMPLE, asked)
        .put(Fact.ALIVE_MOST, end);
  }

  /** Reads values; returns whether the engine answered. */
  private boolean read(List<byte[]> asked) {
    values.forEach(ValueBuffer::clear);
    Status status =
        context.binding() instanceof BatchOperations engine
            ? engine.batchRead(asked, values.subList(0, asked.size()))
            : context.store().read(asked.get(0), values.get(0));
    return Status.OK.equals(status) || Status.NOT_FOUND.equals(status);
  }
}

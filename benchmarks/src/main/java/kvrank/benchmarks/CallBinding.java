package kvrank.benchmarks;

import kvrank.binding.ValueBuffer;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * Another binding, each read of which is done a thousand times, so that the clock and what the
 * harness does for a read cost nothing beside it. Says at its end how long a call took, but for
 * those of the first two seconds, in which the JVM compiles it.
 */
public final class CallBinding extends ForwardingBinding {

  private static final int CALLS = 1000;
  private static final long SETTLE_NANOS = 2_000_000_000;

  private long begin;
  private long calls;
  private long nanos;

  @Override
  public void init() throws DBException {
    super.init();
    begin = System.nanoTime();
  }

  @Override
  public Status read(byte[] key, ValueBuffer value) {
    long start = System.nanoTime();
    Status status = Status.OK;
    for (int i = 0; i < CALLS && status.isOk(); i++) {
      status = super.read(key, value);
    }
    long end = System.nanoTime();
    if (start - begin > SETTLE_NANOS) {
      calls += CALLS;
      nanos += end - start;
    }
    return status;
  }

  @Override
  void count() {}

  @Override
  public void cleanup() throws DBException {
    System.out.println(calls == 0 ? "too few calls" : "ns per call: " + nanos / (double) calls);
    super.cleanup();
  }
}

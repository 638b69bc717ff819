package kvrank.benchmarks.binding;

import kvrank.binding.ValueBuffer;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * Repeats each read of another binding a thousand times, so that clock and harness cost next to
 * nothing. Prints the time of a call at the end, without the first two seconds of JIT compilation.
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

package kvrank.worker.client;

import java.util.EnumSet;
import java.util.concurrent.TimeUnit;
import kvrank.worker.call.OperationResult;
import kvrank.workload.request.Operation;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import site.ycsb.Status;

/** What it costs to count and time one answer. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ThreadStatsBenchmark {

  /** Latencies between 1 µs and 66 µs, in an order that no branch predictor learns. */
  private static final int LATENCIES = 1 << 12;

  private final ThreadStats closed = new ThreadStats(EnumSet.of(Operation.READ), false);
  private final ThreadStats open = new ThreadStats(EnumSet.of(Operation.READ), true);
  private final OperationResult answer = new OperationResult();
  private final long[] latencies = new long[LATENCIES];
  private long now;

  public ThreadStatsBenchmark() {
    long state = 1;
    for (int i = 0; i < LATENCIES; i++) {
      state = state * 6364136223846793005L + 1442695040888963407L;
      latencies[i] = 1_000 + (state >>> 48);
    }
  }

  private long next() {
    now++;
    return latencies[(int) now & (LATENCIES - 1)];
  }

  @Benchmark
  public long recordClosedLoop() {
    long latency = next();
    answer.set(Status.OK, 1);
    closed.record(Operation.READ, answer, now, now + latency);
    closed.latency(Operation.READ, latency);
    return closed.records();
  }

  @Benchmark
  public long recordOpenLoop() {
    long latency = next();
    answer.set(Status.OK, 1);
    open.record(Operation.READ, answer, now, now + latency);
    open.latency(Operation.READ, latency, latency >>> 4);
    return open.records();
  }

  /** The clock is read twice for each operation; no harness is cheaper than that. */
  @Benchmark
  public long clock() {
    return System.nanoTime();
  }
}

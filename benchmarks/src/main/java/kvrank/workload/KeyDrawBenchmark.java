package kvrank.workload;

import java.util.concurrent.TimeUnit;
import kvrank.workload.key.KeyChooser;
import kvrank.workload.random.CounterRandom;
import kvrank.workload.random.Distribution;
import kvrank.workload.random.KeyChoice;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What it costs to choose a record, by distribution. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class KeyDrawBenchmark {

  private static final long SEED = 42;

  @Param Distribution distribution;

  @Param({"1000000", "1000000000"})
  long records;

  private KeyChooser chooser;
  private CounterRandom draws;
  private long chosen;

  @Setup
  public void choose() {
    chooser = KeyChooser.of(KeyChoice.of(distribution), records, SEED, 0, 1);
    draws = new CounterRandom(SEED);
  }

  @Benchmark
  public long draw() {
    draws.seek(chosen);
    return chooser.choose(chosen++, draws, records);
  }
}

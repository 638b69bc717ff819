package kvrank.machine;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** One sample of a process, which a run takes of server and worker each 250 ms. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ProcessWatchBenchmark {

  private final long pid = ProcessHandle.current().pid();
  private final ProcessWatch withDescendants = new ProcessWatch(pid);

  @Benchmark
  public Optional<ProcessSample> alone() {
    return ProcessSample.of(pid);
  }

  @Benchmark
  public Optional<ProcessSample> withDescendants() {
    return withDescendants.sample();
  }
}

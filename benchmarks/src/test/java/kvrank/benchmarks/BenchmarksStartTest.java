package kvrank.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Every JMH benchmark starts, at every parameter. */
class BenchmarksStartTest {

  /**
   * 9 distributions x 2, 3 x 2 key formats, 2 x 2 values x 2, 3 of the tally, 2 samples, 3 of
   * traces, 2 of mixes.
   */
  private static final int EXPECTED = 18 + 6 + 8 + 3 + 2 + 3 + 2;

  @Test
  void everyBenchmarkRunsForAMillisecond() throws RunnerException {
    Options options =
        new OptionsBuilder()
            .include("^kvrank\\.")
            .forks(0)
            .warmupIterations(0)
            .measurementIterations(1)
            .measurementTime(TimeValue.milliseconds(1))
            .shouldFailOnError(true)
            .jvmArgsAppend("-Djmh.ignoreLock=true")
            .verbosity(VerboseMode.SILENT)
            .build();
    Collection<RunResult> results = new Runner(options).run();
    assertThat(results).hasSize(EXPECTED);
    assertThat(results)
        .allSatisfy(
            result -> assertThat(result.getPrimaryResult().getScore()).isPositive().isFinite());
  }
}

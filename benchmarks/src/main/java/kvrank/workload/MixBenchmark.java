package kvrank.workload;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import kvrank.workload.random.Distribution;
import kvrank.workload.random.KeyChoice;
import kvrank.workload.request.Operation;
import kvrank.workload.request.Requests;
import kvrank.workload.value.Value;
import kvrank.workload.value.ValueShape;
import kvrank.workload.value.ValueSizes;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What it costs to draw a request, and to become the value that an update writes. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MixBenchmark {

  private static final OperationMix HALVES =
      new OperationMix(
          new TreeMap<>(Map.of(Operation.READ, 1, Operation.UPDATE, 1)),
          KeyChoice.of(Distribution.ZIPFIAN),
          1,
          false);

  private final Requests requests = new RequestPlan(1, "mix", HALVES, 1_000_000, 1, 1).mix(0);
  private final Value value =
      new ValueSource(new ValueShape(ValueShape.Kind.RANDOM, ValueSizes.fixed(100), 0.5), 1)
          .value();

  /** The operation, the key's number, and of an update the version. */
  @Benchmark
  public long draw() {
    requests.next(1);
    return requests.id(0);
  }

  @Benchmark
  public int drawAndMake() {
    requests.next(1);
    value.set(requests, 0);
    return value.size();
  }
}

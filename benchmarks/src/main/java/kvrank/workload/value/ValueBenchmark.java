package kvrank.workload.value;

import java.util.concurrent.TimeUnit;
import kvrank.workload.ValueSource;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What it costs to make a value, and to check one that was read. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ValueBenchmark {

  private static final long SEED = 42;
  private static final long CHECKED = 7;

  @Param ValueShape.Kind kind;

  @Param({"100", "1024"})
  int bytes;

  private Value value;
  private byte[] target;
  private byte[] read;
  private long id;

  @Setup
  public void shape() {
    ValueShape shape = new ValueShape(kind, ValueSizes.fixed(bytes), 0.5);
    value = new ValueSource(shape, SEED).value();
    target = new byte[bytes];
    value.set(CHECKED, Value.FIRST_VERSION);
    read = value.toByteArray();
  }

  @Benchmark
  public byte[] fill() {
    value.set(id++, Value.FIRST_VERSION);
    value.copyTo(target, 0);
    return target;
  }

  @Benchmark
  public boolean verify() {
    return value.matches(read, 0, bytes, CHECKED);
  }
}

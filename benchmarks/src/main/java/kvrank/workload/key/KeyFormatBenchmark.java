package kvrank.workload.key;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What it costs to write a record's number as a key. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class KeyFormatBenchmark {

  private static final long RECORDS = 1_000_000;

  @Param({"9", "16", "64"})
  int bytes;

  /** 100 makes a key the record's number; with 7, the group and the member are written apart. */
  @Param({"100", "7"})
  long perPrefix;

  private KeyFormat format;
  private byte[] key;
  private long id;

  @Setup
  public void format() {
    format = new KeyFormat(new KeyShape(bytes, perPrefix));
    key = format.newKey();
  }

  @Benchmark
  public byte[] key() {
    id = id + 1 < RECORDS ? id + 1 : 0;
    format.write(id, key);
    return key;
  }
}

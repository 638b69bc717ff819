package kvrank.workload;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import kvrank.workload.random.CounterRandom;
import kvrank.workload.random.KeyChoice;
import kvrank.workload.random.Zipf;
import kvrank.workload.request.Operation;
import kvrank.workload.trace.PartRequests;
import kvrank.workload.trace.Replay;
import kvrank.workload.trace.TraceParts;
import kvrank.workload.trace.TraceWriter;
import kvrank.workload.value.ValueSizes;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What it costs a thread to move to its next request of a trace: 9 reads of 10 and 1 write, of
 * 1,000,000 keys by Zipf's distribution, 30,000 a second. The requests are split by thread before.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class TraceBenchmark {

  private static final int REQUESTS = 10_000_000;
  private static final int KEYS = 1_000_000;
  private static final int MICROS = 33;

  @Param({"1", "4", "16"})
  int threads;

  private Path file;
  private TraceParts parts;
  private PartRequests requests;

  @Setup
  public void write() throws IOException {
    file = Files.createTempFile("kvrank", ".trace");
    int[] numbers = new int[KEYS];
    int known = 0;
    Zipf zipf = new Zipf(KeyChoice.DEFAULT_EXPONENT);
    CounterRandom random = new CounterRandom(1);
    try (TraceWriter out = new TraceWriter(file)) {
      for (int i = 0; i < REQUESTS; i++) {
        random.seek(i);
        int key = (int) zipf.sample(random, KEYS);
        int keyBytes = numbers[key] == 0 ? 20 : 0;
        numbers[key] = numbers[key] == 0 ? ++known : numbers[key];
        Operation operation = random.nextBelow(10) == 0 ? Operation.UPDATE : Operation.READ;
        int valueBytes = 20 + (int) random.nextBelow(2_000);
        out.request((long) i * MICROS, operation, numbers[key] - 1, keyBytes, valueBytes, 0);
      }
      out.end("made up", true, ValueSizes.between(20, 2_020, ValueSizes.Spread.UNIFORM));
    }
    Replay replay = Replay.of(file, 0, 1, 1).replay();
    System.out.printf("%.2f bytes a request%n", (double) Files.size(file) / REQUESTS);
    long begin = System.nanoTime();
    parts = TraceParts.of(replay, false, threads, Long.MAX_VALUE, file.getParent());
    System.out.printf("split in %.1f s%n", (System.nanoTime() - begin) / 1e9);
    requests = parts.requests(0, 1);
  }

  @Benchmark
  public long next() {
    if (!requests.next(1)) {
      requests = parts.requests(0, 1);
      requests.next(1);
    }
    return requests.id(0) + requests.version(0) + requests.bytes(0);
  }

  @TearDown
  public void remove() throws IOException {
    parts.close();
    Files.delete(file);
  }
}

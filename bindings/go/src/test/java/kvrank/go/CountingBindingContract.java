package kvrank.go;

import static java.nio.charset.StandardCharsets.UTF_8;
import static kvrank.binding.EngineCounters.Figures.STORAGE_READ;
import static kvrank.binding.EngineCounters.Figures.STORAGE_WRITTEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.io.IOException;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import kvrank.binding.ByteSource;
import kvrank.binding.ValueBuffer;
import kvrank.testkit.BindingContract;
import kvrank.testkit.Counts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import site.ycsb.Status;

/** What a binding promises of an engine that counts the traffic of its files. */
abstract class CountingBindingContract extends BindingContract {

  private static final int RECORDS = 2_000;
  private static final int VALUE_BYTES = 40_000;

  /** The log and, as they fill a write buffer, most of a table; in multiples of the data. */
  private static final double FLUSHED = 1.6;

  /** Linux counts the bytes of all calls of this process that read or write. */
  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void itsCountsAreThoseOfLinux() throws Exception {
    GoBinding binding = (GoBinding) subject().open();
    String prefix = subject().freshKey();
    Map<String, Double> before = Counts.of(binding);
    long written = Counts.called("wchar");
    long read = Counts.called("rchar");
    Random random = new Random(1);
    byte[] value = new byte[VALUE_BYTES];
    double flushed = FLUSHED * RECORDS * VALUE_BYTES;
    // goleveldb sometimes flushes a full write buffer only when the next one is full.
    for (int i = 0;
        i < RECORDS || growth(before, Counts.of(binding), STORAGE_WRITTEN) < flushed;
        i++) {
      random.nextBytes(value);
      assertThat(binding.insert(key(prefix, i), ByteSource.of(value))).isEqualTo(Status.OK);
      if (i >= RECORDS) {
        Thread.sleep(10);
      }
    }
    awaitIdle();
    ValueBuffer found = new ValueBuffer();
    for (int i = 0; i < RECORDS; i++) {
      assertThat(binding.read(key(prefix, i), found)).isEqualTo(Status.OK);
    }
    awaitIdle();
    Map<String, Double> after = Counts.of(binding);
    written = Counts.called("wchar") - written;
    read = Counts.called("rchar") - read;

    System.out.printf("%s: %d bytes written, %d read: %s%n", engine(), written, read, after);
    assertThat(growth(before, after, STORAGE_WRITTEN))
        .isCloseTo((double) written, withinPercentage(5))
        .isGreaterThan((double) RECORDS * VALUE_BYTES);
    if (after.containsKey(STORAGE_READ)) {
      assertThat(growth(before, after, STORAGE_READ)).isCloseTo((double) read, withinPercentage(5));
    }
  }

  /** Waits for background work, which is counted when it has ended; runtimes write a few bytes. */
  private static void awaitIdle() throws IOException, InterruptedException {
    long seen;
    do {
      seen = Counts.called("wchar");
      Thread.sleep(500);
    } while (Counts.called("wchar") - seen > VALUE_BYTES);
  }

  private static byte[] key(String prefix, int number) {
    return (prefix + number).getBytes(UTF_8);
  }

  private static double growth(Map<String, Double> before, Map<String, Double> after, String name) {
    return after.get(name) - before.get(name);
  }
}

package kvrank.go;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import kvrank.binding.ByteSource;
import kvrank.binding.EngineCounters;
import kvrank.binding.ValueBuffer;
import kvrank.testkit.BindingContract;
import org.junit.jupiter.api.Test;
import site.ycsb.Status;

/** What a binding promises of an engine that counts the traffic of its files. */
abstract class CountingBindingContract extends BindingContract {

  private static final int RECORDS = 2_000;
  private static final int VALUE_BYTES = 40_000;

  /** Linux counts the bytes of all calls of this process that read or write. */
  @Test
  void itsCountsAreThoseOfLinux() throws Exception {
    GoBinding binding = (GoBinding) subject().open();
    String prefix = subject().freshKey();
    Map<String, Double> before = figures(binding);
    long written = called("wchar");
    long read = called("rchar");
    Random random = new Random(1);
    byte[] value = new byte[VALUE_BYTES];
    for (int i = 0; i < RECORDS; i++) {
      random.nextBytes(value);
      assertThat(binding.insert(key(prefix, i), ByteSource.of(value))).isEqualTo(Status.OK);
    }
    awaitIdle();
    ValueBuffer found = new ValueBuffer();
    for (int i = 0; i < RECORDS; i++) {
      assertThat(binding.read(key(prefix, i), found)).isEqualTo(Status.OK);
    }
    Map<String, Double> after = figures(binding);
    written = called("wchar") - written;
    read = called("rchar") - read;

    System.out.printf("%s: %d bytes written, %d read: %s%n", engine(), written, read, after);
    assertThat(growth(before, after, EngineCounters.Figures.STORAGE_WRITTEN))
        .isCloseTo((double) written, withinPercentage(5))
        .isGreaterThan((double) RECORDS * VALUE_BYTES);
    if (after.containsKey(EngineCounters.Figures.STORAGE_READ)) {
      assertThat(growth(before, after, EngineCounters.Figures.STORAGE_READ))
          .isCloseTo((double) read, withinPercentage(5));
    }
  }

  /** Waits for background work, which is counted when it has ended. */
  private static void awaitIdle() throws IOException, InterruptedException {
    for (long seen = -1; seen != called("wchar"); ) {
      seen = called("wchar");
      Thread.sleep(500);
    }
  }

  private static byte[] key(String prefix, int number) {
    return (prefix + number).getBytes(UTF_8);
  }

  private static double growth(Map<String, Double> before, Map<String, Double> after, String name) {
    return after.get(name) - before.get(name);
  }

  private static Map<String, Double> figures(GoBinding binding) throws GoException {
    Map<String, Double> figures = new TreeMap<>();
    binding.addCounters(
        new EngineCounters.Figures() {
          @Override
          public void gauge(String name, double value) {
            figures.put(name, value);
          }

          @Override
          public void total(String name, double value) {
            figures.put(name, value);
          }
        });
    return figures;
  }

  /** Returns the bytes of calls of this process to read or to write, from /proc/PID/io. */
  private static long called(String kind) throws IOException {
    return Files.readAllLines(Path.of("/proc/self/io")).stream()
        .filter(line -> line.startsWith(kind + ":"))
        .mapToLong(line -> Long.parseLong(line.substring(kind.length() + 1).strip()))
        .findFirst()
        .orElseThrow();
  }
}

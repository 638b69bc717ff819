package kvrank.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvrank.scenario.Scenario;
import kvrank.scenario.ScenarioReader;
import kvrank.scenario.TestHome;
import kvrank.workload.Distribution;
import kvrank.workload.KeyChoice;
import kvrank.workload.Operation;
import kvrank.workload.TraceWriter;
import kvrank.workload.ValueSizes;
import kvrank.workload.Workload;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceDescriptionTest {

  private static final int KEYS = 5_000;
  private static final int REQUESTS = 300_000;

  @TempDir private Path folder;

  /** A thousand requests a second: 4 reads of 5 and 1 write of 100 or 300 bytes, keys by Zipf. */
  private Path trace(double exponent) throws IOException {
    double[] reached = new double[KEYS];
    for (int i = 0; i < KEYS; i++) {
      reached[i] = (i == 0 ? 0 : reached[i - 1]) + Math.pow(i + 1.0, -exponent);
    }
    SplittableRandom random = new SplittableRandom(1);
    int[] numbers = new int[KEYS];
    int known = 0;
    Path file = folder.resolve("some.trace");
    try (TraceWriter out = new TraceWriter(file)) {
      for (int i = 0; i < REQUESTS; i++) {
        int key = Arrays.binarySearch(reached, random.nextDouble() * reached[KEYS - 1]);
        int rank = Math.min(KEYS - 1, key < 0 ? -key - 1 : key);
        int keyBytes = numbers[rank] == 0 ? 20 : 0;
        numbers[rank] = numbers[rank] == 0 ? ++known : numbers[rank];
        boolean write = keyBytes == 0 && random.nextInt(5) == 0;
        out.request(
            i * 1_000L,
            write ? Operation.UPDATE : Operation.READ,
            numbers[rank] - 1,
            keyBytes,
            random.nextBoolean() ? 100 : 300,
            write && random.nextInt(4) == 0 ? 60_000 : 0);
      }
      for (int id = 0; id < known; id++) {
        out.load(id, 200);
      }
      out.end("test", true, ValueSizes.between(100, 300, ValueSizes.Spread.UNIFORM));
    }
    return file;
  }

  private static double number(String text, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertThat(matcher.find()).as(pattern + " in " + text).isTrue();
    return Double.parseDouble(matcher.group(1));
  }

  @Test
  void showsWhatIsInATrace() throws IOException {
    String shown = String.join("\n", TraceDescription.of(trace(0.9)).lines());
    assertThat(shown).contains("source      test", "requests    300,000");
    assertThat(number(shown, "keys 20.0 bytes on average; values ([\\d.]+) bytes"))
        .isCloseTo(200, within(1.0));
    assertThat(number(shown, "read ([\\d.]+) %")).isCloseTo(80, within(1.5));
    assertThat(number(shown, "time {8}([\\d.]+) s")).isCloseTo(299.999, within(1e-9));
    assertThat(number(shown, "peak is ([\\d.]+) times")).isCloseTo(1, within(0.02));
    assertThat(number(shown, "times to live {2}([\\d.]+) %")).isCloseTo(25, within(0.6));
    assertThat(number(shown, "So keys are zipfian ([\\d.]+)")).isCloseTo(0.9, within(0.02));
    // The bytes of all records are those of the end; meanwhile there were a few more.
    assertThat(number(shown, "\n {4}100 % +([\\d.]+) %")).isBetween(97.0, 100.0);
    assertThat(number(shown, "\n {5}10 % +([\\d.]+) %")).isBetween(50.0, 75.0);
  }

  @Test
  void fitsAWorkloadThatIsNearAndRuns() throws Exception {
    for (double exponent : new double[] {0.6, 1.1}) {
      String yaml = TraceDescription.of(trace(exponent)).workload("fitted");
      assertThat(number(yaml.replace("\n# ", " "), "at most ([\\d.]+) points apart")).isLessThan(3);
      Path home = folder.resolve("home" + exponent);
      ScenarioReader reader = new ScenarioReader(TestHome.in(home));
      Files.writeString(home.resolve("fitted.yaml"), yaml);
      Path file = home.resolve("x.yaml");
      Files.writeString(
          file,
          "{question: \"Which?\", engines: [redis], fsync: off, records: 5000, phases: [./fitted.yaml]}");
      Scenario scenario = reader.read(file, List.of(), List.of());
      Workload workload = scenario.phases().get(1).workload();
      KeyChoice choice = workload.mix().keys();
      assertThat(choice.distribution()).isEqualTo(Distribution.ZIPFIAN);
      assertThat(choice.exponent()).isCloseTo(exponent, within(0.02));
      assertThat(workload.keyShape().orElseThrow().bytes()).isEqualTo(20);
      assertThat(workload.valueShape().orElseThrow().sizes().mean()).isCloseTo(200, within(2.0));
      assertThat(workload.operations()).containsExactlyInAnyOrder(Operation.READ, Operation.UPDATE);
    }
  }
}

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
import kvrank.scenario.read.ScenarioReader;
import kvrank.scenario.read.TestHome;
import kvrank.workload.Workload;
import kvrank.workload.random.Distribution;
import kvrank.workload.random.KeyChoice;
import kvrank.workload.request.Operation;
import kvrank.workload.trace.TraceWriter;
import kvrank.workload.value.ValueSizes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceDescriptionTest {

  private static final int KEYS = 5_000;
  private static final int REQUESTS = 300_000;

  @TempDir private Path folder;

  /** A thousand requests a second: of 5 this many writes of 100 or 300 bytes, keys by Zipf. */
  private Path trace(double exponent, int keys, int requests, int writes) throws IOException {
    double[] reached = new double[keys];
    for (int i = 0; i < keys; i++) {
      reached[i] = (i == 0 ? 0 : reached[i - 1]) + Math.pow(i + 1.0, -exponent);
    }
    SplittableRandom random = new SplittableRandom(1);
    int[] numbers = new int[keys];
    int known = 0;
    Path file = folder.resolve("some.trace");
    try (TraceWriter out = new TraceWriter(file)) {
      for (int i = 0; i < requests; i++) {
        int key = Arrays.binarySearch(reached, random.nextDouble() * reached[keys - 1]);
        int rank = Math.min(keys - 1, key < 0 ? -key - 1 : key);
        int keyBytes = numbers[rank] == 0 ? 20 : 0;
        numbers[rank] = numbers[rank] == 0 ? ++known : numbers[rank];
        boolean write = keyBytes == 0 && random.nextInt(5) < writes;
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
    String shown = String.join("\n", TraceDescription.of(trace(0.9, KEYS, REQUESTS, 1)).lines());
    assertThat(shown).contains("source      test", "requests    300,000");
    assertThat(number(shown, "keys 20.0 bytes on average; values ([\\d.]+) bytes"))
        .isCloseTo(200, within(1.0));
    assertThat(number(shown, "read ([\\d.]+) %")).isCloseTo(80, within(1.5));
    assertThat(number(shown, "time {8}([\\d.]+) s")).isCloseTo(299.999, within(1e-9));
    assertThat(number(shown, "peak is ([\\d.]+) times")).isCloseTo(1, within(0.02));
    assertThat(number(shown, "times to live {2}([\\d.]+) %")).isCloseTo(25, within(0.6));
    assertThat(number(shown, "So keys are zipfian ([\\d.]+)")).isCloseTo(0.9, within(0.02));
    // The bytes of all records are from the end; meanwhile there were a few more.
    assertThat(number(shown, "\n {4}100 % +[\\d.]+ % +([\\d.]+) %")).isBetween(97.0, 100.0);
    assertThat(number(shown, "\n {5}10 % +[\\d.]+ % +([\\d.]+) %")).isBetween(50.0, 75.0);
  }

  @Test
  void fitsAWorkloadThatIsNearAndRuns() throws Exception {
    for (double exponent : new double[] {0.6, 1.1}) {
      String yaml =
          new TraceFit(TraceDescription.of(trace(exponent, KEYS, REQUESTS, 1))).workload("fitted");
      assertThat(number(yaml.replace("\n# ", " "), "at most ([\\d.]+) points apart")).isLessThan(3);
      Path home = folder.resolve("home" + exponent);
      ScenarioReader reader = new ScenarioReader(TestHome.in(home));
      Files.writeString(home.resolve("fitted.yaml"), yaml);
      Path file = home.resolve("x.yaml");
      Files.writeString(
          file,
          "{question: \"Which?\", engines: [redis], fsync: off, records: 5000, phases:"
              + " [./fitted.yaml]}");
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

  /** Three writes of ten, keys by a square, a request each 0.5 ms. */
  private Path ending(int requests, int... seconds) throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    Path file = folder.resolve("ending.trace");
    int keys = 500;
    try (TraceWriter out = new TraceWriter(file)) {
      for (int i = 0; i < requests; i++) {
        double draw = random.nextDouble();
        int id = i < keys ? i : (int) (draw * draw * keys);
        boolean write = i >= keys && random.nextInt(10) < 3;
        out.request(
            seconds.length == 0 ? 0 : i * 500L,
            write ? Operation.UPDATE : Operation.READ,
            id,
            i < keys ? 20 : 0,
            100,
            write ? 1_000L * (seconds.length == 0 ? 1 : seconds[i % seconds.length]) : 0);
      }
      for (int id = 0; id < Math.min(keys, requests); id++) {
        out.load(id, 100);
      }
      out.end("test", seconds.length > 0, ValueSizes.between(100, 100, ValueSizes.Spread.UNIFORM));
    }
    return file;
  }

  @Test
  void readsMissWhatHasEnded() throws IOException {
    TraceDescription one = TraceDescription.of(ending(60_000, 1));
    String shown = String.join("\n", one.lines());
    assertThat(shown).contains("; expired records are misses");
    double hits = number(shown, "\n {4}100 % +[\\d.]+ % +([\\d.]+) %");
    assertThat(hits).isLessThan(97);
    String yaml = new TraceFit(one).workload("fitted");
    assertThat(yaml).contains("ttl:\n", "  share: 1.0\n", "  seconds: 1\n");
    String comments = yaml.replace("\n# ", " ");
    assertThat(comments).contains("Here the same share of all writes has one");
    assertThat(number(comments, " 100 %: ([\\d.]+) and ")).isEqualTo(hits);
    assertThat(number(comments, " 100 %: [\\d.]+ and ([\\d.]+)")).isCloseTo(hits, within(2.0));
  }

  @Test
  void saysWhichTimesToLiveAWorkloadDoesNot() throws IOException {
    String longer = new TraceFit(TraceDescription.of(ending(20_000, 600))).workload("fitted");
    assertThat(longer).endsWith("\n# ttl: {share: 1.0000, seconds: 600}\n").doesNotContain("\nttl");
    String several = new TraceFit(TraceDescription.of(ending(20_000, 1, 7))).workload("fitted");
    assertThat(several.replace("\n# ", " ")).contains("which the workload does not have");
    assertThat(several).doesNotContain("ttl:");
    TraceDescription untimed = TraceDescription.of(ending(20_000));
    assertThat(String.join("\n", untimed.lines()))
        .contains(
            "times to live are ignored, because no times were recorded",
            "\n    100 %    96.5 %   100.0 %");
  }

  @Test
  void knowsOfKeysThatWereNotAskedFor() throws IOException {
    TraceDescription seen = TraceDescription.of(trace(0.9, 20_000, 100_000, 0));
    String shown = String.join("\n", seen.lines());
    assertThat(number(shown.replace(",", ""), "keys {8}(\\d+)")).isLessThan(17_000);
    assertThat(number(shown, "So keys are zipfian ([\\d.]+)")).isCloseTo(0.9, within(0.01));
    assertThat(number(new TraceFit(seen).workload("fitted"), "'records:(?:\n#)? (\\d+)'"))
        .isCloseTo(20_000, within(400.0));
  }

  @Test
  void saysThatKeysWhichWereNotAskedForCannotBeTold() throws IOException {
    Path file = folder.resolve("once.trace");
    try (TraceWriter out = new TraceWriter(file)) {
      for (int id = 0; id < 20_000; id++) {
        out.request(0, Operation.READ, id, 20, 100, 0);
      }
      for (int id = 0; id < 20_000; id++) {
        out.load(id, 100);
      }
      out.end("test", false, ValueSizes.between(100, 100, ValueSizes.Spread.UNIFORM));
    }
    TraceDescription once = TraceDescription.of(file);
    assertThat(String.join("\n", once.lines()))
        .contains("if there are others, which these accesses cannot show");
    assertThat(new TraceFit(once).workload("fitted")).contains("records: 20000'");
  }

  @Test
  void countsArrivalsOfACenturyInLongerIntervals() throws IOException {
    Path file = folder.resolve("century.trace");
    try (TraceWriter out = new TraceWriter(file)) {
      out.request(0, Operation.INSERT, 0, 20, 100, 0);
      out.request(100L * 365 * 86_400 * 1_000_000, Operation.READ, 0, 0, 0, 0);
      out.end("test", true, ValueSizes.between(100, 100, ValueSizes.Spread.UNIFORM));
    }
    assertThat(String.join("\n", TraceDescription.of(file).lines()))
        .contains("0 requests per second; per 3153.6 s, the peak is ")
        .endsWith("100 %   100.0 %");
  }

  @Test
  void saysWhatPopularityTakes() throws IOException {
    TraceDescription few = TraceDescription.of(ending(300, 1));
    assertThat(String.join("\n", few.lines())).contains("unknown: this needs 1,000 accesses");
    assertThat(new TraceFit(few).workload("fitted")).contains("unknown: this needs 1,000 accesses");
  }
}

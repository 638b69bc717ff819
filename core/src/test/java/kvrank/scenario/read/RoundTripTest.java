package kvrank.scenario.read;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import kvrank.input.InvalidInputException;
import kvrank.plan.Planner;
import kvrank.scenario.Scenario;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is accepted has a resolved scenario that is accepted, too, and that plans the same runs. */
class RoundTripTest {

  private static final int ROUNDS = 500;

  @TempDir private Path folder;
  private ScenarioReader reader;
  private int accepted;

  @BeforeEach
  void home() throws IOException {
    reader = new ScenarioReader(TestHome.in(folder));
  }

  @Test
  void randomYcsbFiles() throws Exception {
    for (int seed = 1; seed <= ROUNDS; seed++) {
      Draw draw = new Draw(seed);
      Files.writeString(folder.resolve("file"), draw.propertyFile(), UTF_8);
      check(seed, draw.scenario("{ycsb: file}"));
    }
    assertThat(accepted).isGreaterThan(ROUNDS / 4);
  }

  @Test
  void randomWorkloads() throws Exception {
    for (int seed = 1; seed <= ROUNDS; seed++) {
      Draw draw = new Draw(seed);
      check(seed, draw.scenario(draw.workload()));
    }
    assertThat(accepted).isGreaterThan(ROUNDS / 4);
  }

  private void check(int seed, String text) throws Exception {
    Path file = folder.resolve("x.yaml");
    Files.writeString(file, text, UTF_8);
    Scenario scenario;
    try {
      scenario = reader.read(file, List.of(), List.of());
    } catch (InvalidInputException e) {
      return; // a problem is a valid answer to random input
    }
    accepted++;
    String resolved = new ScenarioWriter().write(scenario);
    String what = "seed %d: %s%s".formatted(seed, text, resolved);
    Files.writeString(file, resolved, UTF_8);
    Scenario again;
    try {
      again = reader.read(file, List.of(), List.of());
    } catch (InvalidInputException e) {
      throw new AssertionError(what, e);
    }
    assertThat(again)
        .as(what)
        .usingRecursiveComparison()
        .ignoringFields("file")
        .isEqualTo(scenario);
    assertThat(Planner.plan(again).runs()).as(what).isEqualTo(Planner.plan(scenario).runs());
  }

  /** Random input of one seed; about half of it is valid. */
  private static final class Draw {

    private final Random random;

    Draw(long seed) {
      random = new Random(seed);
    }

    private String one(String... of) {
      return of[random.nextInt(of.length)];
    }

    private boolean rarely() {
      return random.nextInt(6) == 0;
    }

    String scenario(String workload) {
      StringBuilder text =
          new StringBuilder("question: q?\nengines: [redis, rocksdb]\nfsync: off\n");
      add(text, "records: ", "1", "1000", "123456");
      add(text, "key-bytes: ", "9", "24", "40");
      add(text, "value-bytes: ", "1", "4Ki");
      add(text, "prefix-records: ", "1", "10");
      add(text, "verify: ", "values", "none", "crash");
      add(text, "measure: ", "{duration: 5s}", "{operations: 10}", "{warmup: 0s}");
      add(text, "factors: ", "{threads: [1, 2]}", "{value-bytes: [20, 30]}");
      text.append("phases: [{workload: ").append(workload).append(", as: p");
      add(text, ", threads: ", "1", "3");
      add(text, ", rate: ", "1000.5", "max");
      return text.append("}]\n").toString();
    }

    private void add(StringBuilder text, String key, String... of) {
      if (rarely()) {
        text.append(key).append(one(of)).append(key.startsWith(",") ? "" : "\n");
      }
    }

    String propertyFile() {
      StringBuilder text = new StringBuilder();
      text.append(
          one(
              "",
              "readproportion=0.9996\nupdateproportion=0.0004\n",
              "readproportion=0.3\nupdateproportion=0.2\ninsertproportion=0.1\nscanproportion=0.4\n",
              "readproportion=0\nupdateproportion=0\nreadmodifywriteproportion=1\n",
              "readproportion=0.5\nupdateproportion=0.2\ndeleteproportion=0.3\n",
              "readproportion=0.123456789\nupdateproportion=0.876543211\n",
              "readproportion=0.5\n"));
      property(
          text,
          "requestdistribution",
          "uniform",
          "zipfian",
          "latest",
          "hotspot",
          "hotspot",
          "exponential",
          "exponential",
          "sequential");
      property(text, "hotspotdatafraction", "0", "0.1", "1", "0.999");
      property(text, "hotspotopnfraction", "0", "1", "0.25");
      property(text, "exponential.percentile", "0.1", "50", "99.9", "100");
      property(text, "exponential.frac", "0.001", "1", "2");
      property(text, "fieldcount", "1", "3", "10");
      property(text, "fieldlength", "1", "20", "200000");
      property(text, "fieldlengthdistribution", "constant", "uniform", "zipfian");
      property(text, "minfieldlength", "1", "20");
      property(text, "insertorder", "hashed", "ordered");
      property(text, "zeropadding", "1", "8", "12", "30");
      property(text, "minscanlength", "1", "7");
      property(text, "maxscanlength", "7", "100");
      property(text, "scanlengthdistribution", "uniform", "zipfian");
      property(text, "recordcount", "0", "100", "50000");
      property(text, "operationcount", "0", "100");
      property(text, "maxexecutiontime", "0", "20");
      property(text, "threadcount", "1", "7");
      property(text, "target", "0", "1000");
      property(text, "dataintegrity", "true", "false");
      property(text, "redis.host", "a");
      property(text, "workload", "core", "site.ycsb.workloads.ConstantOccupancyWorkload");
      return text.toString();
    }

    private void property(StringBuilder text, String name, String... of) {
      if (random.nextInt(4) == 0) {
        text.append(name).append('=').append(one(of)).append('\n');
      }
    }

    String workload() {
      StringBuilder text = new StringBuilder("{description: d, ");
      text.append(
          one(
              "operations: {read: 1}",
              "operations: {read: 999999999, update: 1}",
              "operations: {range-scan: 3, insert: 1}",
              "operations: {delete: 1, read: 2}",
              "operations: {prefix-scan: 1}",
              "operations: {read-modify-write: 1}",
              "transaction: [{prefix-scan: cart}, {read: 3}, {update: cart}]",
              "transaction: [{range-scan: 2}, {delete: 2}, {insert: 1}, {read: 1}]"));
      text.append(", keys: {distribution: ");
      text.append(
          one("uniform", "zipfian", "latest", "hotspot", "exponential", "sequential", "random"));
      add(text, ", exponent: ", "0.5", "1");
      add(text, ", hot-keys: ", "0.5", "0.001", "1");
      add(text, ", hot-operations: ", "0", "0.5", "1");
      add(text, ", bytes: ", "7", "23", "19");
      add(text, ", prefix-records: ", "1", "7");
      add(text, ", order: ", "ordered", "hashed");
      text.append('}');
      add(
          text,
          ", values: ",
          "{bytes: 5}",
          "{bytes: {min: 5, max: 9}}",
          "{bytes: {fields: 3, min: 5, max: 5}}",
          "{bytes: {fields: 3, min: 50, max: 90, distribution: zipfian}}",
          "{bytes: {fields: 2, histogram: [{bytes: 9, weight: 1}, {bytes: 99, weight: 7}]}}",
          "{bytes: {histogram: [{bytes: 9, weight: 1}]}}",
          "{bytes: {by-popularity: [{keys: 1, bytes: {fields: 2, min: 1, max: 5}}]}}",
          "{kind: json, bytes: {fields: 2, min: 100, max: 150}}",
          "{compressibility: 0.3}");
      add(text, ", scan: ", "{records: 4}", "{records: {min: 2, max: 4, distribution: zipfian}}");
      add(text, ", drain: ", "true", "false");
      add(text, ", misses: ", "fill", "none");
      add(text, ", ttl: ", "{share: 0.5, seconds: 10}");
      add(text, ", notes: ", "[a, 'b: c']");
      return text.append('}').toString();
    }
  }
}

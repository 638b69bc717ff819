package kvrank.metric;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MetricsTest {

  private static final Path HOME =
      Path.of(requireNonNull(System.getProperty("kvrank.home"), "kvrank.home is not set"));

  /** {@code docs/reference/metrics.md}; {@code -Dkvrank.rewrite=true} writes it again. */
  @Test
  void cpuIsShortForItsMostUsefulMetric() {
    assertThat(Metrics.find("cpu")).isEqualTo(Metrics.find("cpu-per-record")).isPresent();
  }

  @Test
  void thePageHasEveryMetric() throws IOException {
    Path page = HOME.resolve("docs/reference/metrics.md");
    if (Boolean.getBoolean("kvrank.rewrite")) {
      Files.writeString(page, page(), StandardCharsets.UTF_8);
    }
    assertThat(page())
        .as("rewrite it with -Dkvrank.rewrite=true")
        .isEqualTo(Files.readString(page, StandardCharsets.UTF_8));
  }

  private static String page() {
    return """
        # Metrics

        <!-- MetricsTest writes this page. -->
        [Rankings](results.md#rankings), [expectations](yaml.md#expectations), [tables](yaml.md#table), \
        [searches for option values](yaml.md#tuning) and result files use these metrics. Latencies also \
        have short names, such as `p99` for `latency-p99`. *of* tells what a metric describes: a phase, \
        one of its operations, the load, or a whole run. [method.md](../explanation/method.md#resources) \
        explains how resources are measured.

        | metric | unit | better | of | meaning |
        |---|---|---|---|---|
        """
        + Metrics.ALL.stream()
            .map(
                metric ->
                    "| `%s` | %s | %s | %s | %s |\n"
                        .formatted(
                            metric.id(),
                            metric.unit().symbol(),
                            metric.direction().name().toLowerCase(Locale.ROOT),
                            metric.scope().label(),
                            metric.meaning()))
            .collect(Collectors.joining());
  }

  @Test
  void theSchemaKnowsEveryLatency() throws IOException {
    String schema =
        Files.readString(HOME.resolve("docs/schema/scenario.schema.json"), StandardCharsets.UTF_8);
    assertThat(schema)
        .contains(
            Metrics.latencies().stream()
                .map(Metric::shortName)
                .collect(Collectors.joining("|", "(", ")")));
  }

  @Test
  void aMetricIsFoundByEachOfItsNames() {
    assertThat(Metrics.named("latency-p999").id()).isEqualTo("latency-p999");
    assertThat(Metrics.named("p999").id()).isEqualTo("latency-p999");
    assertThat(Metrics.named("p99.9").id()).isEqualTo("latency-p999");
    assertThat(Metrics.named("load-time")).isSameAs(Metrics.LOAD_TIME);
    assertThat(Metrics.find("p98")).isEmpty();
    assertThatThrownBy(() -> Metrics.named("p98")).hasMessage("unknown metric 'p98'");
  }

  @Test
  void namesAreUnique() {
    assertThat(Metrics.ALL).extracting(Metric::id).doesNotHaveDuplicates();
    assertThat(Metrics.ALL).extracting(Metric::shortName).doesNotHaveDuplicates();
  }

  @Test
  void everyUnitReadsItsOwnExample() {
    for (Unit unit : Unit.values()) {
      String example = unit.example().split(" or ", -1)[0];
      assertThat(unit.factor(example.replaceAll("^[0-9.]+", ""))).as(example).isPresent();
    }
  }

  @Test
  void whatIsNotKnownHasNoValue() {
    Measured nothing = new Measured() {};
    for (Metric metric : Metrics.ALL) {
      assertThat(metric.value(nothing)).as(metric.id()).isEmpty();
    }
  }
}

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

  /** {@code -Dkvrank.rewrite=true} writes the table anew. */
  @Test
  void theDocumentationHasEveryMetric() throws IOException {
    Path file = HOME.resolve("docs/results.md");
    String text = Files.readString(file, StandardCharsets.UTF_8);
    String table = table();
    if (Boolean.getBoolean("kvrank.rewrite")) {
      String begin = "| metric | unit |";
      String marker = "<!-- metrics: MetricsTest writes this table -->\n";
      int from = text.indexOf(marker) + marker.length();
      int to = text.startsWith(begin, from) ? text.indexOf("\n\n", from) : from;
      text = text.substring(0, from) + table + text.substring(to);
      Files.writeString(file, text, StandardCharsets.UTF_8);
    }
    assertThat(text).contains(table + "\n\n");
  }

  private static String table() {
    return Metrics.ALL.stream()
        .map(
            metric ->
                "| `%s` | %s | %s | %s | %s |"
                    .formatted(
                        metric.id(),
                        metric.unit().symbol(),
                        metric.direction().name().toLowerCase(Locale.ROOT),
                        metric.scope().label(),
                        metric.meaning()))
        .collect(
            Collectors.joining(
                "\n", "| metric | unit | better | of | meaning |\n|---|---|---|---|---|\n", ""));
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

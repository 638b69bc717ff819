package kvrank.report;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import kvrank.failure.Cause;
import kvrank.metric.Expectation;
import kvrank.metric.Latency;
import kvrank.metric.Usage;
import kvrank.plan.RunKey;
import kvrank.report.write.Reports;
import kvrank.results.CrashTrialResult;
import kvrank.results.Durability;
import kvrank.results.Manifest;
import kvrank.results.OperationRecord;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.RatePoint;
import kvrank.results.Resources;
import kvrank.results.RunRecord;
import kvrank.results.Tuned;
import kvrank.scenario.Setting;
import kvrank.stats.QualityFlag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code docs/reference/results.md} names everything that files of results contain. */
class ResultsPageTest {

  private static final Path HOME =
      Path.of(requireNonNull(System.getProperty("kvrank.home"), "kvrank.home is not set"));

  /** What becomes fields of {@code plan.json}, {@code record.json} and {@code tunings.json}. */
  private static final List<Class<? extends Record>> RECORDS =
      List.of(
          Manifest.class,
          Manifest.Adaptive.class,
          Expectation.class,
          RunRecord.class,
          RunKey.class,
          PhaseRecord.class,
          OperationRecord.class,
          Latency.class,
          Resources.class,
          Resources.Traffic.class,
          Usage.class,
          Durability.class,
          RatePoint.class,
          CrashTrialResult.class,
          CrashTrialResult.Crash.class,
          CrashTrialResult.LostWrites.class,
          Tuned.class,
          Tuned.Trial.class);

  @Test
  void namesEveryFieldStatusAndLabel() throws Exception {
    Set<String> names = new TreeSet<>();
    RECORDS.stream()
        .flatMap(type -> Arrays.stream(type.getRecordComponents()))
        .forEach(field -> names.add(field.getName()));
    names.remove("key"); // which has the record's fields
    for (JsonSubTypes.Type status : Outcome.class.getAnnotation(JsonSubTypes.class).value()) {
      names.add(status.name());
    }
    for (QualityFlag.Kind kind : QualityFlag.Kind.values()) {
      names.add(kind.label());
    }
    for (Durability.Verdict verdict : Durability.Verdict.values()) {
      names.add(verdict.label());
    }
    Reports reports = Reports.of(Examples.quick());
    for (String file : List.of("rankings.json", "summary.json")) {
      collect(new JsonMapper().readTree(GoldenFilesTest.file(reports, file)), names);
    }
    String header = GoldenFilesTest.file(reports, "rankings.csv").lines().findFirst().orElseThrow();
    Stream.of(header.split(",", -1))
        .filter(column -> Setting.of(column).isEmpty())
        .forEach(names::add);
    String page = Files.readString(HOME.resolve("docs/reference/results.md"));
    assertThat(names).allSatisfy(name -> assertThat(page).contains("`" + name + "`"));
  }

  @Test
  void saysOfEveryCauseWhetherTheRunIsRepeated() throws Exception {
    String page = Files.readString(HOME.resolve("docs/reference/results.md"));
    String table = page.split("\\| `cause` .*\n.*\n", 2)[1].split("\n\n", 2)[0];
    assertThat(table.lines().map(row -> row.replaceAll("\\| `(.*?)` .* \\| (.*) \\|", "$1 $2")))
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(Cause.values())
                .map(cause -> cause + (cause.worthAnotherTry() ? " repeats it" : " keeps the run"))
                .toList());
  }

  private static void collect(JsonNode node, Set<String> names) {
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      names.add(field.getKey());
      if (!field.getKey().equals("factors")) {
        collect(field.getValue(), names);
      }
    }
    if (node.isArray()) {
      node.forEach(item -> collect(item, names));
    }
  }
}

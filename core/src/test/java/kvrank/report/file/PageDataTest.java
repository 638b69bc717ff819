package kvrank.report.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import kvrank.metric.Metrics;
import kvrank.report.Examples;
import kvrank.report.ExpectationExamples;
import kvrank.report.MadeUpEvidence;
import kvrank.results.Evidence;
import kvrank.results.ExecutionResults;
import kvrank.stats.Group;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;
import kvrank.stats.Requirements;
import kvrank.stats.Runs;
import kvrank.stats.infer.PairVerdict;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class PageDataTest {

  private static final Evidence EVIDENCE = new MadeUpEvidence("name: example\n");

  /** The script computes ratios from values, and intervals from the reach of each pair. */
  @Test
  void ratiosAndIntervalsAreThoseOfTheVerdicts() {
    RankingIndex index = RankingIndex.of(Examples.ssdNofsync());
    JsonNode data = data(index);
    int intervals = 0;
    for (JsonNode group : data.get("groups")) {
      for (JsonNode found : group.get("rankings")) {
        Ranking ranking = ranking(index, data, group, found);
        List<JsonNode> rows = new ArrayList<>();
        found.get("rows").forEach(rows::add);
        int next = 0;
        for (int i = 0; i < rows.size(); i++) {
          for (int j = i + 1; j < rows.size(); j++) {
            PairVerdict verdict =
                ranking.verdict(engine(data, rows.get(i)), engine(data, rows.get(j)));
            double ratio = rows.get(i).get(1).asDouble() / rows.get(j).get(1).asDouble();
            assertThat(ratio / verdict.ratio().value()).isCloseTo(1, within(1e-6));
            double reach = found.get("pairs").get(next++).asDouble();
            assertThat(reach < 0).isEqualTo(verdict.separated());
            if (reach != 0) {
              intervals++;
              double low = ratio / Math.abs(reach);
              double high = ratio * Math.abs(reach);
              assertThat(low / verdict.ratio().low()).isCloseTo(1, within(1e-3));
              assertThat(high / verdict.ratio().high()).isCloseTo(1, within(1e-3));
            }
          }
        }
        assertThat(found.get("pairs")).hasSize(next);
      }
    }
    assertThat(intervals).isPositive();
  }

  @Test
  void eachGroupBeginsWithTheRankingThatDecides() {
    RankingIndex index = RankingIndex.of(Examples.ssdNofsync());
    JsonNode data = data(index);
    List<Group> groups =
        index.phaseGroups().stream()
            .filter(group -> !index.throughput(group).standings().isEmpty())
            .toList();
    assertThat(data.get("groups")).hasSameSizeAs(groups);
    for (int i = 0; i < groups.size(); i++) {
      JsonNode group = data.get("groups").get(i);
      Ranking first = ranking(index, data, group, group.get("rankings").get(0));
      assertThat(first).isEqualTo(index.decisive(groups.get(i)));
    }
  }

  @Test
  void enginesThatMissARequirementAreNamed() {
    RankingIndex index = RankingIndex.of(ExpectationExamples.judged());
    JsonNode verdicts = data(index).get("requirements");
    List<Requirements.Row> rows = Requirements.of(index).rows();
    assertThat(verdicts).hasSameSizeAs(rows);
    for (Requirements.Row row : rows) {
      JsonNode verdict = verdicts.get(Integer.toString(index.engines().indexOf(row.engine())));
      assertThat(verdict.get("fails").asBoolean()).isEqualTo(row.kind() == Requirements.Kind.FAILS);
      assertThat(verdict.get("failed"))
          .hasSameSizeAs(row.kind() == Requirements.Kind.FAILS ? row.broken() : row.open());
    }
    assertThat(data(RankingIndex.of(Examples.quick())).has("requirements")).isFalse();
  }

  /** Made-up runs have 3 s of warm-up and 10 s that count, and 0.8 busy cores. */
  @Test
  void seriesOfARunShareATimeAxis() {
    RankingIndex index = RankingIndex.of(Examples.quick());
    JsonNode data = data(index);
    assertThat(data.get("series")).isNotEmpty();
    for (JsonNode series : data.get("series")) {
      Map<String, JsonNode> strips = new TreeMap<>();
      for (JsonNode strip : series.get("strips")) {
        strips.put(data.get("strips").get(strip.get(0).asInt()).get("title").asString(), strip);
      }
      assertThat(strips)
          .containsOnlyKeys(
              "throughput",
              "read p99",
              "busy cores of the server",
              "memory of the server",
              "memtable-bytes",
              "evicted_keys",
              "storage-written-bytes, per second");
      assertThat(strips.get("evicted_keys").get(3).asDouble()).isEqualTo(5);
      JsonNode written = strips.get("storage-written-bytes, per second");
      assertThat(written.get(3).asDouble()).isEqualTo(1e6);
      assertThat(data.get("strips").get(written.get(0).asInt()).get("unit").asString())
          .isEqualTo("BYTES");
      assertThat(strips.get("memtable-bytes").get(3).asDouble()).isEqualTo(12_000);
      assertThat(strips.values()).allSatisfy(s -> assertThat(s.get(1).asInt()).isEqualTo(-3000));
      JsonNode throughput = strips.get("throughput");
      assertThat(throughput).hasSize(4 + 13);
      assertThat(throughput.get(2).asInt()).isEqualTo(1000);
      JsonNode cpu = strips.get("busy cores of the server");
      assertThat(cpu.get(2).asInt()).isEqualTo(250);
      assertThat(cpu.get(3).asDouble()).isCloseTo(0.8, within(1e-9));
      assertThat(cpu).hasSize(4 + 52);
    }
  }

  @Test
  void aReportWithoutARankingHasNoData() {
    ExecutionResults none = Runs.results(Runs.manifest("a").phases("load").build(), List.of());
    assertThat(PageData.of(RankingIndex.of(none), EVIDENCE)).isEmpty();
  }

  private static JsonNode data(RankingIndex index) {
    String json = PageData.of(index, EVIDENCE).orElseThrow();
    assertThat(json).doesNotContain("<", "&", "\n");
    return new JsonMapper().readTree(json);
  }

  private static String engine(JsonNode data, JsonNode row) {
    return data.get("engines").get(row.get(0).asInt()).get("name").asString();
  }

  private static Ranking ranking(
      RankingIndex index, JsonNode data, JsonNode group, JsonNode ranking) {
    Group phaseGroup =
        index.phaseGroups().stream()
            .filter(each -> each.phase().equals(group.get("phase").asString()))
            .filter(each -> each.point().equals(group.get("point").asString()))
            .findFirst()
            .orElseThrow();
    String metric = data.get("metrics").get(ranking.get("metric").asInt()).get("id").asString();
    return index
        .ranking(
            Optional.ofNullable(ranking.get("operation"))
                .map(JsonNode::asString)
                .map(phaseGroup::forOperation)
                .orElse(phaseGroup),
            Metrics.named(metric))
        .orElseThrow();
  }
}

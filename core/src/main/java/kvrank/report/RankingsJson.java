package kvrank.report;

import java.util.List;
import java.util.Locale;
import kvrank.results.Results;
import kvrank.stats.AcrossWorkloads;
import kvrank.stats.DurabilitySummary;
import kvrank.stats.Excluded;
import kvrank.stats.Friedman;
import kvrank.stats.Group;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;
import kvrank.stats.Ratio;
import kvrank.stats.Standing;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** {@code rankings.json}: every ranking and the comparison across workloads. */
final class RankingsJson {

  /** The version of this format, {@code major.minor}. */
  static final String SCHEMA = "1.2";

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private RankingsJson() {}

  static String of(RankingIndex board) {
    ObjectNode root = NODES.objectNode();
    root.put("schema", SCHEMA);
    root.put("scenario", board.results().manifest().scenario());
    root.put("question", board.results().manifest().question());
    ArrayNode executions = root.putArray("executions");
    board.results().executions().stream().map(Results::name).forEach(executions::add);
    strings(root.putArray("differences"), board.differences());
    strings(root.putArray("unreadable"), board.results().unreadable());
    ArrayNode rankings = root.putArray("rankings");
    board.rankings().forEach(ranking -> rankings.add(ranking(board, ranking)));
    ArrayNode across = root.putArray("acrossWorkloads");
    AcrossWorkloads.of(board.rankings()).forEach(each -> across.add(across(each)));
    return JsonMapper.builder().build().writerWithDefaultPrettyPrinter().writeValueAsString(root)
        + "\n";
  }

  private static void strings(ArrayNode array, List<String> strings) {
    strings.forEach(array::add);
  }

  private static ObjectNode ranking(RankingIndex board, Ranking ranking) {
    ObjectNode node = NODES.objectNode();
    Group group = ranking.group();
    node.put("phase", group.ofRun() ? null : group.phase());
    node.put("workload", group.ofRun() ? null : group.workload());
    node.put("operation", ranking.group().operation().orElse(null));
    ObjectNode factors = node.putObject("factors");
    ranking.group().factors().forEach(factors::put);
    node.put("metric", ranking.metric().id());
    node.put("unit", ranking.metric().unit().symbol());
    node.put("better", ranking.metric().direction().name().toLowerCase(Locale.ROOT));
    ArrayNode standings = node.putArray("standings");
    for (Standing standing : ranking.standings()) {
      ObjectNode entry = standing(standing);
      entry.set(
          "durability",
          board
              .durability(ranking.group(), standing.engine())
              .map(RankingsJson::durability)
              .orElse(null));
      standings.add(entry);
    }
    ArrayNode excluded = node.putArray("excluded");
    ranking.excluded().forEach(each -> excluded.add(excluded(each)));
    return node;
  }

  private static ObjectNode standing(Standing standing) {
    ObjectNode node = NODES.objectNode();
    node.put("rank", standing.rank());
    node.put("engine", standing.engine());
    node.put("tied", standing.tied());
    ArrayNode values = node.putArray("values");
    standing.estimate().values().forEach(value -> values.add(finite(value)));
    node.put("value", finite(standing.estimate().value()));
    node.put("low", finite(standing.estimate().low()));
    node.put("high", finite(standing.estimate().high()));
    Ratio ratio = standing.ratio();
    ObjectNode toBest = node.putObject("ratioToBest");
    toBest.put("value", finite(ratio.value()));
    toBest.put("low", finite(ratio.low()));
    toBest.put("high", finite(ratio.high()));
    toBest.put("confidence", finite(ratio.confidence()));
    return node;
  }

  private static ObjectNode durability(DurabilitySummary proof) {
    ObjectNode node = NODES.objectNode();
    node.put("verdict", proof.verdict().label());
    node.put("repetitions", proof.count());
    node.put("of", proof.of());
    node.put("flushesPerWrite", finite(proof.flushesPerWrite().orElse(Double.NaN)));
    strings(node.putArray("reasons"), proof.reasons());
    return node;
  }

  private static ObjectNode excluded(Excluded excluded) {
    ObjectNode node = NODES.objectNode();
    node.put("engine", excluded.engine());
    node.put("outcome", excluded.absence().label());
    node.put("reason", excluded.reason());
    node.put("repetitions", excluded.repetitions());
    node.put("planned", excluded.planned());
    return node;
  }

  private static ObjectNode across(AcrossWorkloads across) {
    ObjectNode node = NODES.objectNode();
    ObjectNode place = node.putObject("place");
    across.place().forEach(place::put);
    strings(node.putArray("workloads"), across.workloads());
    ArrayNode engines = node.putArray("engines");
    for (AcrossWorkloads.Row row : across.rows()) {
      ObjectNode engine = engines.addObject();
      engine.put("engine", row.engine());
      engine.put("geometricMeanOfRatios", finite(row.ratio()));
      engine.put("meanRank", finite(row.meanRank()));
      engine.put("best", row.best());
    }
    node.set("friedman", across.friedman().map(RankingsJson::friedman).orElse(null));
    node.put("workloadsNeeded", across.workloadsNeeded());
    ArrayNode pairs = node.putArray("pairs");
    for (AcrossWorkloads.Pair each : across.pairs()) {
      ObjectNode pair = pairs.addObject();
      pair.put("first", each.first());
      pair.put("second", each.second());
      pair.put("wins", each.wins());
      pair.put("rankSumPlus", each.test().plus());
      pair.put("rankSumMinus", each.test().minus());
      pair.put("p", each.test().p());
      pair.put("pHolm", each.p());
      pair.put("separated", across.separated(each));
    }
    strings(node.putArray("leftOut"), across.leftOut());
    return node;
  }

  private static ObjectNode friedman(Friedman test) {
    ObjectNode node = NODES.objectNode();
    node.put("chiSquared", finite(test.chiSquared()));
    node.put("f", finite(test.f()));
    node.put("p", finite(test.p()));
    node.put("exact", test.exact());
    return node;
  }

  /** JSON has no other numbers. */
  private static Double finite(double value) {
    return Double.isFinite(value) ? Double.valueOf(value) : null;
  }
}

package kvrank.report.file;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import kvrank.metric.Preference;
import kvrank.report.block.Columns;
import kvrank.report.block.Table;
import kvrank.report.ranking.FactorRatios;
import kvrank.report.ranking.Notes;
import kvrank.results.ExecutionResults;
import kvrank.results.Json;
import kvrank.stats.AcrossWorkloads;
import kvrank.stats.DurabilitySummary;
import kvrank.stats.ExpectationResult;
import kvrank.stats.Group;
import kvrank.stats.QualityFlag;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;
import kvrank.stats.Requirements;
import kvrank.stats.Standing;
import kvrank.stats.infer.Estimate;
import kvrank.stats.infer.PairVerdict;
import kvrank.stats.infer.RankRange;
import kvrank.stats.infer.Ratio;
import kvrank.table.Dimensions;

/** All rankings for programs: as {@code rankings.json}, and as the rows of {@code rankings.csv}. */
public final class RankingFiles {

  public static final String ALL = "all";

  private static final String SCHEMA = "2.2";

  private final RankingIndex index;

  public RankingFiles(RankingIndex index) {
    this.index = index;
  }

  /**
   * Returns every ranking, the comparison across workloads, the sentences of the {@code answer},
   * and the requirements with their {@code verdict}, if there are any.
   */
  public byte[] json(List<String> answer, String verdict) {
    ExecutionResults results = index.results();
    return Json.bytes(
        new Fields()
            .add("schema", SCHEMA)
            .add("scenario", results.manifest().scenario())
            .add("question", results.manifest().question())
            .add("executions", results.executions().stream().map(ExecutionResults::name).toList())
            .add("differences", index.differences())
            .add("unreadable", results.unreadable())
            .add("answer", answer)
            .add("requirements", requirements(verdict))
            .add("factorRatios", factorRatios())
            .add("rankings", index.rankings().stream().map(this::fields).toList())
            .add("acrossWorkloads", index.across().stream().map(RankingFiles::fields).toList()));
  }

  private Optional<Fields> requirements(String verdict) {
    Requirements all = Requirements.of(index);
    return all.rows().isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Fields()
                .add("verdict", verdict)
                .add("texts", all.texts())
                .add("prefer", all.prefer().map(Preference::text))
                .add("engines", all.rows().stream().map(RankingFiles::fields).toList()));
  }

  private static Fields fields(Requirements.Row row) {
    return new Fields()
        .add("engine", row.engine())
        .add("verdict", row.kind().label())
        .add("preferred", row.value().map(Estimate::value))
        .add("preferredLow", row.value().map(Estimate::low))
        .add("preferredHigh", row.value().map(Estimate::high))
        .add("durabilityDoubted", row.doubted())
        .add(
            "results",
            row.worst().entrySet().stream()
                .map(each -> fields(each.getKey(), each.getValue()))
                .toList());
  }

  private static Fields fields(String text, ExpectationResult result) {
    Group group = result.group();
    return new Fields()
        .add("requirement", text)
        .add("verdict", result.verdict().label())
        .add("certain", result.certain())
        .add("phase", group.ofWholeRuns() ? null : group.phase())
        .add("operation", group.operation())
        .add("factors", group.factors())
        .add("value", result.value())
        .add("low", result.low())
        .add("high", result.high())
        .add("reason", result.reason());
  }

  private List<Fields> factorRatios() {
    List<Fields> all = new ArrayList<>();
    new FactorRatios(index)
        .all()
        .forEach(
            (ends, engines) ->
                engines.forEach(
                    (engine, ratio) ->
                        all.add(
                            new Fields()
                                .add("phase", ends.from().phase())
                                .add("metric", index.decisive(ends.from()).metric().id())
                                .add("factor", ends.factor())
                                .add("from", ends.from().factors())
                                .add("to", ends.to().factors())
                                .add("engine", engine)
                                .add("ratio", fields(ratio)))));
    return all;
  }

  private Fields fields(Ranking ranking) {
    Group group = ranking.group();
    return new Fields()
        .add("phase", group.ofWholeRuns() ? null : group.phase())
        .add("workload", group.ofWholeRuns() ? null : group.workload())
        .add("operation", group.operation())
        .add("factors", group.factors())
        .add("metric", ranking.metric().id())
        .add("unit", ranking.metric().unit().symbol())
        .add("better", better(ranking))
        .add("standings", ranking.standings().stream().map(e -> fields(ranking, e)).toList())
        .add("excluded", ranking.excluded());
  }

  private Fields fields(Ranking ranking, Standing standing) {
    boolean counted = ranking.metric().counted();
    return new Fields()
        .add("rank", counted ? null : standing.ranks().best())
        .add("worstRank", counted ? null : standing.ranks().worst())
        .add("engine", standing.engine())
        .options(index.options(standing.engine()))
        .add("verdict", verdict(ranking, standing))
        .add("values", standing.estimate().values())
        .add("value", standing.estimate().value())
        .add("low", standing.estimate().low())
        .add("high", standing.estimate().high())
        .add("ratioToBest", fields(standing.ratio()))
        .add("durability", durability(ranking, standing.engine()))
        .add("labels", labels(ranking, standing.engine()));
  }

  private static Fields fields(AcrossWorkloads across) {
    return new Fields()
        .add("metric", across.metric().id())
        .add("place", across.place())
        .add("workloads", across.workloads())
        .add("engines", across.rows().stream().map(RankingFiles::fields).toList())
        .add("pairs", pairs(across))
        .add("leftOut", across.leftOut());
  }

  private static Fields fields(AcrossWorkloads.Row row) {
    return new Fields()
        .add("rank", row.ranks().best())
        .add("worstRank", row.ranks().worst())
        .add("engine", row.engine())
        .add("ratioToBest", fields(row.ratio()))
        .add("meanRank", row.meanRank())
        .add("best", row.best());
  }

  private static List<Fields> pairs(AcrossWorkloads across) {
    List<Fields> pairs = new ArrayList<>();
    for (int i = 0; i < across.rows().size(); i++) {
      for (int j = i + 1; j < across.rows().size(); j++) {
        String first = across.rows().get(i).engine();
        String second = across.rows().get(j).engine();
        PairVerdict verdict = across.comparisons().verdict(first, second);
        pairs.add(
            new Fields()
                .add("first", first)
                .add("second", second)
                .add("ratio", fields(verdict.ratio()))
                .add("p", verdict.p())
                .add("verdict", verdict.kind().name().toLowerCase(Locale.ROOT)));
      }
    }
    return pairs;
  }

  private static Fields fields(Ratio ratio) {
    return new Fields()
        .add("value", ratio.value())
        .add("low", ratio.low())
        .add("high", ratio.high())
        .add("confidence", ratio.confidence());
  }

  /** One engine in one ranking: it has a standing, or exclusions, or both. */
  private record Entry(Ranking ranking, String engine, Optional<Standing> standing) {

    double number(ToDoubleFunction<Standing> part) {
      return standing.map(part::applyAsDouble).orElse(Double.NaN);
    }

    /** NaN for counts, which are facts. */
    double rank(ToDoubleFunction<RankRange> part) {
      return ranking.metric().counted()
          ? Double.NaN
          : number(standing -> part.applyAsDouble(standing.ranks()));
    }

    String exclusions() {
      return ranking.excluded(engine).stream().map(Notes::cause).collect(Collectors.joining("; "));
    }
  }

  /** Returns a row for each comparison group, metric and engine: standings before exclusions. */
  public Table rows() {
    SortedSet<String> factors = new TreeSet<>();
    index.phaseGroups().forEach(phaseGroup -> factors.addAll(phaseGroup.factors().keySet()));
    List<Entry> entries = new ArrayList<>();
    for (Ranking ranking : index.rankings()) {
      for (String engine : ranking.engines()) {
        entries.add(new Entry(ranking, engine, ranking.standing(engine)));
      }
    }
    String scenario = index.results().manifest().scenario();
    Columns<Entry> columns = new Columns<>(entries);
    columns
        .left("scenario", entry -> scenario)
        .left(
            "phase",
            entry -> entry.ranking.group().ofWholeRuns() ? ALL : entry.ranking.group().phase())
        .left("workload", entry -> entry.ranking.group().workload())
        .left("operation", entry -> entry.ranking.group().operation().orElse(ALL));
    for (String factor : factors) {
      columns.left(factor, entry -> entry.ranking.group().factors().getOrDefault(factor, ""));
    }
    for (String option : index.options()) {
      columns.left(
          Dimensions.OPTIONS + option,
          entry -> index.options(entry.engine).getOrDefault(option, ""));
    }
    return columns
        .left("metric", entry -> entry.ranking.metric().id())
        .left("unit", entry -> entry.ranking.metric().unit().symbol())
        .left("better", entry -> better(entry.ranking))
        .left("engine", Entry::engine)
        .exact("rank", entry -> entry.rank(RankRange::best))
        .exact("worst_rank", entry -> entry.rank(RankRange::worst))
        .left("verdict", e -> e.standing.map(found -> verdict(e.ranking, found)).orElse(""))
        .exact("samples", e -> e.standing.map(found -> found.estimate().samples()).orElse(0L))
        .exact("value", entry -> entry.number(found -> found.estimate().value()))
        .exact("low", entry -> entry.number(found -> found.estimate().low()))
        .exact("high", entry -> entry.number(found -> found.estimate().high()))
        .exact("smallest", entry -> entry.number(found -> found.estimate().smallest()))
        .exact("largest", entry -> entry.number(found -> found.estimate().largest()))
        .exact("ratio_to_best", entry -> entry.number(found -> found.ratio().value()))
        .exact("ratio_low", entry -> entry.number(found -> found.ratio().low()))
        .exact("ratio_high", entry -> entry.number(found -> found.ratio().high()))
        .exact("ratio_confidence", entry -> entry.number(found -> found.ratio().confidence()))
        .exact(
            "flushes_per_write",
            entry ->
                durability(entry.ranking, entry.engine)
                    .flatMap(found -> found.flushesPerWrite().stream().boxed().findFirst())
                    .orElse(Double.NaN))
        .left(
            "durability",
            e -> durability(e.ranking, e.engine).map(DurabilitySummary::label).orElse(""))
        .left("labels", entry -> String.join("; ", labels(entry.ranking, entry.engine)))
        .left("excluded", Entry::exclusions)
        .table();
  }

  private static String better(Ranking ranking) {
    return ranking.metric().direction().name().toLowerCase(Locale.ROOT);
  }

  /** Returns the verdict on an engine against the best one. */
  private static String verdict(Ranking ranking, Standing standing) {
    return ranking.metric().counted()
        ? ""
        : ranking.separation(standing).name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private Optional<DurabilitySummary> durability(Ranking ranking, String engine) {
    return index.durability(ranking.group(), engine);
  }

  /** Returns the labels of quality flags; none for metrics of whole runs. */
  private List<String> labels(Ranking ranking, String engine) {
    return index.flags(ranking.group(), engine).stream().map(QualityFlag::label).toList();
  }
}

package kvrank.report;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import kvrank.stats.DurabilitySummary;
import kvrank.stats.Estimate;
import kvrank.stats.Excluded;
import kvrank.stats.QualityFlag;
import kvrank.stats.RankRange;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;
import kvrank.stats.Ratio;
import kvrank.stats.Standing;

/** All rankings as one long table for machines: a row per group, metric and engine. */
public final class RankingRows {

  static final String ALL = "all";

  private RankingRows() {}

  /** One engine in one ranking: it has a standing, or exclusions, or both. */
  private record Entry(
      Ranking ranking,
      String engine,
      Optional<Standing> standing,
      List<Excluded> excluded,
      Optional<DurabilitySummary> durability) {

    String exact(ToDoubleFunction<Estimate> part) {
      return standing
          .map(found -> RankingRows.exact(part.applyAsDouble(found.estimate())))
          .orElse("");
    }

    /** Empty for counts, which are facts. */
    String rank(ToIntFunction<RankRange> part) {
      return standing
          .filter(any -> !ranking.metric().counted())
          .map(found -> Integer.toString(part.applyAsInt(found.ranks())))
          .orElse("");
    }

    String ratio(ToDoubleFunction<Ratio> part) {
      return standing.map(found -> RankingRows.exact(part.applyAsDouble(found.ratio()))).orElse("");
    }
  }

  /** Returns a row for each comparison group, metric and engine. */
  public static Table of(RankingIndex index) {
    List<Entry> entries = new ArrayList<>();
    index.rankings().forEach(ranking -> entries.addAll(entries(index, ranking)));
    return Table.of(columns(index), entries, entry -> false);
  }

  /** The standings, then the engines that have none. */
  private static List<Entry> entries(RankingIndex index, Ranking ranking) {
    List<Entry> entries = new ArrayList<>();
    for (Standing standing : ranking.standings()) {
      entries.add(entry(index, ranking, standing.engine(), Optional.of(standing)));
    }
    ranking.excluded().stream()
        .map(Excluded::engine)
        .distinct()
        .filter(engine -> ranking.standing(engine).isEmpty())
        .forEach(engine -> entries.add(entry(index, ranking, engine, Optional.empty())));
    return entries;
  }

  private static Entry entry(
      RankingIndex index, Ranking ranking, String engine, Optional<Standing> standing) {
    List<Excluded> excluded =
        ranking.excluded().stream().filter(each -> each.engine().equals(engine)).toList();
    return new Entry(
        ranking, engine, standing, excluded, index.durability(ranking.group(), engine));
  }

  private static List<Column<Entry>> columns(RankingIndex index) {
    String scenario = index.results().manifest().scenario();
    List<Column<Entry>> columns = new ArrayList<>();
    columns.add(Column.left("scenario", entry -> scenario));
    columns.add(
        Column.left(
            "phase",
            entry -> entry.ranking().group().ofRun() ? ALL : entry.ranking().group().phase()));
    columns.add(Column.left("workload", entry -> entry.ranking().group().workload()));
    columns.add(Column.left("operation", entry -> entry.ranking().group().operation().orElse(ALL)));
    for (String factor : factors(index)) {
      columns.add(
          Column.left(factor, entry -> entry.ranking().group().factors().getOrDefault(factor, "")));
    }
    columns.add(Column.left("metric", entry -> entry.ranking().metric().id()));
    columns.add(Column.left("unit", entry -> entry.ranking().metric().unit().symbol()));
    columns.add(
        Column.left(
            "better",
            entry -> entry.ranking().metric().direction().name().toLowerCase(Locale.ROOT)));
    columns.add(Column.left("engine", Entry::engine));
    columns.add(Column.right("rank", entry -> entry.rank(RankRange::best)));
    columns.add(Column.right("worst_rank", entry -> entry.rank(RankRange::worst)));
    columns.add(
        Column.left(
            "verdict", entry -> entry.standing().map(s -> verdict(entry.ranking(), s)).orElse("")));
    columns.add(
        Column.right(
            "samples",
            entry -> entry.standing().map(s -> Long.toString(s.estimate().samples())).orElse("0")));
    columns.add(Column.right("value", entry -> entry.exact(Estimate::value)));
    columns.add(Column.right("low", entry -> entry.exact(Estimate::low)));
    columns.add(Column.right("high", entry -> entry.exact(Estimate::high)));
    columns.add(Column.right("smallest", entry -> entry.exact(Estimate::smallest)));
    columns.add(Column.right("largest", entry -> entry.exact(Estimate::largest)));
    columns.add(Column.right("ratio_to_best", entry -> entry.ratio(Ratio::value)));
    columns.add(Column.right("ratio_low", entry -> entry.ratio(Ratio::low)));
    columns.add(Column.right("ratio_high", entry -> entry.ratio(Ratio::high)));
    columns.add(Column.right("ratio_confidence", entry -> entry.ratio(Ratio::confidence)));
    columns.add(
        Column.right(
            "flushes_per_write",
            entry ->
                entry
                    .durability()
                    .map(found -> exact(found.flushesPerWrite().orElse(Double.NaN)))
                    .orElse("")));
    columns.add(
        Column.left(
            "durability", entry -> entry.durability().map(DurabilitySummary::label).orElse("")));
    columns.add(
        Column.left(
            "labels", entry -> String.join("; ", labels(index, entry.ranking(), entry.engine()))));
    columns.add(Column.left("excluded", RankingRows::exclusions));
    return columns;
  }

  private static SortedSet<String> factors(RankingIndex index) {
    SortedSet<String> factors = new TreeSet<>();
    index.wholes().forEach(whole -> factors.addAll(whole.factors().keySet()));
    return factors;
  }

  /** Returns what the data say of an engine and the best one, in a word or three. */
  static String verdict(Ranking ranking, Standing standing) {
    return ranking.metric().counted()
        ? ""
        : ranking.separation(standing).name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** Returns what makes a measurement mean less than it seems; none for metrics of whole runs. */
  static List<String> labels(RankingIndex index, Ranking ranking, String engine) {
    return index.flags(ranking.group(), engine).stream().map(QualityFlag::label).toList();
  }

  private static String exclusions(Entry entry) {
    return entry.excluded().stream().map(Exclusions::cause).collect(Collectors.joining("; "));
  }

  /** Full precision without an exponent; empty if there is no number. */
  static String exact(double value) {
    if (!Double.isFinite(value)) {
      return "";
    }
    BigDecimal decimal = BigDecimal.valueOf(value).stripTrailingZeros();
    return decimal.scale() < 0 ? decimal.setScale(0).toPlainString() : decimal.toPlainString();
  }
}

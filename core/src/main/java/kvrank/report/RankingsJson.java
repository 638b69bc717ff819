package kvrank.report;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.SortedMap;
import kvrank.results.Json;
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

/** {@code rankings.json}: every ranking and the comparison across workloads. */
public final class RankingsJson {

  /** The version of this format, {@code major.minor}. */
  static final String SCHEMA = "2.0";

  private RankingsJson() {}

  private record Rankings(
      String schema,
      String scenario,
      String question,
      List<String> executions,
      List<String> differences,
      List<String> unreadable,
      List<Entry> rankings,
      List<Across> acrossWorkloads) {}

  private record Entry(
      Optional<String> phase,
      Optional<String> workload,
      Optional<String> operation,
      SortedMap<String, String> factors,
      String metric,
      String unit,
      String better,
      List<Place> standings,
      List<Absent> excluded) {

    static Entry of(RankingIndex index, Ranking ranking) {
      Group group = ranking.group();
      return new Entry(
          Optional.of(group.phase()).filter(phase -> !group.ofRun()),
          Optional.of(group.workload()).filter(workload -> !group.ofRun()),
          group.operation(),
          group.factors(),
          ranking.metric().id(),
          ranking.metric().unit().symbol(),
          ranking.metric().direction().name().toLowerCase(Locale.ROOT),
          ranking.standings().stream().map(each -> Place.of(index, ranking, each)).toList(),
          ranking.excluded().stream().map(Absent::of).toList());
    }
  }

  private record Place(
      OptionalInt rank,
      OptionalInt worstRank,
      String engine,
      String verdict,
      List<OptionalDouble> values,
      OptionalDouble value,
      OptionalDouble low,
      OptionalDouble high,
      ToBest ratioToBest,
      Optional<Proof> durability,
      List<String> labels) {

    static Place of(RankingIndex index, Ranking ranking, Standing standing) {
      return new Place(
          ranking.metric().counted()
              ? OptionalInt.empty()
              : OptionalInt.of(standing.ranks().best()),
          ranking.metric().counted()
              ? OptionalInt.empty()
              : OptionalInt.of(standing.ranks().worst()),
          standing.engine(),
          RankingRows.verdict(ranking, standing),
          standing.estimate().values().stream().map(RankingsJson::finite).toList(),
          finite(standing.estimate().value()),
          finite(standing.estimate().low()),
          finite(standing.estimate().high()),
          ToBest.of(standing.ratio()),
          index.durability(ranking.group(), standing.engine()).map(Proof::of),
          RankingRows.labels(index, ranking, standing.engine()));
    }
  }

  private record ToBest(
      OptionalDouble value, OptionalDouble low, OptionalDouble high, OptionalDouble confidence) {
    static ToBest of(Ratio ratio) {
      return new ToBest(
          finite(ratio.value()),
          finite(ratio.low()),
          finite(ratio.high()),
          finite(ratio.confidence()));
    }
  }

  private record Proof(
      String verdict,
      int repetitions,
      int of,
      OptionalDouble flushesPerWrite,
      List<String> reasons) {
    static Proof of(DurabilitySummary found) {
      return new Proof(
          found.verdict().label(),
          found.count(),
          found.of(),
          found.flushesPerWrite(),
          found.reasons());
    }
  }

  private record Absent(
      String engine, String outcome, String reason, int repetitions, int planned) {
    static Absent of(Excluded excluded) {
      return new Absent(
          excluded.engine(),
          excluded.absence().label(),
          excluded.reason(),
          excluded.repetitions(),
          excluded.planned());
    }
  }

  private record Across(
      SortedMap<String, String> place,
      List<String> workloads,
      List<Mean> engines,
      Optional<Gate> friedman,
      int workloadsNeeded,
      List<Pair> pairs,
      List<String> leftOut) {
    static Across of(AcrossWorkloads across) {
      return new Across(
          across.place(),
          across.workloads(),
          across.rows().stream().map(Mean::of).toList(),
          across.friedman().map(Gate::of),
          across.workloadsNeeded(),
          across.pairs().stream().map(pair -> Pair.of(across, pair)).toList(),
          across.leftOut());
    }
  }

  private record Mean(
      String engine, OptionalDouble geometricMeanOfRatios, OptionalDouble meanRank, int best) {
    static Mean of(AcrossWorkloads.Row row) {
      return new Mean(row.engine(), finite(row.ratio()), finite(row.meanRank()), row.best());
    }
  }

  private record Gate(
      OptionalDouble chiSquared, OptionalDouble f, OptionalDouble p, boolean exact) {
    static Gate of(Friedman test) {
      return new Gate(finite(test.chiSquared()), finite(test.f()), finite(test.p()), test.exact());
    }
  }

  private record Pair(
      String first,
      String second,
      int wins,
      double rankSumPlus,
      double rankSumMinus,
      double p,
      double pHolm,
      boolean separated) {
    static Pair of(AcrossWorkloads across, AcrossWorkloads.Pair pair) {
      return new Pair(
          pair.first(),
          pair.second(),
          pair.wins(),
          pair.test().plus(),
          pair.test().minus(),
          pair.test().p(),
          pair.p(),
          across.separated(pair));
    }
  }

  /** Returns the file for {@code index}. */
  public static String of(RankingIndex index) {
    Results results = index.results();
    return Json.text(
        new Rankings(
            SCHEMA,
            results.manifest().scenario(),
            results.manifest().question(),
            results.executions().stream().map(Results::name).toList(),
            index.differences(),
            results.unreadable(),
            index.rankings().stream().map(ranking -> Entry.of(index, ranking)).toList(),
            index.across().stream().map(Across::of).toList()));
  }

  /** JSON has no other numbers. */
  private static OptionalDouble finite(double value) {
    return Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
  }
}

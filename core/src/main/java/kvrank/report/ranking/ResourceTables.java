package kvrank.report.ranking;

import java.util.ArrayList;
import java.util.List;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.metric.Prominence;
import kvrank.metric.Scope;
import kvrank.report.block.Columns;
import kvrank.report.block.Quantities;
import kvrank.report.block.Table;
import kvrank.stats.Absence;
import kvrank.stats.Group;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;
import kvrank.stats.Standing;

/** Tables of the resources that phases used, such as memory, CPU time and storage, by engine. */
public final class ResourceTables {

  private final RankingIndex index;

  public ResourceTables(RankingIndex index) {
    this.index = index;
  }

  /** Returns the resources that a phase used, a row per metric; none if unknown. */
  public List<Table> ofPhase(Group phaseGroup) {
    List<Ranking> rankings = new ArrayList<>();
    for (Metric metric : Metrics.ALL) {
      boolean resource = metric.scope() == Scope.PHASE || metric.scope() == Scope.LOAD;
      if (resource && metric.prominence() != Prominence.ON_REQUEST) {
        index.ranking(phaseGroup, metric).ifPresent(rankings::add);
      }
    }
    Columns<Ranking> columns =
        new Columns<>(rankings).left("resource", ranking -> ranking.metric().title());
    for (Standing standing : index.throughput(phaseGroup).standings()) {
      value(columns, standing.engine(), true);
    }
    return columns.ifAny("");
  }

  private static void value(Columns<Ranking> columns, String engine, boolean ranked) {
    columns.number(
        engine,
        ranking ->
            ranking
                .standing(engine)
                .map(
                    found ->
                        RankingText.value(ranking.metric(), found)
                            + (ranked
                                ? spread(found) + RankingText.inBrackets(ranking, found)
                                : ""))
                .orElse(
                    unmeasurable(ranking, engine)
                        ? Absence.NOT_MEASURABLE.label()
                        : Quantities.NONE),
        ranking -> RankingText.key(ranking.standing(engine)));
  }

  private static boolean unmeasurable(Ranking ranking, String engine) {
    return ranking.excluded(engine).stream()
        .anyMatch(each -> each.absence() == Absence.NOT_MEASURABLE);
  }

  private static String spread(Standing standing) {
    return standing.estimate().hasInterval() ? " " + RankingText.spread(standing.estimate()) : "";
  }

  /** Returns memory or storage at the end of each phase of one factor point; none if unknown. */
  public List<Table> byPhase(Metric metric, List<Group> phaseGroups) {
    List<Ranking> rankings =
        phaseGroups.stream()
            .flatMap(phaseGroup -> index.ranking(phaseGroup, metric).stream())
            .toList();
    Columns<Ranking> columns =
        new Columns<>(rankings).left("phase", ranking -> ranking.group().phase());
    index.engines().stream()
        .filter(engine -> rankings.stream().anyMatch(each -> each.standing(engine).isPresent()))
        .forEach(engine -> value(columns, engine, false));
    return columns.ifAny(
        Labels.capitalized(metric.title())
            + " at the end of each phase"
            + phaseGroups.get(0).pointSuffix());
  }
}

package kvrank.report.ranking;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import kvrank.report.block.Columns;
import kvrank.report.block.Quantities;
import kvrank.report.block.Table;
import kvrank.report.block.Table.Align;
import kvrank.report.block.Table.Cell;
import kvrank.report.block.Table.Style;
import kvrank.stats.Group;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;
import kvrank.stats.Standing;
import kvrank.stats.infer.Ratio;

/**
 * The tables across comparison groups: engines by phase or by factor point, and effects of factors.
 */
public final class OverviewTables {

  /** With more phases than this, and than engines, each phase is a row. */
  private static final int MOST_COLUMNS = 6;

  private final RankingIndex index;
  private final Notes notes;
  private Optional<FactorRatios> factors = Optional.empty();

  public OverviewTables(RankingIndex index, Notes notes) {
    this.index = index;
    this.notes = notes;
  }

  /** Returns the effects of factors, which are computed once. */
  public synchronized FactorRatios factors() {
    if (factors.isEmpty()) {
      factors = Optional.of(new FactorRatios(index));
    }
    return factors.get();
  }

  /**
   * Returns engines by phase: the ratio to the best, and the rank; or many phases by fewer engines.
   */
  public Table overview(List<Group> phaseGroups) {
    List<String> engines =
        index.engines().stream().filter(each -> belongs(each, phaseGroups)).toList();
    if (phaseGroups.size() > Math.max(MOST_COLUMNS, engines.size())) {
      Columns<Group> columns = new Columns<>(phaseGroups).left("phase", Group::phase);
      for (String engine : engines) {
        heat(
            columns,
            notes.marked(engine, phaseGroups.get(0)),
            index::decisive,
            any -> engine,
            true);
      }
      return columns.table().titled("Phase by engine" + phaseGroups.get(0).pointSuffix());
    }
    Columns<String> columns =
        new Columns<>(engines).left("engine", engine -> notes.marked(engine, phaseGroups.get(0)));
    for (Group phaseGroup : phaseGroups) {
      heat(
          columns,
          phaseGroup.phase(),
          engine -> index.decisive(phaseGroup),
          engine -> engine,
          true);
    }
    return columns.table().titled("Engine by phase" + phaseGroups.get(0).pointSuffix());
  }

  /** Returns whether an engine has a value at a point, or at none. */
  private boolean belongs(String engine, List<Group> point) {
    return point.stream().anyMatch(phaseGroup -> ranked(engine, phaseGroup))
        || index.phaseGroups().stream().noneMatch(phaseGroup -> ranked(engine, phaseGroup));
  }

  private boolean ranked(String engine, Group phaseGroup) {
    return index.throughput(phaseGroup).standing(engine).isPresent();
  }

  /** Returns factor points of a phase by engine: the deciding value and the rank. */
  public Table byPoint(List<Group> phaseGroups) {
    Columns<Group> columns = new Columns<>(phaseGroups).left("at", Group::point);
    if (titles(phaseGroups).size() > 1) {
      columns.left("by", group -> RankingText.title(index, index.decisive(group)));
    }
    for (String engine : index.engines()) {
      heat(columns, engine, index::decisive, any -> engine, false);
    }
    return columns.table().compact().titled(byPointTitle(phaseGroups));
  }

  /** Returns the same as {@link #byPoint} with a row for each engine of {@code order}. */
  public Table byEngine(List<Group> phaseGroups, List<String> order) {
    Columns<String> columns = new Columns<>(order).left("engine", engine -> engine);
    boolean level = phaseGroups.stream().map(Group::fsync).distinct().count() == 1;
    boolean several = titles(phaseGroups).size() > 1;
    for (Group each : phaseGroups) {
      heat(
          columns,
          (level ? each.pointAtLevel() : each.point())
              + (several ? ", " + RankingText.title(index, index.decisive(each)) : ""),
          any -> index.decisive(each),
          engine -> engine,
          false);
    }
    return columns.table().titled(byPointTitle(phaseGroups));
  }

  /** Returns {@code table}, whose rows are engines, with a column for the effect of a factor. */
  public Table effect(Table table, FactorRatios.Ends ends, List<String> order) {
    return table.and(
        new Table.Heading(ends.label(), Align.RIGHT, false),
        order.stream().map(engine -> cell(factors().of(ends, engine))).toList());
  }

  /** Returns the effect of each factor on the engines of a phase, a row for each other point. */
  public List<Table> effects(List<Group> phaseGroups) {
    Map<String, List<FactorRatios.Ends>> together =
        factors().among(phaseGroups).stream()
            .collect(groupingBy(FactorRatios.Ends::label, LinkedHashMap::new, toList()));
    List<Table> effects = new ArrayList<>();
    together.forEach(
        (label, ends) -> {
          Columns<FactorRatios.Ends> columns =
              new Columns<>(ends).left(label + " at", FactorRatios.Ends::others);
          for (String engine : index.engines()) {
            columns.add(engine, Align.RIGHT, each -> cell(factors().of(each, engine)));
          }
          effects.add(
              columns.table().compact().titled(label + " in " + phaseGroups.get(0).phase()));
        });
    return effects;
  }

  private String byPointTitle(List<Group> phaseGroups) {
    String titles = String.join(" or ", titles(phaseGroups));
    return "%s of %s".formatted(Labels.capitalized(titles), phaseGroups.get(0).phase());
  }

  /** Returns the names of the metrics that decide {@code phaseGroups}, each once. */
  private List<String> titles(List<Group> phaseGroups) {
    return phaseGroups.stream()
        .map(each -> RankingText.title(index, index.decisive(each)))
        .distinct()
        .toList();
  }

  /**
   * Adds the ratio to the best or the value, with its rank, coloured by the ratio. All engines that
   * may be the best have its colour; an engine without another to compare with has none.
   */
  private static <R> void heat(
      Columns<R> columns,
      String name,
      Function<R, Ranking> rankings,
      Function<R, String> engine,
      boolean ratios) {
    columns.add(
        name,
        Align.RIGHT,
        row -> {
          Ranking ranking = rankings.apply(row);
          Optional<Standing> found = ranking.standing(engine.apply(row));
          double ratio = found.map(each -> each.ratio().value()).orElse(Double.NaN);
          return new Cell(
              found
                  .map(
                      each ->
                          (ratios
                                  ? Quantities.ratio(ratio)
                                  : RankingText.value(ranking.metric(), each))
                              + RankingText.inBrackets(ranking, each))
                  .orElse(Quantities.NONE),
              ratios ? ratio : RankingText.key(found),
              Style.HEAT,
              shade(ranking, found));
        });
  }

  private static double shade(Ranking ranking, Optional<Standing> found) {
    return ranking.standings().size() < 2
        ? Double.NaN
        : found.map(each -> each.rank() == 1 ? 1 : each.ratio().value()).orElse(Double.NaN);
  }

  /** Returns the best engines of each phase at each factor point. */
  public Table best(List<List<Group>> points) {
    Columns<List<Group>> columns =
        new Columns<>(points).left("at", phaseGroups -> phaseGroups.get(0).point());
    points.stream()
        .flatMap(List::stream)
        .map(Group::phase)
        .distinct()
        .forEach(phase -> columns.left(phase, phaseGroups -> best(phaseGroups, phase)));
    return columns.table().titled("Best engines");
  }

  private String best(List<Group> phaseGroups, String phase) {
    String engines =
        phaseGroups.stream()
            .filter(phaseGroup -> phaseGroup.phase().equals(phase))
            .flatMap(phaseGroup -> index.decisive(phaseGroup).standings().stream())
            .filter(standing -> standing.rank() == 1)
            .map(Standing::engine)
            .collect(Collectors.joining(", "));
    return engines.isEmpty() ? Quantities.NONE : engines;
  }

  /** Returns a ratio with its interval, and the exact value as the key for sorting. */
  private static Cell cell(Optional<Ratio> ratio) {
    return new Cell(
        ratio
            .map(each -> Quantities.ratio(each.value()) + RankingText.reach(each))
            .orElse(Quantities.NONE),
        ratio.map(Ratio::value).orElse(Double.NaN),
        Style.PLAIN);
  }
}

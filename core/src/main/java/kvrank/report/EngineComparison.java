package kvrank.report;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;
import kvrank.metric.Direction;
import kvrank.metric.Unit;
import kvrank.stats.Ranking;
import kvrank.stats.Standing;

/**
 * One ranking as the row of a table that sets engines side by side.
 *
 * @param name the row's name
 * @param text how its values are written
 */
record EngineComparison(String name, Ranking ranking, DoubleFunction<String> text) {

  EngineComparison {
    requireNonNull(name, "name is null");
    requireNonNull(ranking, "ranking is null");
    requireNonNull(text, "text is null");
  }

  /** The value of {@code engine}, or {@code -}. */
  String value(String engine) {
    return ranking
        .standing(engine)
        .map(standing -> text.apply(standing.estimate().value()))
        .orElse(Quantities.NONE);
  }

  /** The value of {@code engine} and in brackets its rank. */
  String ranked(String engine) {
    return ranking
        .standing(engine)
        .map(standing -> value(engine) + " (" + RankingTables.rank(standing) + ")")
        .orElse(Quantities.NONE);
  }

  /** The best engine, or who is tied as best. */
  String winner() {
    List<Standing> standings = ranking.standings();
    if (standings.size() < 2 || counted()) {
      return Quantities.NONE;
    }
    List<String> first =
        standings.stream().filter(each -> each.rank() == 1).map(Standing::engine).toList();
    if (first.size() == standings.size()) {
      return "tied";
    }
    return first.size() > 1
        ? first.stream().collect(Collectors.joining(", ", "", " tied"))
        : first.get(0) + (standings.get(0).untested() ? " ?" : "");
  }

  /** By how much the best is better than the next, as a percentage of the next. */
  String improvement() {
    return gap().map(gap -> percent(gap)).orElse(Quantities.NONE);
  }

  /** The difference of the best and the next, and as a percentage of the larger. */
  String difference() {
    return gap()
        .map(gap -> text.apply(Math.abs(gap.best() - gap.next())) + " (" + percent(gap) + ")")
        .orElse(Quantities.NONE);
  }

  /** Counts have no interval, so nobody wins by them. */
  private boolean counted() {
    return ranking.metric().unit() == Unit.COUNT;
  }

  private record Gap(double best, double next) {}

  private Optional<Gap> gap() {
    List<Standing> standings = ranking.standings();
    return standings.size() < 2 || counted()
        ? Optional.empty()
        : Optional.of(
            new Gap(standings.get(0).estimate().value(), standings.get(1).estimate().value()));
  }

  private String percent(Gap gap) {
    double better = ranking.metric().direction() == Direction.LOWER ? -1 : 1;
    double percent = better * (gap.best() - gap.next()) / gap.next() * 100;
    return Double.isFinite(percent) ? Quantities.fixed(percent, 1) + "%" : Quantities.NONE;
  }

  /** The value of {@code engine} by that of {@code baseline}, with what the data cannot tell. */
  String ratio(String engine, String baseline) {
    return quotient(engine, baseline)
        .map(ratio -> times(ratio) + (tied(engine, baseline) ? " tied" : doubt(engine)))
        .orElse(Quantities.NONE);
  }

  /** For example {@code ignix 1.22x redis}; {@code tied} if the data cannot separate the two. */
  String multiple(String engine, String baseline) {
    return quotient(engine, baseline)
        .map(
            ratio ->
                tied(engine, baseline)
                    ? "tied"
                    : engine + " " + times(ratio) + " " + baseline + doubt(engine))
        .orElse(Quantities.NONE);
  }

  /** For example {@code ignix 1.16x better}, where lower is better; {@code tied} likewise. */
  String better(String engine, String baseline) {
    return quotient(engine, baseline)
        .map(
            ratio ->
                tied(engine, baseline)
                    ? "tied"
                    : (ratio > 1 ? baseline : engine)
                        + " "
                        + times(ratio > 1 ? ratio : 1 / ratio)
                        + " better"
                        + doubt(engine))
        .orElse(Quantities.NONE);
  }

  private Optional<Double> quotient(String engine, String baseline) {
    return ranking
        .standing(engine)
        .flatMap(
            one ->
                ranking
                    .standing(baseline)
                    .map(other -> one.estimate().value() / other.estimate().value()))
        .filter(Double::isFinite);
  }

  private static String times(double ratio) {
    return Quantities.fixed(ratio, 2) + "x";
  }

  private String doubt(String engine) {
    return ranking.standing(engine).filter(Standing::untested).isPresent() ? " ?" : "";
  }

  /** Whether the data cannot separate the two. */
  boolean tied(String engine, String baseline) {
    return ranking
        .standing(engine)
        .map(Standing::rank)
        .equals(ranking.standing(baseline).map(Standing::rank));
  }

  /** How a table ends its rows. */
  enum Gain {
    IMPROVEMENT("Improvement"),
    DIFFERENCE("Difference");

    private final String title;

    Gain(String title) {
      this.title = title;
    }
  }

  /** A table of contests: each engine's value, what the best gains, and who it is. */
  static Table table(
      String corner,
      List<String> engines,
      Gain gain,
      String winner,
      List<EngineComparison> contests) {
    List<Column<EngineComparison>> columns = new ArrayList<>();
    columns.add(Column.left(corner, EngineComparison::name));
    for (String engine : engines) {
      columns.add(Column.right(engine, contest -> contest.value(engine)));
    }
    columns.add(
        Column.right(
            gain.title,
            contest -> gain == Gain.IMPROVEMENT ? contest.improvement() : contest.difference()));
    columns.add(Column.left(winner, EngineComparison::winner));
    return Table.of(columns, contests, contest -> false);
  }
}

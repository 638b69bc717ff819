package kvrank.report;

import java.util.List;
import java.util.Optional;
import java.util.function.DoubleFunction;
import kvrank.metric.Direction;
import kvrank.stats.Ranking;
import kvrank.stats.Separation;
import kvrank.stats.Standing;
import kvrank.table.Show;

/**
 * What one cell of a table shows of a ranking.
 *
 * @param text how values are written
 * @param engine the engine that it is about; empty where it is about all
 * @param to the engine that it is compared with; empty where it is with none
 */
record RankingCell(Ranking ranking, DoubleFunction<String> text, String engine, String to) {

  String show(Show show) {
    Optional<String> shown =
        switch (show) {
          case VALUE -> value();
          case RANKED ->
              value().map(value -> value + " (" + RankingTables.rank(own().orElseThrow()) + ")");
          case RATIO -> quotient().map(this::ratio);
          case VERSUS -> quotient().map(this::versus);
          case IMPROVEMENT -> gap().map(this::percent);
          case LEAD -> gap().filter(gap -> best().size() == 1).map(this::percent);
          case DIFFERENCE ->
              gap()
                  .map(
                      gap -> text.apply(Math.abs(gap.best - gap.next)) + " (" + percent(gap) + ")");
          case WINNER -> compared() ? Optional.of(winner()) : Optional.empty();
        };
    return shown.orElse(Quantities.NONE);
  }

  private Optional<Standing> own() {
    return ranking.standing(engine);
  }

  private Optional<String> value() {
    return own().map(standing -> text.apply(standing.estimate().value()));
  }

  /** The value of the engine by that of the other; empty for one engine alone. */
  Optional<Double> quotient() {
    return own()
        .filter(any -> !engine.equals(to))
        .flatMap(
            one ->
                ranking
                    .standing(to)
                    .map(other -> one.estimate().value() / other.estimate().value()))
        .filter(Double::isFinite);
  }

  private String ratio(double ratio) {
    String separation = separation();
    return times(ratio) + (separation.isEmpty() ? doubt() : " " + separation);
  }

  /** For example {@code ignix 1.22x redis}; {@code ignix 1.16x better} where lower is better. */
  private String versus(double ratio) {
    String separation = separation();
    if (!separation.isEmpty()) {
      return separation;
    }
    return ranking.metric().direction() == Direction.HIGHER
        ? engine + " " + times(ratio) + " " + to + doubt()
        : (ratio > 1 ? to + " " + times(ratio) : engine + " " + times(1 / ratio))
            + " better"
            + doubt();
  }

  private static String times(double ratio) {
    return Quantities.fixed(ratio, 2) + "x";
  }

  /** What the data say of the two; empty if they separate them, or are too few to tell. */
  private String separation() {
    return ranking.verdict(engine, to).kind().brief();
  }

  private String doubt() {
    return own().filter(Standing::untested).isPresent() ? " ?" : "";
  }

  private List<Standing> best() {
    return ranking.standings().stream().filter(each -> each.rank() == 1).toList();
  }

  /** The best engine; if it is not separated from all others, that by median and what is known. */
  private String winner() {
    Standing best = ranking.standings().get(0);
    Separation next = ranking.separation(ranking.standings().get(1));
    return best.engine()
        + (best.untested() ? " ?" : next.brief().isEmpty() ? "" : " (" + next.brief() + ")");
  }

  /** Counts have no interval, so nobody wins by them. */
  private boolean compared() {
    return ranking.standings().size() > 1 && !ranking.metric().counted();
  }

  private record Gap(double best, double next) {}

  private Optional<Gap> gap() {
    List<Standing> standings = ranking.standings();
    return compared()
        ? Optional.of(
            new Gap(standings.get(0).estimate().value(), standings.get(1).estimate().value()))
        : Optional.empty();
  }

  private String percent(Gap gap) {
    double better = ranking.metric().direction() == Direction.LOWER ? -1 : 1;
    double percent = better * (gap.best - gap.next) / gap.next * 100;
    return Double.isFinite(percent) ? Quantities.fixed(percent, 1) + "%" : Quantities.NONE;
  }
}

package kvrank.report.table;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import kvrank.metric.Direction;
import kvrank.metric.Metric;
import kvrank.metric.Scope;
import kvrank.metric.Unit;
import kvrank.report.block.Quantities;
import kvrank.report.ranking.Leaders;
import kvrank.report.ranking.Notes;
import kvrank.report.ranking.RankingText;
import kvrank.stats.Group;
import kvrank.stats.QualityFlag;
import kvrank.stats.Ranking;
import kvrank.stats.Standing;
import kvrank.stats.infer.Separation;
import kvrank.table.CellSpec;
import kvrank.table.Dimensions;
import kvrank.table.Filter.Choice;
import kvrank.table.Show;

/**
 * The part of a ranking that a cell shows: of all engines if {@code engine} is empty, compared with
 * none if {@code to} is empty.
 */
record RankingCell(CellSpec spec, Ranking ranking, String engine, String to) {

  /** The units of what other processes affect. */
  private static final Set<Unit> TIMED =
      Set.of(Unit.PER_SECOND, Unit.NANOSECONDS, Unit.SECONDS, Unit.CORES);

  /** Returns the cell of {@code spec} in {@code slice}; empty if nothing was measured. */
  static Optional<RankingCell> of(CellSpec spec, ResultSlice slice) {
    String engine = slice.engine().orElse("");
    String to = to(spec, slice);
    return ranking(spec, slice).map(ranking -> new RankingCell(spec, ranking, engine, to));
  }

  /** Returns the cell's text, or {@code -}. */
  static String text(CellSpec spec, ResultSlice slice) {
    Show show = spec.show().orElse(Show.VALUE);
    return of(spec, slice).map(cell -> cell.show(show)).orElse(Quantities.NONE);
  }

  /** Returns the ranking that {@code spec} selects in {@code slice}; empty without measurements. */
  static Optional<Ranking> ranking(CellSpec spec, ResultSlice slice) {
    Metric metric = spec.metric().orElseThrow();
    return slice.groups().stream()
        .filter(
            group ->
                switch (metric.scope()) {
                  case OPERATION -> group.operation().isPresent();
                  case LOAD -> slice.index().load(group);
                  case PHASE, PHASE_AND_OPERATION, RUN -> true;
                })
        .findFirst()
        .map(group -> slice.index().rankingOrEmpty(group, metric));
  }

  /** Returns whether {@code text} is a time of one engine that others disturbed. */
  static boolean disturbed(CellSpec spec, ResultSlice slice, String text) {
    Show show = spec.show().orElse(Show.VALUE);
    Metric metric = spec.metric().orElseThrow();
    if (text.equals(Quantities.NONE)
        || !TIMED.contains(metric.unit())
        || !show.ofEngine()
        || show.compared()) {
      return false;
    }
    List<Group> groups =
        metric.scope() == Scope.RUN
            ? slice.groups()
            : ranking(spec, slice).map(Ranking::group).stream().toList();
    return groups.stream()
        .flatMap(group -> slice.index().flags(group, slice.engine().orElseThrow()).stream())
        .anyMatch(flag -> flag.kind() == QualityFlag.Kind.DISTURBED);
  }

  /** Returns the engine that {@code spec} compares with; empty if there is none. */
  static String to(CellSpec spec, ResultSlice slice) {
    return spec.to().flatMap(slice::engine).orElse("");
  }

  /**
   * Returns the reason for a missing value; {@code whole} is {@code slice} without its operation.
   */
  static String absence(CellSpec spec, ResultSlice slice, ResultSlice whole) {
    Optional<Ranking> found =
        ranking(spec, slice)
            .or(
                () ->
                    whole.groups().stream()
                        .findFirst()
                        .map(each -> slice.index().throughput(each.phaseGroup())));
    if (found.isEmpty()) {
      Choice phase = spec.where().choices().get(Dimensions.PHASE);
      return phase == null
          ? "not measured"
          : "the scenario has no phase " + String.join(", ", phase.values());
    }
    String cause =
        found.get().excluded().stream()
            .filter(excluded -> slice.engines().contains(excluded.engine()))
            .map(Notes::cause)
            .collect(Collectors.joining("; "));
    if (!cause.isEmpty()) {
      return cause;
    }
    Group point = found.get().group();
    return slice.engines().stream().allMatch(each -> slice.index().runs(point, each).isEmpty())
        ? "not run at this factor point"
        : "no value: " + spec.metric().orElseThrow().usualAbsence();
  }

  /** Returns the cell's text, or {@code -}. Counts have no interval, so they have no winner. */
  String show(Show show) {
    Optional<Standing> own = ranking.standing(engine);
    List<Standing> all = ranking.standings();
    boolean shown =
        show.compared()
            ? Double.isFinite(quotient())
            : show.ofEngine() ? own.isPresent() : all.size() > 1 && !ranking.metric().counted();
    return !shown
        ? Quantities.NONE
        : switch (show) {
          case VALUE -> written(value(engine));
          case RANKED -> written(value(engine)) + RankingText.inBrackets(ranking, own.get());
          case RATIO ->
              Quantities.ratio(quotient()) + (known().isEmpty() ? doubt() : " " + known());
          case VERSUS -> known().isEmpty() ? versus(quotient()) + doubt() : known();
          case IMPROVEMENT -> percentOf(value(1));
          case LEAD ->
              all.stream().filter(each -> each.rank() == 1).count() == 1
                  ? percentOf(value(1))
                  : Quantities.NONE;
          case DIFFERENCE ->
              written(Math.abs(value(0) - value(1)))
                  + " ("
                  + percentOf(Math.max(value(0), value(1)))
                  + ")";
          case WINNER -> winner();
        };
  }

  private double value(String of) {
    return ranking.standing(of).map(each -> each.estimate().value()).orElse(Double.NaN);
  }

  private double value(int place) {
    return ranking.standings().get(place).estimate().value();
  }

  /** Returns the value of the engine divided by the other's; NaN without another one. */
  double quotient() {
    return engine.equals(to) ? Double.NaN : value(engine) / value(to);
  }

  /** Returns the value as {@link #written}, with the unit that the table asks for. */
  String labelled(double value) {
    Optional<String> unit =
        spec.unit().filter(name -> ranking.metric().unit().factor(name).isPresent());
    return written(value) + unit.map(" "::concat).orElse("");
  }

  /** Returns the value in the unit and the format that the table asks for. */
  private String written(double value) {
    Unit unit = ranking.metric().unit();
    Optional<Double> factor = spec.unit().flatMap(unit::factor);
    double converted = value / factor.orElse(1.0);
    if (spec.format().isPresent()) {
      return spec.format().get().equals(CellSpec.SHORT)
          ? Quantities.of(Unit.PER_SECOND, converted).replace("/s", "").strip()
          : Quantities.formatted(spec.format().get(), converted);
    }
    return factor.isPresent() ? Quantities.digits(converted) : Quantities.of(unit, value);
  }

  /**
   * Returns for example {@code ignix 1.22x redis}; {@code ignix 1.16x better} if lower is better.
   */
  private String versus(double ratio) {
    return ranking.metric().direction() == Direction.HIGHER
        ? engine + " " + Quantities.ratio(ratio) + " " + to
        : (ratio > 1 ? to : engine)
            + " "
            + Quantities.ratio(Math.max(ratio, 1 / ratio))
            + " better";
  }

  /** Returns the verdict on the two; empty if they are separated, or there are too few values. */
  private String known() {
    return ranking.verdict(engine, to).kind().brief();
  }

  private String doubt() {
    return ranking.standing(engine).filter(Standing::untested).isPresent() ? " ?" : "";
  }

  /** Returns the best engine by value, with the verdict if it is not separated from all others. */
  private String winner() {
    Leaders leaders = Leaders.of(ranking);
    return leaders.engines().get(0)
        + switch (leaders.kind()) {
          case BEST -> "";
          case BY_VALUE -> " ?";
          case NOT_SEPARATED -> " (" + Separation.NOT_SEPARATED.brief() + ")";
          case EQUAL -> " (" + Separation.EQUAL.brief() + ")";
        };
  }

  /** Returns by how much the best is better than the next, in percent of {@code base}. */
  private String percentOf(double base) {
    double better = ranking.metric().direction() == Direction.LOWER ? -1 : 1;
    double percent = better * (value(0) - value(1)) / base * 100;
    return Double.isFinite(percent) ? Quantities.fixed(percent, 1) + "%" : Quantities.NONE;
  }
}

package kvrank.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvrank.metric.Metric;
import kvrank.metric.Unit;
import kvrank.results.PhaseRecord;
import kvrank.stats.Group;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;
import kvrank.stats.Sample;
import kvrank.table.CellSpec;
import kvrank.table.Dimensions;
import kvrank.table.Filter.Choice;
import kvrank.table.Show;

/** The values of cells, from the rankings. */
final class TableCells {

  private final RankingIndex board;

  TableCells(RankingIndex board) {
    this.board = board;
  }

  /** Returns all of the results. */
  View all() {
    List<Group> groups = new ArrayList<>();
    board
        .wholesByPoint()
        .forEach(
            wholes ->
                wholes.forEach(
                    whole -> {
                      groups.add(whole);
                      groups.addAll(board.operations(whole));
                    }));
    Set<String> loads =
        board.results().runs().stream()
            .flatMap(run -> run.phases().stream())
            .filter(PhaseRecord::load)
            .map(PhaseRecord::name)
            .collect(Collectors.toUnmodifiableSet());
    return new View(groups, board.engines(), loads);
  }

  List<String> engines() {
    return board.engines();
  }

  /** Returns whether the phase of {@code operation} has others beside it. */
  boolean oneOfSeveral(Group operation) {
    return board.operations(operation).size() > 1;
  }

  static Metric metric(CellSpec spec) {
    return spec.metric().orElseThrow();
  }

  /** Returns the ranking that {@code spec} means in {@code view}; empty if nothing was measured. */
  Optional<Ranking> ranking(CellSpec spec, View view) {
    Metric metric = metric(spec);
    return view.groups().stream()
        .filter(
            group ->
                switch (metric.scope()) {
                  case OPERATION -> group.operation().isPresent();
                  case LOAD -> view.loads().contains(group.phase());
                  case PHASE, PHASE_AND_OPERATION, RUN -> true;
                })
        .findFirst()
        .map(group -> board.asked(group, metric));
  }

  Optional<RankingCell> cell(CellSpec spec, View view) {
    return ranking(spec, view)
        .map(
            ranking ->
                new RankingCell(
                    ranking, values(spec), view.only(Dimensions.ENGINE).orElse(""), to(spec)));
  }

  /** Returns what the cell shows, or {@code -}. */
  String text(CellSpec spec, View view) {
    return cell(spec, view)
        .map(cell -> cell.show(spec.show().orElse(Show.VALUE)))
        .orElse(Quantities.NONE);
  }

  /** Returns the engine that {@code spec} compares with; empty if with none. */
  String to(CellSpec spec) {
    List<String> engines = board.engines();
    return spec.to().stream()
        .flatMap(
            name ->
                engines.contains(name)
                    ? Stream.of(name)
                    : new Choice(List.of(name), false).of(engines).stream())
        .findFirst()
        .orElse("");
  }

  private static DoubleFunction<String> values(CellSpec spec) {
    Unit unit = metric(spec).unit();
    Optional<Double> factor = spec.unit().flatMap(unit::factor);
    double by = factor.orElse(1.0);
    if (spec.format().isPresent()) {
      String format = spec.format().get();
      return format.equals(CellSpec.SHORT)
          ? value -> Quantities.of(Unit.PER_SECOND, value / by).replace("/s", "").strip()
          : value -> Quantities.formatted(format, value / by);
    }
    return factor.isPresent()
        ? value -> Quantities.digits(value / by)
        : value -> Quantities.of(unit, value);
  }

  /** Returns whether {@code engine} lives in the worker's process. */
  boolean embedded(String engine, View view) {
    return view.groups().stream()
        .flatMap(group -> board.runs(group, engine).stream())
        .anyMatch(Sample::embedded);
  }

  /**
   * Returns why the engine of {@code view} has no value.
   *
   * @param whole what the cell would be about if it did not name an operation
   */
  String absence(CellSpec spec, View view, View whole) {
    Optional<Ranking> ranking = ranking(spec, view);
    Optional<Ranking> instead =
        ranking.or(
            () -> whole.groups().stream().findFirst().map(each -> board.throughput(each.whole())));
    if (instead.isEmpty()) {
      Choice phase = spec.where().choices().get(Dimensions.PHASE);
      return phase == null
          ? "nothing like that was measured"
          : "the scenario has no phase " + String.join(", ", phase.values());
    }
    String cause =
        instead.get().excluded().stream()
            .filter(excluded -> view.engines().contains(excluded.engine()))
            .map(Exclusions::cause)
            .collect(Collectors.joining("; "));
    return cause.isEmpty() ? "no value: " + metric(spec).absence() : cause;
  }
}

package kvrank.run;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import kvrank.engine.Tuning;
import kvrank.metric.Scope;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;
import kvrank.results.Tuned;
import kvrank.results.Tuned.Trial;
import kvrank.scenario.EngineSpec;
import kvrank.stats.Sample;

/**
 * Searches an option's best values: each fourth value of the grid, then two steps and one step
 * around the best. Each is measured once, so the result only shows which deserve repetitions.
 */
final class OptionSearch {

  private final EngineSpec engine;
  private final Tuning tuning;
  private final List<String> grid;
  private final List<Trial> trials = new ArrayList<>();
  private int step = Tuning.COARSE;

  OptionSearch(EngineSpec engine) {
    this.engine = engine;
    this.tuning = engine.tuning().orElseThrow();
    this.grid = tuning.grid();
  }

  /** Returns the values to try next; none if the search is over. */
  List<String> next() {
    while (step > 0) {
      int apart = step;
      Optional<Integer> best = ranked().findFirst().map(Trial::value).map(grid::indexOf);
      IntStream places =
          apart == Tuning.COARSE
              ? IntStream.range(0, grid.size()).filter(i -> i % apart == 0 || i == grid.size() - 1)
              : best.map(i -> IntStream.of(i - apart, i + apart)).orElse(IntStream.empty());
      List<String> values =
          places
              .filter(i -> i >= 0 && i < grid.size())
              .mapToObj(grid::get)
              .filter(value -> trials.stream().noneMatch(trial -> trial.value().equals(value)))
              .toList();
      step /= 2;
      if (!values.isEmpty()) {
        return values;
      }
    }
    return List.of();
  }

  /** Records the result of a value; no runs if the budget did not allow them. */
  void tried(String value, List<RunRecord> runs) {
    String dropped =
        runs.stream()
            .map(RunRecord::outcome)
            .filter(outcome -> !(outcome instanceof Outcome.Completed))
            .map(outcome -> outcome.label() + ": " + outcome.reason())
            .findFirst()
            .orElse(runs.isEmpty() ? "no time was left of the budget" : "");
    OptionalDouble measured = measured(runs);
    trials.add(
        dropped.isEmpty() && measured.isPresent()
            ? new Trial(value, Optional.of(measured.getAsDouble()), "")
            : new Trial(value, Optional.empty(), dropped.isEmpty() ? "it has no value" : dropped));
  }

  /** Returns the geometric mean over phases, operations and runs. */
  private OptionalDouble measured(List<RunRecord> runs) {
    return runs.stream()
        .flatMap(run -> run.phases().stream().flatMap(phase -> samples(run, phase)))
        .flatMapToDouble(sample -> tuning.metric().value(sample).stream())
        .map(Math::log)
        .average()
        .stream()
        .filter(Double::isFinite)
        .map(Math::exp)
        .findFirst();
  }

  /** Returns the samples of {@code phase}: the whole, or each of its operations. */
  private Stream<Sample> samples(RunRecord run, PhaseRecord phase) {
    Sample whole = new Sample(run, phase, Optional.empty());
    boolean ofPhases = tuning.metric().scope().ofPhases();
    return phase.load() == (tuning.metric().scope() == Scope.LOAD)
        ? ofPhases ? Stream.of(whole) : whole.operations().stream()
        : Stream.empty();
  }

  private Stream<Trial> ranked() {
    Comparator<Double> better = tuning.metric().direction()::compare;
    return trials.stream()
        .filter(trial -> trial.measured().isPresent())
        .sorted(Comparator.comparing(trial -> trial.measured().orElseThrow(), better));
  }

  /** Returns the best values so far, and the engine's default, if a number, to show the gain. */
  Tuned found() {
    List<String> rows = new ArrayList<>(ranked().map(Trial::value).limit(Tuning.ROWS).toList());
    if (rows.isEmpty()) {
      trials.stream().map(Trial::value).limit(Tuning.ROWS).forEach(rows::add);
    }
    Optional<String> initial = engine.defaultValue(tuning.option());
    if (initial.filter(value -> value.matches("[0-9]+") && !rows.contains(value)).isPresent()) {
      if (rows.size() == Tuning.ROWS) {
        rows.remove(Tuning.ROWS - 1);
      }
      rows.add(initial.get());
    }
    return new Tuned(
        engine.row().name(), tuning.option(), tuning.metric(), List.copyOf(trials), rows);
  }
}

package kvrank.stats;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import kvrank.results.ExecutionResults;
import kvrank.results.Manifest;
import kvrank.results.Manifest.Adaptive;
import kvrank.results.Outcome;
import kvrank.results.RunRecord;
import kvrank.scenario.Repetitions;
import kvrank.stats.infer.Estimate;
import kvrank.stats.infer.PairVerdict;
import kvrank.stats.infer.Ratio;

/**
 * A comparison by the deciding metric that an adaptive scenario asks for and that the repetitions
 * so far have not settled. The load is not compared.
 *
 * @param other the engine that it is compared with; {@code engine} itself if its interval is too
 *     wide
 * @param now the present ratio or interval, as text
 * @param aside why it is not repeated: an engine failed twice in a row, or the remaining
 *     repetitions and budget are unlikely to settle it; empty if it is
 */
public record OpenComparison(Group group, String engine, String other, String now, String aside) {

  record Pair(String engine, String other) {}

  /** The repetitions that two engines can still have, and what limits them, as text. */
  private record Left(int repetitions, String limit) {}

  /** Returns the open comparisons; none if the number of repetitions is fixed. */
  public static List<OpenComparison> of(ExecutionResults results) {
    List<OpenComparison> open = new ArrayList<>();
    Left left = left(results);
    for (Ranking ranking : deciding(results)) {
      pairs(ranking, results.manifest().adaptive().orElseThrow())
          .forEach(pair -> of(results, ranking, pair, left).ifPresent(open::add));
    }
    return open;
  }

  /**
   * Returns the pairs of engines that the scenario names, except those with the best, if {@code
   * ranking} has both. The engine with the better rank comes first.
   */
  public static List<List<String>> named(ExecutionResults results, Ranking ranking) {
    List<List<String>> names =
        results.executions().stream()
            .flatMap(execution -> execution.manifest().adaptive().stream())
            .flatMap(adaptive -> adaptive.compare().stream())
            .distinct()
            .filter(pair -> !pair.contains(Repetitions.BEST))
            .filter(pair -> !pair.contains(Repetitions.NEIGHBOURS))
            .toList();
    return pairs(ranking, names).stream()
        .map(
            pair ->
                ranking.standings().stream()
                    .map(Standing::engine)
                    .filter(List.of(pair.engine(), pair.other())::contains)
                    .toList())
        .toList();
  }

  /** Returns the rankings that decide over repetitions; none if their number is fixed. */
  static List<Ranking> deciding(ExecutionResults results) {
    return results.manifest().adaptive().isEmpty() ? List.of() : Rankings.deciding(results);
  }

  /**
   * Returns the repetitions that two engines can still have if they get the whole remaining budget.
   * For looks before an extension it is the number that was left then, so that past decisions do
   * not change.
   */
  private static Left left(ExecutionResults results) {
    Manifest manifest = results.manifest();
    int done = results.repetitions();
    List<Integer> stopped = manifest.adaptive().map(Adaptive::stopped).orElse(List.of());
    int stage = (int) stopped.stream().filter(end -> end <= done).count();
    int last = stage < stopped.size() ? manifest.extended().get(stage) : manifest.repetitions();
    Left left = new Left(last - done, "at-most is " + last);
    Optional<Double> budget = manifest.adaptive().flatMap(Adaptive::budgetSeconds);
    if (stage > 0 || budget.isEmpty()) {
      return left;
    }
    double spent = 0;
    DoubleSummaryStatistics completed = new DoubleSummaryStatistics();
    for (RunRecord run : results.runs()) {
      double seconds = run.time().toMillis() / 1e3;
      spent += seconds + run.lostSeconds();
      if (run.outcome() instanceof Outcome.Completed) {
        completed.accept(seconds);
      }
    }
    int pairs = (int) Math.max(1, (budget.get() - spent) / (2 * completed.getAverage()));
    return pairs < left.repetitions()
        ? new Left(pairs, "the budget allows about " + (done + pairs))
        : left;
  }

  /** Returns the engines that are compared; for an interval, each engine with itself. */
  static List<Pair> pairs(Ranking ranking, Adaptive adaptive) {
    if (adaptive.interval().isPresent()) {
      return ranking.standings().stream()
          .map(standing -> new Pair(standing.engine(), standing.engine()))
          .toList();
    }
    return pairs(
        ranking,
        adaptive.compare().isEmpty() ? List.of(List.of(Repetitions.BEST)) : adaptive.compare());
  }

  static List<Pair> pairs(Ranking ranking, List<List<String>> compare) {
    List<String> engines = ranking.standings().stream().map(Standing::engine).toList();
    List<Pair> pairs = new ArrayList<>();
    for (List<String> names : compare) {
      if (names.contains(Repetitions.NEIGHBOURS)) {
        pairs.addAll(neighbours(ranking, engines));
        continue;
      }
      List<String> firsts = names.size() == 1 ? engines : rows(engines, names.get(0));
      for (String other : rows(engines, names.get(names.size() - 1))) {
        for (String engine : firsts) {
          if (!engine.equals(other) && !pairs.contains(new Pair(other, engine))) {
            pairs.add(new Pair(engine, other));
          }
        }
      }
    }
    return pairs.stream().distinct().toList();
  }

  /** Returns each engine with those below it, up to the first that is separated from it. */
  private static List<Pair> neighbours(Ranking ranking, List<String> engines) {
    List<Pair> pairs = new ArrayList<>();
    for (int i = 0; i < engines.size(); i++) {
      boolean apart = false;
      for (int j = i + 1; j < engines.size() && !apart; j++) {
        pairs.add(new Pair(engines.get(j), engines.get(i)));
        apart = ranking.verdict(engines.get(i), engines.get(j)).separated();
      }
    }
    return pairs;
  }

  /** Returns the rows with the name {@code name} among {@code engines}, which are best first. */
  private static List<String> rows(List<String> engines, String name) {
    return name.equals(Repetitions.BEST)
        ? engines.stream().limit(1).toList()
        : engines.stream().filter(row -> row.equals(name) || row.startsWith(name + " ")).toList();
  }

  private static Optional<OpenComparison> of(
      ExecutionResults results, Ranking ranking, Pair pair, Left left) {
    Adaptive adaptive = results.manifest().adaptive().orElseThrow();
    String engine = pair.engine();
    String other = pair.other();
    PairVerdict verdict = ranking.verdict(engine, other);
    String now;
    if (adaptive.interval().isPresent()) {
      Estimate estimate = ranking.standing(engine).orElseThrow().estimate();
      double reach =
          Math.max(estimate.high() / estimate.value(), estimate.value() / estimate.low());
      if (reach <= 1 + adaptive.interval().get()) {
        return Optional.empty();
      }
      now = Double.isFinite(reach) ? "interval ×÷%.3g" : "no interval yet";
      now = now.formatted(reach);
    } else if (verdict.settled(adaptive.ratio())) {
      return Optional.empty();
    } else {
      Ratio ratio = verdict.ratio();
      now = Double.isNaN(ratio.value()) ? "no ratio" : "%.3gx".formatted(ratio.value());
      now += ratio.hasInterval() ? ", %.3g to %.3gx".formatted(ratio.low(), ratio.high()) : "";
    }
    Group group = ranking.group();
    String aside = "";
    if (failing(results, engine, group) || failing(results, other, group)) {
      aside = "failed twice in a row";
    } else if (left.repetitions() > 0 && verdict.outOfReach(adaptive.ratio(), left.repetitions())) {
      int needed = verdict.blocksToSettle(adaptive.ratio(), Estimate.MOST_NEEDED);
      aside =
          "set aside: at this noise %s %d repetitions would settle it, and %s"
              .formatted(
                  needed < Estimate.MOST_NEEDED ? "about" : "more than", needed, left.limit());
    }
    return Optional.of(new OpenComparison(group, engine, other, now, aside));
  }

  /** Returns whether the last two repetitions of {@code engine} did not complete. */
  private static boolean failing(ExecutionResults results, String engine, Group group) {
    List<RunRecord> runs =
        results.runs().stream()
            .filter(run -> run.engine().equals(engine) && run.factors().equals(group.factors()))
            .sorted(Comparator.comparingInt(RunRecord::repetition).reversed())
            .limit(2)
            .toList();
    return runs.size() == 2
        && runs.stream().noneMatch(run -> run.outcome() instanceof Outcome.Completed);
  }

  /** Returns whether this comparison needs another repetition of {@code row} at {@code point}. */
  public boolean needs(String row, SortedMap<String, String> point) {
    return aside.isEmpty()
        && point.equals(group.factors())
        && (row.equals(engine) || row.equals(other));
  }

  /** Returns for example {@code get at fsync=off: lmdb and rocksdb (0.800x, 0.620 to 1.03x)}. */
  @Override
  public String toString() {
    String who = engine.equals(other) ? engine : engine + " and " + other;
    return "%s: %s (%s%s)".formatted(group.label(), who, now, aside.isEmpty() ? "" : ", " + aside);
  }
}

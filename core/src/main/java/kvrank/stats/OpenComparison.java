package kvrank.stats;

import static java.util.stream.Collectors.joining;

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
 * What the repetitions so far do not answer of what an adaptive scenario asks: in the throughput of
 * each phase but the load, how far engines are from the best one, or from those that it names.
 *
 * @param other what it is compared with, which then needs them too; {@code engine} itself if it is
 *     its own interval that is too wide
 * @param hopeless whether neither is repeated for this: one of the two failed twice in a row, or
 *     what is left of repetitions and budget is unlikely to settle it
 */
public record OpenComparison(
    Group group, String engine, String other, String now, boolean hopeless) {

  private record Compared(String engine, String other) {}

  private static final int FEW = 4;

  /** Returns what {@code results} leave open; nothing if the scenario has a fixed number. */
  public static List<OpenComparison> of(ExecutionResults results) {
    List<OpenComparison> open = new ArrayList<>();
    int left = left(results);
    for (Ranking ranking : asked(results)) {
      compared(ranking, results.manifest().adaptive().orElseThrow())
          .forEach(pair -> open.addAll(of(results, ranking, pair, left)));
    }
    return open;
  }

  /** Says what {@code results} have come to, which leave {@code open}. */
  public static String known(List<OpenComparison> open, ExecutionResults results) {
    List<Ranking> asked = asked(results);
    String absent = absent(results, asked);
    if (!open.isEmpty()) {
      String more = open.size() > FEW ? "; and %d more".formatted(open.size() - FEW) : "";
      return open.stream()
          .limit(FEW)
          .map(OpenComparison::toString)
          .collect(joining("; ", "not settled: ", more + absent));
    }
    boolean any =
        asked.stream()
            .anyMatch(
                ranking ->
                    ranking.standings().size() > 1
                        && !compared(ranking, results.manifest().adaptive().get()).isEmpty());
    return (any ? "every comparison is settled" : "there is nothing to compare") + absent;
  }

  /** The comparisons that the scenario names of which no phase has values of both engines. */
  private static String absent(ExecutionResults results, List<Ranking> asked) {
    List<String> absent =
        results.manifest().adaptive().map(Adaptive::compare).orElse(List.of()).stream()
            .filter(
                names ->
                    asked.stream().allMatch(ranking -> compared(ranking, List.of(names)).isEmpty()))
            .map(
                names ->
                    names.size() == 1 ? "others and " + names.get(0) : String.join(" and ", names))
            .toList();
    return absent.isEmpty()
        ? ""
        : "; not compared for want of values: " + String.join(", ", absent);
  }

  /**
   * The comparisons that the scenario names, that with the best aside, as far as {@code ranking}
   * has both engines: the one that stands higher comes first.
   */
  public static List<List<String>> named(ExecutionResults results, Ranking ranking) {
    List<List<String>> names =
        results.executions().stream()
            .flatMap(execution -> execution.manifest().adaptive().stream())
            .flatMap(asked -> asked.compare().stream())
            .distinct()
            .filter(pair -> !pair.contains(Repetitions.BEST))
            .toList();
    return compared(ranking, names).stream()
        .map(
            pair ->
                ranking.standings().stream()
                    .map(Standing::engine)
                    .filter(List.of(pair.engine(), pair.other())::contains)
                    .toList())
        .toList();
  }

  /** The throughputs that the question is about, if the values decide over repetitions. */
  private static List<Ranking> asked(ExecutionResults results) {
    return results.manifest().adaptive().isEmpty() ? List.of() : Rankings.throughputs(results);
  }

  /**
   * How many more repetitions two engines can have, if what is left of the budget is theirs alone.
   * Of what was looked at before somebody asked for more it is what was left then, so that nothing
   * is made up for in repetitions that are over.
   */
  private static int left(ExecutionResults results) {
    Manifest asked = results.manifest();
    int done = results.repetitions();
    List<Integer> stopped = asked.adaptive().map(Adaptive::stopped).orElse(List.of());
    int stage = (int) stopped.stream().filter(end -> end <= done).count();
    int left = (stage < stopped.size() ? asked.extended().get(stage) : asked.repetitions()) - done;
    Optional<Double> budget = asked.adaptive().flatMap(Adaptive::budgetSeconds);
    if (stage > 0 || budget.isEmpty()) {
      return left;
    }
    double spent = 0;
    DoubleSummaryStatistics whole = new DoubleSummaryStatistics();
    for (RunRecord run : results.runs()) {
      double seconds = run.time().toMillis() / 1e3;
      spent += seconds + run.lostSeconds();
      if (run.outcome() instanceof Outcome.Completed) {
        whole.accept(seconds);
      }
    }
    double pairs = (budget.get() - spent) / (2 * whole.getAverage());
    return (int) Math.min(left, Math.max(1, pairs));
  }

  /** The engines of {@code ranking} that are compared, by two; of an interval, each with itself. */
  private static List<Compared> compared(Ranking ranking, Adaptive adaptive) {
    if (adaptive.interval().isPresent()) {
      return ranking.standings().stream()
          .map(standing -> new Compared(standing.engine(), standing.engine()))
          .toList();
    }
    return compared(
        ranking,
        adaptive.compare().isEmpty() ? List.of(List.of(Repetitions.BEST)) : adaptive.compare());
  }

  private static List<Compared> compared(Ranking ranking, List<List<String>> asked) {
    List<String> engines = ranking.standings().stream().map(Standing::engine).toList();
    List<Compared> pairs = new ArrayList<>();
    for (List<String> names : asked) {
      List<String> firsts = names.size() == 1 ? engines : rows(engines, names.get(0));
      for (String other : rows(engines, names.get(names.size() - 1))) {
        for (String engine : firsts) {
          if (!engine.equals(other) && !pairs.contains(new Compared(other, engine))) {
            pairs.add(new Compared(engine, other));
          }
        }
      }
    }
    return pairs.stream().distinct().toList();
  }

  /** The rows of {@code engines}, ordered from the best by median on, that are called so. */
  private static List<String> rows(List<String> engines, String name) {
    return name.equals(Repetitions.BEST)
        ? engines.stream().limit(1).toList()
        : engines.stream().filter(row -> row.equals(name) || row.startsWith(name + " ")).toList();
  }

  private static List<OpenComparison> of(
      ExecutionResults results, Ranking ranking, Compared compared, int left) {
    Adaptive adaptive = results.manifest().adaptive().orElseThrow();
    String engine = compared.engine();
    String other = compared.other();
    PairVerdict verdict = ranking.verdict(engine, other);
    String now;
    if (adaptive.interval().isPresent()) {
      Estimate estimate = ranking.standing(engine).orElseThrow().estimate();
      double reach =
          Math.max(estimate.high() / estimate.value(), estimate.value() / estimate.low());
      if (reach <= 1 + adaptive.interval().get()) {
        return List.of();
      }
      now = Double.isFinite(reach) ? "interval ×÷%.3g" : "no interval yet";
      now = now.formatted(reach);
    } else if (verdict.settled(adaptive.ratio())) {
      return List.of();
    } else {
      Ratio ratio = verdict.ratio();
      now = Double.isNaN(ratio.value()) ? "no ratio" : "%.3gx".formatted(ratio.value());
      now += ratio.hasInterval() ? ", %.3g to %.3gx".formatted(ratio.low(), ratio.high()) : "";
    }
    Group group = ranking.group();
    String hopeless = "";
    if (failing(results, engine, group) || failing(results, other, group)) {
      hopeless = ", failed twice in a row";
    } else if (left > 0 && verdict.outOfReach(adaptive.ratio(), left)) {
      int needed = verdict.blocksToSettle(adaptive.ratio(), Estimate.MOST_NEEDED);
      hopeless =
          ", set aside: at this noise %s %d repetitions would settle it"
              .formatted(needed < Estimate.MOST_NEEDED ? "about" : "more than", needed);
    }
    return List.of(new OpenComparison(group, engine, other, now + hopeless, !hopeless.isEmpty()));
  }

  /** Whether the last two repetitions of {@code engine} were not completed. */
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

  /** Returns whether {@code row} needs another repetition at {@code point} for this. */
  public boolean needs(String row, SortedMap<String, String> point) {
    return !hopeless && point.equals(group.factors()) && (row.equals(engine) || row.equals(other));
  }

  /** For example {@code zipfian at fsync=off: lmdb and rocksdb (0.800x, 0.620 to 1.03x)}. */
  @Override
  public String toString() {
    String who = engine.equals(other) ? engine : engine + " and " + other;
    return "%s: %s (%s)".formatted(group.label(), who, now);
  }
}

package kvrank.stats;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import kvrank.results.Manifest;
import kvrank.results.Manifest.Adaptive;
import kvrank.results.Outcome;
import kvrank.results.Results;
import kvrank.results.RunRecord;

/**
 * What the repetitions so far do not answer of what an adaptive scenario asks: which engine has the
 * best throughput in each phase but the load, and by how much each other one has less.
 *
 * @param group the phase at a factor point
 * @param engine an engine that needs more repetitions
 * @param best the best by median, which then needs them too; {@code engine} itself if it is its own
 *     interval that is too wide
 * @param now what is known, for a person
 * @param hopeless whether neither is repeated for this: one of the two failed twice in a row, or
 *     what is left of repetitions and budget is unlikely to settle it
 */
public record OpenComparison(
    Group group, String engine, String best, String now, boolean hopeless) {

  private static final int FEW = 4;

  /** Returns what {@code results} leave open; nothing if the scenario has a fixed number. */
  public static List<OpenComparison> of(Results results) {
    List<OpenComparison> open = new ArrayList<>();
    int left = left(results);
    for (Ranking ranking : asked(results)) {
      ranking.standings().forEach(each -> open.addAll(of(results, ranking, each, left)));
    }
    return open;
  }

  /** Says what {@code results} have come to, which leave {@code open}. */
  public static String known(List<OpenComparison> open, Results results) {
    if (!open.isEmpty()) {
      String more = open.size() > FEW ? "; and %d more".formatted(open.size() - FEW) : "";
      return open.stream()
          .limit(FEW)
          .map(OpenComparison::toString)
          .collect(joining("; ", "not settled: ", more));
    }
    boolean any = asked(results).stream().anyMatch(each -> each.standings().size() > 1);
    return any ? "every comparison is settled" : "there is nothing to compare";
  }

  /** The throughputs that the question is about, if the values decide over repetitions. */
  private static List<Ranking> asked(Results results) {
    return results.manifest().adaptive().isEmpty() ? List.of() : Rankings.throughputs(results);
  }

  /**
   * How many more repetitions two engines can have, if what is left of the budget is theirs alone.
   * Of what was looked at before somebody asked for more it is what was left then, so that nothing
   * is made up for in repetitions that are over.
   */
  private static int left(Results results) {
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

  private static List<OpenComparison> of(
      Results results, Ranking ranking, Standing standing, int left) {
    Adaptive adaptive = results.manifest().adaptive().orElseThrow();
    String engine = standing.engine();
    String best = adaptive.interval().isPresent() ? engine : ranking.standings().get(0).engine();
    String now;
    if (adaptive.interval().isPresent()) {
      Estimate estimate = standing.estimate();
      double reach =
          Math.max(estimate.high() / estimate.value(), estimate.value() / estimate.low());
      if (reach <= 1 + adaptive.interval().get()) {
        return List.of();
      }
      now = Double.isFinite(reach) ? "interval ×÷%.3g" : "no interval yet";
      now = now.formatted(reach);
    } else if (engine.equals(best) || ranking.verdict(engine, best).settled(adaptive.ratio())) {
      return List.of();
    } else {
      Ratio ratio = standing.ratio();
      now = "%.3gx".formatted(ratio.value());
      now += ratio.hasInterval() ? ", %.3g to %.3gx".formatted(ratio.low(), ratio.high()) : "";
    }
    Group group = ranking.group();
    if (failing(results, engine, group) || failing(results, best, group)) {
      now += ", failed twice in a row";
      return List.of(new OpenComparison(group, engine, best, now, true));
    }
    PairVerdict verdict = ranking.verdict(engine, best);
    if (left > 0 && verdict.outOfReach(adaptive.ratio(), left)) {
      int needed = verdict.blocksToSettle(adaptive.ratio(), DetectableRatio.MOST);
      now +=
          ", set aside: at this noise %s %d repetitions would settle it"
              .formatted(needed < DetectableRatio.MOST ? "about" : "more than", needed);
      return List.of(new OpenComparison(group, engine, best, now, true));
    }
    return List.of(new OpenComparison(group, engine, best, now, false));
  }

  /** Whether the last two repetitions of {@code engine} were not completed. */
  private static boolean failing(Results results, String engine, Group group) {
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
    return !hopeless && point.equals(group.factors()) && (row.equals(engine) || row.equals(best));
  }

  /** For example {@code zipfian at fsync=off: lmdb and rocksdb (0.800x, 0.620 to 1.03x)}. */
  @Override
  public String toString() {
    String who = engine.equals(best) ? engine : engine + " and " + best;
    return "%s: %s (%s)".formatted(group.label(), who, now);
  }
}

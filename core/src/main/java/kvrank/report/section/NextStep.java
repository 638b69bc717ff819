package kvrank.report.section;

import java.util.List;
import java.util.Optional;
import kvrank.report.block.Quantities;
import kvrank.results.ExecutionResults;
import kvrank.results.Manifest.Adaptive;
import kvrank.results.ShellWord;
import kvrank.stats.RankingIndex;
import kvrank.stats.Rankings;
import kvrank.stats.infer.DetectableRatio;
import kvrank.stats.infer.Estimate;
import kvrank.stats.infer.PairVerdict;

/** The command that settles comparisons that an execution left open. */
public final class NextStep {

  /** The most repetitions that are proposed. */
  private static final int MOST_REPETITIONS = 100;

  private NextStep() {}

  /**
   * Returns the next step to settle open comparisons of {@code results}, a folder, with the command
   * in a line of its own; empty if none is open. It is a new execution, as an extended one of three
   * or more repetitions has only a tenth of its level left ({@link
   * kvrank.stats.infer.SequentialPlan}).
   */
  public static String of(RankingIndex index, String results) {
    Answers answers = new Answers(index);
    String folder = ShellWord.of(results);
    ExecutionResults measured = index.results();
    if (!answers.open()) {
      return "";
    }
    int planned = measured.manifest().repetitions();
    double noise = Rankings.noise(measured);
    if (!Double.isFinite(noise)) {
      return "Not settled; to continue:\n./kvrank run --resume %s --repetitions %d"
          .formatted(folder, Math.max(planned + 1, Estimate.FEWEST));
    }
    String more = "Not settled; to %s (runs vary by %s):\n./kvrank run %s --repetitions %d";
    String scenario = ShellWord.of(results + "/scenario.yaml");
    Optional<Double> interval = measured.manifest().adaptive().flatMap(Adaptive::interval);
    if (interval.isPresent()) {
      int needed = Estimate.needed(interval.get(), noise);
      if (needed <= MOST_REPETITIONS) {
        return more.formatted(
            "get intervals of " + Quantities.portion(interval.get()) + " to each side",
            Quantities.portion(noise),
            scenario,
            Math.max(needed, planned + 1));
      }
    }
    double goal = measured.manifest().adaptive().map(Adaptive::ratio).orElse(PairVerdict.EQUAL);
    for (double ratio : List.of(goal, 1.2, 1.5, 2.0)) {
      int needed = DetectableRatio.needed(answers.engines(), ratio, noise);
      int repetitions = needed > planned ? needed : 2 * planned;
      if (interval.isEmpty() && ratio >= goal && repetitions <= MOST_REPETITIONS) {
        return more.formatted(
            "detect " + Quantities.ratio(ratio), Quantities.portion(noise), scenario, repetitions);
      }
    }
    return "Not settled, and runs vary by %s: more repetitions would hardly help. Stop whatever else uses this machine, or use another one"
        .formatted(Quantities.portion(noise));
  }
}

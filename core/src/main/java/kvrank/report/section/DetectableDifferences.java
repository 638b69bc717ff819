package kvrank.report.section;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import kvrank.report.block.Quantities;
import kvrank.stats.infer.DetectableRatio;
import kvrank.stats.infer.Estimate;

/** The differences between engines that a number of repetitions can detect, as a sentence. */
public final class DetectableDifferences {

  private static final List<Double> RATIOS = List.of(1.05, 1.1, 1.2, 1.5, 2.0);

  private DetectableDifferences() {}

  /**
   * Returns the differences that four of five tables detect after each of {@code repetitions}, and
   * the number of repetitions that some differences need. Noise is the standard deviation of the
   * logarithms of an engine's runs; {@code looked} if values are tested after every repetition.
   */
  public static String of(
      int engines, SortedSet<Integer> repetitions, boolean looked, double noise) {
    int most = repetitions.last();
    if (most < Estimate.FEWEST) {
      return Quantities.counted(most, "repetition")
          + " cannot distinguish a difference from noise; 3 can";
    }
    List<String> shown = new ArrayList<>();
    for (int n : repetitions) {
      double ratio =
          looked
              ? DetectableRatio.looked(engines, n, most, noise)
              : DetectableRatio.of(engines, n, noise);
      String size = Double.isNaN(ratio) ? "" : Quantities.factor(ratio);
      shown.add(
          shown.isEmpty()
              ? "with %d repetitions of %d engines, %s can be found"
                  .formatted(
                      n, engines, size.isEmpty() ? "no difference" : "a difference of " + size)
              : "with %d, %s".formatted(n, size.isEmpty() ? "none" : "one of " + size));
    }
    List<String> needed = new ArrayList<>();
    int fewest = 0;
    for (int i = 0; i < RATIOS.size() && fewest != Estimate.FEWEST; i++) {
      fewest = DetectableRatio.needed(engines, RATIOS.get(i), noise);
      boolean all = fewest == Estimate.FEWEST && i < RATIOS.size() - 1;
      String ratio = RATIOS.get(i).toString().replaceFirst("\\.0$", "");
      needed.add(
          "%s%d show %sx%s"
              .formatted(
                  fewest < Estimate.MOST_NEEDED ? "" : "more than ",
                  fewest,
                  ratio,
                  all ? " and more" : ""));
    }
    return "%s in 4 of 5 tables; %s%s"
        .formatted(
            String.join("; ", shown),
            looked ? "with a fixed number, " : "",
            String.join(", ", needed));
  }
}

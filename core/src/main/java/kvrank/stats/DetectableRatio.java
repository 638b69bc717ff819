package kvrank.stats;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * What a table can find before it is measured: the smallest ratio between two engines that is found
 * in four of five tables.
 *
 * <p>Noise is the standard deviation of the logarithms of a value, within blocks. The level is that
 * of the first step, as if all other pairs were equal; engines further apart make it easier.
 */
public final class DetectableRatio {

  private DetectableRatio() {}

  /**
   * The ratio, above 1; infinite if so few repetitions find nothing.
   *
   * @param engines how many engines are compared, at least 2
   * @param repetitions how often each of them is measured
   */
  public static double of(int engines, int repetitions, double noise) {
    int pairs = engines * (engines - 1) / 2;
    return of(engines, repetitions, noise, (1 - Estimate.CONFIDENCE) / pairs);
  }

  /** The ratio that {@code plan} finds at the latest in its last repetition. */
  public static double of(int engines, SequentialPlan plan, double noise) {
    return of(engines, plan.atMost(), noise, plan.lastLevel(engines));
  }

  private static double of(int engines, int repetitions, double noise, double level) {
    if (repetitions < BlockAnalysis.FEWEST) {
      return Double.POSITIVE_INFINITY;
    }
    List<Contrast> contrasts = BlockAnalysis.expected(engines, repetitions, noise);
    return new PairTest(0, repetitions, PairVerdict.Basis.REPETITIONS, contrasts)
        .detectable(level, PairVerdict.POWER);
  }

  /** The fewest repetitions, up to {@code atMost}, that find {@code ratio}, which is above 1. */
  public static OptionalInt repetitions(int engines, double ratio, double noise, int atMost) {
    return IntStream.rangeClosed(BlockAnalysis.FEWEST, atMost)
        .filter(repetitions -> of(engines, repetitions, noise) <= ratio)
        .findFirst();
  }

  /**
   * The noise that a table shows: what is left in each engine's logarithms without the means of
   * engines and blocks, as the engine's standard deviation; the median of the engines. NaN if fewer
   * than two engines share two blocks.
   */
  public static double noise(BlockTable table) {
    double[] deviations = BlockAnalysis.deviations(table);
    Arrays.sort(deviations);
    int n = deviations.length;
    return n == 0 ? Double.NaN : (deviations[(n - 1) / 2] + deviations[n / 2]) / 2;
  }
}

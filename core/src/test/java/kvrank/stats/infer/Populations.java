package kvrank.stats.infer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToDoubleFunction;

/** What repetitions could be drawn from, with known geometric means. */
public final class Populations {

  /**
   * A population.
   *
   * @param typical the geometric mean
   * @param draw one value
   */
  public record Population(double typical, ToDoubleFunction<Random> draw) {

    public List<Double> sample(int n, Random random) {
      List<Double> sample = new ArrayList<>();
      for (int i = 0; i < n; i++) {
        sample.add(draw.applyAsDouble(random));
      }
      return sample;
    }
  }

  private Populations() {}

  /** Lognormal with a coefficient of variation {@code cv}. */
  public static Population lognormal(double median, double cv) {
    double sigma = Math.sqrt(Math.log(1 + cv * cv));
    return new Population(median, random -> median * Math.exp(sigma * random.nextGaussian()));
  }

  /** Every run is slowed down by an exponential share of 5 % on average: skewed to one side. */
  static Population slowed() {
    return new Population(
        // The mean of log(1 + x/20) for an exponential x is e²⁰E₁(20).
        1000 * Math.exp(-0.0477185),
        random -> 1000 / (1 - 0.05 * Math.log(1 - random.nextDouble())));
  }

  /** Gamma of shape 4 in the logarithm: somewhat skewed. */
  static Population leaning() {
    return new Population(
        1000 * Math.exp(-0.025 * 4),
        random -> {
          double gamma = 0;
          for (int i = 0; i < 4; i++) {
            gamma -= Math.log(1 - random.nextDouble());
          }
          return 1000 * Math.exp(-0.025 * gamma);
        });
  }

  /** Those that intervals are checked with. */
  public static Map<String, Population> all() {
    Map<String, Population> all = new LinkedHashMap<>();
    all.put("lognormal, cv 2 %", lognormal(1000, 0.02));
    all.put("lognormal, cv 10 %", lognormal(1000, 0.1));
    all.put("slowed", slowed());
    all.put("leaning", leaning());
    return all;
  }
}

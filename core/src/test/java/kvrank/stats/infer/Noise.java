package kvrank.stats.infer;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/** What makes repetitions differ, in the logarithm of a value: by engine and block. */
@FunctionalInterface
public interface Noise {

  /** Draws a table of {@code engines} rows and {@code blocks} columns; no engine is better. */
  double[][] draw(int engines, int blocks, RandomGenerator random);

  /** What one value of one engine is drawn from. */
  @FunctionalInterface
  interface Value {
    double draw(RandomGenerator random);
  }

  /** Every value from the same population. */
  static Noise of(Value value) {
    return (engines, blocks, random) -> {
      double[][] table = new double[engines][blocks];
      for (double[] row : table) {
        for (int b = 0; b < blocks; b++) {
          row[b] = value.draw(random);
        }
      }
      return table;
    };
  }

  /** A lognormal value. */
  static Noise normal(double deviation) {
    return of(random -> deviation * random.nextGaussian());
  }

  /** Every run is slower by an exponential share. */
  static Noise slowed(double mean) {
    return of(random -> -Math.log1p(mean * random.nextExponential()));
  }

  static Noise uniform(double half) {
    return of(random -> half * (2 * random.nextDouble() - 1));
  }

  /** Two speeds: a share of the runs is a fifth slower, with noise of 2 %. */
  static Noise bimodal(double share) {
    return of(
        random -> 0.02 * random.nextGaussian() + (random.nextDouble() < share ? Math.log(0.8) : 0));
  }

  /** With a drift of the machine from the first block to the last one, common to all engines. */
  default Noise drifting(double drift) {
    return (engines, blocks, random) -> {
      double[][] table = draw(engines, blocks, random);
      for (double[] row : table) {
        for (int b = 0; b < blocks; b++) {
          row[b] += drift * b / (blocks - 1.0);
        }
      }
      return table;
    };
  }

  /** With a random walk of the machine, common to all engines. */
  default Noise wandering(double step) {
    return (engines, blocks, random) -> {
      double[][] table = draw(engines, blocks, random);
      double level = 0;
      for (int b = 0; b < blocks; b++) {
        level += step * random.nextGaussian();
        for (double[] row : table) {
          row[b] += level;
        }
      }
      return table;
    };
  }

  /** With some engines noisier than the others: the first {@code many} by {@code factor}. */
  default Noise unequal(int many, double factor) {
    return (engines, blocks, random) -> {
      double[][] table = draw(engines, blocks, random);
      for (int e = 0; e < Math.min(many, engines - 1); e++) {
        for (int b = 0; b < blocks; b++) {
          table[e][b] *= factor;
        }
      }
      return table;
    };
  }

  /** A lognormal value, the deviation of each engine a lognormal one around {@code median}. */
  static Noise eachItsOwn(double median) {
    return (engines, blocks, random) -> {
      double[][] table = normal(median).draw(engines, blocks, random);
      for (double[] row : table) {
        double factor = Math.exp(random.nextGaussian());
        Arrays.setAll(row, b -> factor * row[b]);
      }
      return table;
    };
  }

  /** Every second engine is far behind the next, and each pair is equal: a partial null. */
  static double[] pairs(int engines) {
    double[] effects = new double[engines];
    for (int e = 0; e < engines; e++) {
      effects[e] = engines == 3 ? (e == 2 ? -2 : 0) : -2 * (e / 2);
    }
    return effects;
  }

  /** Half of the first engine's runs are a fifth slower; the mean logarithms are all equal. */
  static Noise firstOfTwoSpeeds() {
    return (engines, blocks, random) -> {
      double[][] table = normal(0.02).draw(engines, blocks, random);
      for (int b = 0; b < blocks; b++) {
        table[0][b] += Math.log(0.8) * (random.nextBoolean() ? 0.5 : -0.5);
      }
      return table;
    };
  }

  /** With what an engine has in common over an execution: a column of this is an execution's. */
  default Noise plus(double[] logs) {
    return (engines, blocks, random) -> {
      double[][] table = draw(engines, blocks, random);
      for (int e = 0; e < engines; e++) {
        for (int b = 0; b < blocks; b++) {
          table[e][b] += logs[e];
        }
      }
      return table;
    };
  }

  /** Those of whole reports, by their names in the docs. */
  static Map<String, Noise> ofReports() {
    Map<String, Noise> noises = new LinkedHashMap<>();
    noises.put("lognormal, 3 %", normal(0.03));
    noises.put("one 4 times as noisy", normal(0.02).unequal(1, 4));
    noises.put("one 8 times as noisy", normal(0.02).unequal(1, 8));
    noises.put("each its own noise", eachItsOwn(0.03));
    noises.put("drift of 30 %", normal(0.01).drifting(0.3));
    noises.put("two speeds, 20 %", bimodal(0.2));
    noises.put("two speeds, 50 %", bimodal(0.5));
    return noises;
  }

  /** Those that the level is held for, by their names in the docs. */
  static Map<String, Noise> all() {
    Map<String, Noise> all = new LinkedHashMap<>();
    all.put("lognormal, 3 %", normal(0.03));
    all.put("slowed", slowed(0.05));
    all.put("uniform", uniform(0.05));
    all.put("two speeds, 10 %", bimodal(0.1));
    all.put("two speeds, 20 %", bimodal(0.2));
    all.put("two speeds, 30 %", bimodal(0.3));
    all.put("two speeds, 50 %", bimodal(0.5));
    all.put("drift of 30 %", normal(0.01).drifting(0.3));
    all.put("wandering", normal(0.02).wandering(0.03));
    all.put("one 3 times as noisy", normal(0.03).unequal(1, 3));
    all.put("one 5 times as noisy", normal(0.03).unequal(1, 5));
    all.put("one 10 times as noisy", normal(0.01).unequal(1, 10));
    all.put("some 4 times as noisy", normal(0.02).unequal(2, 4));
    all.put("each its own noise", eachItsOwn(0.03));
    return all;
  }
}

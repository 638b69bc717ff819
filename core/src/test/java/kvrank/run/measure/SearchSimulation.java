package kvrank.run.measure;

import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.random.RandomGenerator;
import kvrank.stats.Tables;
import kvrank.stats.infer.PairwiseComparisons;
import org.apache.commons.math3.stat.descriptive.rank.Median;

/** Searches for the rate at which the p99 of a simulated engine crosses its bound. */
public final class SearchSimulation {

  private static final double CAPACITY = 100_000;

  private SearchSimulation() {}

  /**
   * An engine whose p99 rises as that of a queue, by 1 / (1 - utilization), or has a wall: a
   * constant p99 up to a rate that it cannot exceed.
   *
   * @param utilization at which the p99 crosses the bound
   * @param noise standard deviation of the logarithm of a measured p99
   * @param unlimited factor of the throughput without a rate, which varies by 0.5 %, too
   */
  public record Engine(double utilization, boolean wall, double noise, double unlimited) {

    public static Engine queue(double utilization, double noise) {
      return new Engine(utilization, false, noise, 1);
    }

    public static Engine wall(double utilization, double noise) {
      return new Engine(utilization, true, noise, 1);
    }

    /** The same engine, with a throughput without a rate that is higher by half a percent. */
    public Engine faster() {
      return new Engine(utilization, wall, noise, 1.005 * unlimited);
    }

    /** Measures the logarithm of p99 over the bound. */
    private double excess(double rate, RandomGenerator random) {
      double used = rate / CAPACITY;
      if (used > (wall ? utilization : 1) / 0.95) {
        return Double.POSITIVE_INFINITY;
      }
      double queued = Math.log((1 - utilization) / Math.max(1e-3, 1 - used));
      double walled = used > utilization ? 3 : -1;
      return (wall ? walled : queued) + noise * random.nextGaussian();
    }

    /** Returns a completed search. */
    RateSearch search(RandomGenerator random) {
      double reached = CAPACITY * unlimited * Math.exp(0.005 * random.nextGaussian());
      RateSearch search = new RateSearch(reached, random.nextDouble());
      for (OptionalDouble next = search.next(); next.isPresent(); next = search.next()) {
        search.tried(excess(next.getAsDouble(), random));
      }
      return search;
    }

    double[] logs(int searches, RandomGenerator random) {
      double[] logs = new double[searches];
      Arrays.setAll(logs, i -> Math.log(search(random).found().orElseThrow()));
      return logs;
    }
  }

  /** Returns the median of the found rates, relative to the rate at which the p99 crosses. */
  public static double bias(Engine engine, int searches, RandomGenerator random) {
    double median = new Median().evaluate(engine.logs(searches, random));
    return Math.exp(median) / CAPACITY / engine.utilization - 1;
  }

  /** Returns the share of tables with {@code repetitions} that separate the engines. */
  public static double separated(
      Engine one, Engine other, int repetitions, int tables, RandomGenerator random) {
    int separated = 0;
    for (int i = 0; i < tables; i++) {
      double[][] logs = {one.logs(repetitions, random), other.logs(repetitions, random)};
      separated += Tables.anySeparated(PairwiseComparisons.of(Tables.ofLogs(logs))) ? 1 : 0;
    }
    return (double) separated / tables;
  }
}

package kvrank.workload.pace;

import kvrank.workload.random.CounterRandom;

/**
 * A Poisson process: gaps are {@code -ln(1 - u)} times the mean, {@code u} uniform in [0, 1). The
 * processes of all threads add up to one with the sum of the rates.
 */
public final class PoissonSchedule implements ArrivalSchedule {

  private final double mean;
  private final CounterRandom random;
  private long number;
  private double time;

  /**
   * @param mean gap between two requests of the thread, in nanoseconds
   * @param key seeds the gaps
   */
  public PoissonSchedule(double mean, long key) {
    this.mean = mean;
    this.random = new CounterRandom(key);
    this.time = gap(0);
  }

  private double gap(long index) {
    random.seek(index);
    return -Math.log1p(-random.nextDouble()) * mean;
  }

  @Override
  public long due(long asked) {
    while (number < asked) {
      time += gap(++number);
    }
    return (long) time;
  }
}

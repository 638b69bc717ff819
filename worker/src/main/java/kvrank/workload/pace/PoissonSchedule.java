package kvrank.workload.pace;

import kvrank.workload.random.CounterRandom;

/**
 * A Poisson process: each gap is {@code -ln(1 - u)} times the mean gap, with {@code u} uniform in
 * [0, 1). Several such processes together are one of the sum of their rates, so the threads need
 * not know of each other.
 */
public final class PoissonSchedule implements ArrivalSchedule {

  private final double mean;
  private final long key;
  private final CounterRandom random;
  private long number;
  private double time;

  /**
   * @param mean the mean gap between two requests of the thread, in nanoseconds
   * @param key names the sequence of gaps
   */
  public PoissonSchedule(double mean, long key) {
    this.mean = mean;
    this.key = key;
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

  @Override
  public long dueBefore(long nanos) {
    PoissonSchedule ahead = new PoissonSchedule(mean, key);
    ahead.number = number;
    ahead.time = time;
    while (ahead.time < nanos) {
      ahead.due(ahead.number + 1);
    }
    return ahead.number;
  }
}

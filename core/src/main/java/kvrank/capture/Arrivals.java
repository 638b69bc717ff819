package kvrank.capture;

import java.util.ArrayList;
import java.util.List;

/** How evenly commands come, by how many came in each tenth of a second. */
public final class Arrivals {

  private final List<Double> seconds = new ArrayList<>();
  private final List<Double> commands = new ArrayList<>();

  /** Adds a stretch of time and the commands that came in it. */
  public void add(double time, double count) {
    seconds.add(time);
    commands.add(Math.max(0, count));
  }

  /** Returns the commands per second. */
  double rate() {
    return sum(commands) / sum(seconds);
  }

  /** Returns the highest rate of a stretch by the rate of all. */
  public double peak() {
    double most = 0;
    for (int i = 0; i < seconds.size(); i++) {
      most = Math.max(most, commands.get(i) / seconds.get(i));
    }
    return most / rate();
  }

  /**
   * Returns the index of dispersion, the variance of the counts by their mean: 1 if arrivals are
   * independent of each other, less if they are evenly spread, more if they come in bursts.
   */
  public double dispersion() {
    double sum = 0;
    for (int i = 0; i < seconds.size(); i++) {
      double mean = rate() * seconds.get(i);
      sum += (commands.get(i) - mean) * (commands.get(i) - mean) / mean;
    }
    return sum / (seconds.size() - 1);
  }

  private static double sum(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).sum();
  }
}

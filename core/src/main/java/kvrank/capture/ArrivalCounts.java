package kvrank.capture;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** How evenly commands arrive, from counts per tenth of a second. */
public final class ArrivalCounts {

  private record Stretch(double seconds, double commands) {}

  private final List<Stretch> stretches = new ArrayList<>();

  /** Adds an interval and the number of commands in it. */
  public void add(double seconds, double commands) {
    stretches.add(new Stretch(seconds, Math.max(0, commands)));
  }

  /** Returns the commands per second. */
  double rate() {
    return sum(Stretch::commands) / sum(Stretch::seconds);
  }

  /** Returns the highest rate of an interval, as a multiple of the mean rate. */
  public double peak() {
    return stretches.stream().mapToDouble(each -> each.commands / each.seconds).max().orElse(0)
        / rate();
  }

  /**
   * Returns the index of dispersion, the variance of the counts divided by their mean: 1 if
   * arrivals are independent of each other, less if they are evenly spread, more if they come in
   * bursts.
   */
  public double dispersion() {
    double rate = rate();
    return sum(each -> Math.pow(each.commands - rate * each.seconds, 2) / (rate * each.seconds))
        / (stretches.size() - 1);
  }

  private double sum(ToDoubleFunction<Stretch> part) {
    return stretches.stream().mapToDouble(part).sum();
  }
}

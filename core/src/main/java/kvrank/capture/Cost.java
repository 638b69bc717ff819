package kvrank.capture;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.apache.commons.math3.stat.StatUtils;

/**
 * What a capture costs its server: CPU and latency of seconds in which it looks, against those of
 * seconds in between in which it does not. It ends a capture that costs much, or whose server slows
 * down, whoever is behind that.
 */
final class Cost {

  /** What the capture does in a second; nothing is a PING each 20 ms all the same. */
  enum Activity {
    NOTHING,
    SAMPLING,
    MONITOR;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Seconds at the beginning that say how fast the server is when it is left alone. */
  static final int QUIET_SECONDS = 3;

  /** A server is slow when its median latency is so many times what it was and a millisecond. */
  private static final double SLOWER = 3;

  private static final double SLOWER_MICROS = 1_000;

  /** For so many seconds one after the other. */
  private static final int SLOW_SECONDS = 3;

  /** Cores, and how many seconds have to say so. */
  private static final double MOST_CORES = 0.05;

  private static final int LEAST_SECONDS = 10;

  private final Map<Activity, List<Double>> cores = new EnumMap<>(Activity.class);
  private final Map<Activity, List<double[]>> micros = new EnumMap<>(Activity.class);
  private double usual;
  private int slow;

  Cost() {
    for (Activity each : Activity.values()) {
      cores.put(each, new ArrayList<>());
      micros.put(each, new ArrayList<>());
    }
  }

  /**
   * Adds a second.
   *
   * @param used the server's CPU time by the time that passed
   * @param latencies of its PINGs, in microseconds
   * @throws IOException if the capture has to end; the message is the end of a sentence
   */
  void add(Activity activity, double used, double... latencies) throws IOException {
    cores.get(activity).add(used);
    micros.get(activity).add(latencies);
    double median = latencies.length == 0 ? Double.NaN : StatUtils.percentile(latencies, 50);
    if (cores.values().stream().mapToInt(List::size).sum() == QUIET_SECONDS) {
      usual = StatUtils.percentile(latencies(Activity.NOTHING), 50);
    }
    slow = usual > 0 && median > SLOWER * usual + SLOWER_MICROS ? slow + 1 : 0;
    if (slow == SLOW_SECONDS) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "the server slows down: it answers PING within %.1f ms, and %.1f ms at first",
              median / 1e3,
              usual / 1e3));
    }
    if (cores.get(activity).size() >= LEAST_SECONDS
        && points(activity) / 100 - 2 * deviation(activity) / 100 > MOST_CORES) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "%s costs the server %.1f %% of a core",
              activity.label(),
              points(activity)));
    }
  }

  /** Returns whether there was such a second. */
  boolean has(Activity activity) {
    return !cores.get(activity).isEmpty();
  }

  /** Returns by how much CPU more the server takes, in percent of a core. */
  double points(Activity activity) {
    return 100 * (mean(activity) - mean(Activity.NOTHING));
  }

  /** Returns the standard deviation of {@link #points}. */
  double deviation(Activity activity) {
    return 100 * Math.sqrt(variance(activity) + variance(Activity.NOTHING));
  }

  /** Returns the server's CPU in such seconds, in cores. */
  double mean(Activity activity) {
    return StatUtils.mean(used(activity));
  }

  private double variance(Activity activity) {
    double[] used = used(activity);
    return StatUtils.variance(used) / used.length;
  }

  private double[] used(Activity activity) {
    return cores.get(activity).stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** Returns the latency of a percentile, in microseconds. */
  double latency(Activity activity, double percentile) {
    return StatUtils.percentile(latencies(activity), percentile);
  }

  private double[] latencies(Activity activity) {
    return micros.get(activity).stream().flatMapToDouble(DoubleStream::of).toArray();
  }
}

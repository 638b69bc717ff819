package kvrank.capture;

import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.StatUtils;
import org.apache.commons.math3.stat.descriptive.DescriptiveStatistics;

/**
 * The cost of a capture to the server: CPU and latency in seconds with the capture's activity,
 * compared with seconds in between without. It ends a capture that costs much, or whose server
 * slows down for any reason.
 */
final class Cost {

  /** The capture's activity in a second. A PING every 0.25 s is sent even for {@code NOTHING}. */
  enum Activity {
    NOTHING,
    SAMPLING,
    MONITOR
  }

  /** Seconds at the start that show how fast the server is without the capture. */
  static final int QUIET_SECONDS = 3;

  /** A server is slow if its median latency exceeds three times the first one by a millisecond. */
  private static final double SLOWER = 3;

  private static final double SLOWER_MICROS = 1_000;

  /** The latency of a second without an answer to PING. */
  private static final double SECOND_MICROS = 1e6;

  private static final int SLOW_SECONDS = 3;

  /** In percent of a core, exceeded significantly over at least {@link #LEAST_SECONDS} seconds. */
  private static final double MOST_POINTS = 5;

  private static final int LEAST_SECONDS = 4;

  private final Map<Activity, DescriptiveStatistics> percents = new EnumMap<>(Activity.class);
  private final Map<Activity, DescriptiveStatistics> micros = new EnumMap<>(Activity.class);
  private int seconds;
  private double usual;
  private int slow;

  /**
   * Adds a second.
   *
   * @param cores the server's CPU time divided by the elapsed time
   * @param latencies latencies of PING in microseconds
   * @throws IOException if the capture has to end; the message is the end of a sentence
   */
  void add(Activity activity, double cores, double... latencies) throws IOException {
    of(percents, activity).addValue(100 * cores);
    DoubleStream.of(latencies).forEach(of(micros, activity)::addValue);
    if (++seconds == QUIET_SECONDS) {
      usual = latency(Activity.NOTHING, 50);
    }
    double median = latencies.length == 0 ? SECOND_MICROS : StatUtils.percentile(latencies, 50);
    slow = usual > 0 && median > SLOWER * usual + SLOWER_MICROS ? slow + 1 : 0;
    if (slow == SLOW_SECONDS) {
      throw new IOException(
          "the server slows down: PING takes %.1f ms, and took %.1f ms at first"
              .formatted(median / 1e3, usual / 1e3));
    }
    if (of(percents, activity).getN() >= LEAST_SECONDS
        && points(activity) - 3 * deviation(activity) > MOST_POINTS) {
      throw new IOException(
          "%s costs the server %.1f %% of a core".formatted(label(activity), points(activity)));
    }
  }

  private static DescriptiveStatistics of(
      Map<Activity, DescriptiveStatistics> statistics, Activity activity) {
    return statistics.computeIfAbsent(activity, each -> new DescriptiveStatistics());
  }

  private static String label(Activity activity) {
    return activity == Activity.MONITOR ? "MONITOR" : "sampling";
  }

  private double latency(Activity activity, double percentile) {
    return of(micros, activity).getPercentile(percentile);
  }

  /** Returns the additional CPU time of the server, in percent of a core. */
  double points(Activity activity) {
    return of(percents, activity).getMean() - of(percents, Activity.NOTHING).getMean();
  }

  /** Returns the standard deviation of {@link #points}, whose two sides vary equally. */
  private double deviation(Activity activity) {
    double squares = squares(activity) + squares(Activity.NOTHING);
    double counts =
        1.0 / of(percents, activity).getN() + 1.0 / of(percents, Activity.NOTHING).getN();
    return Math.sqrt(squares / freedom(activity) * counts);
  }

  private double squares(Activity activity) {
    return of(percents, activity).getVariance() * (of(percents, activity).getN() - 1);
  }

  private long freedom(Activity activity) {
    return of(percents, activity).getN() + of(percents, Activity.NOTHING).getN() - 2;
  }

  /** Returns the half width of the 95 % interval of {@link #points}, by Student's distribution. */
  private double interval(Activity activity) {
    return deviation(activity)
        * new TDistribution(freedom(activity)).inverseCumulativeProbability(0.975);
  }

  /** Returns the cost of an activity as a sentence; empty if it did not take place. */
  String of(Activity activity) {
    String sentence =
        "Cost of %s to the server: %.2f +- %.2f %% of a core, added to %.1f %% without; PING p50"
            + " %.0f us, p99 %.0f us, without %.0f us, %.0f us. ";
    return of(percents, activity).getN() == 0
        ? ""
        : sentence.formatted(
            label(activity),
            points(activity),
            interval(activity),
            of(percents, Activity.NOTHING).getMean(),
            latency(activity, 50),
            latency(activity, 99),
            latency(Activity.NOTHING, 50),
            latency(Activity.NOTHING, 99));
  }
}

package kvrank.scenario;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The number of runs of each engine at each factor point, or the rule that decides it.
 *
 * @param atLeast runs before the values are examined
 * @param atMost maximum number of runs; {@code atLeast} if the number is fixed
 * @param ratio engines within this ratio count as equal: their comparison is settled without
 *     separation
 * @param interval required half-width of each throughput's confidence interval, as a share of the
 *     throughput; empty if the engines have to be separated
 * @param compare the comparisons to settle: two engines, or one against all others; {@link #BEST}
 *     is the best of a phase, and {@link #NEIGHBOURS} are engines next to each other in the order
 * @param budget for all runs together
 * @param patience total time to wait for a quiet machine; with zero, disturbed runs are not
 *     repeated
 */
public record Repetitions(
    int atLeast,
    int atMost,
    double ratio,
    Optional<Double> interval,
    List<List<String>> compare,
    Optional<Duration> budget,
    Duration patience) {

  /** The name for the engine with the best throughput. */
  public static final String BEST = "best";

  /** The name for every two engines whose order is not known, and which no known one is between. */
  public static final String NEIGHBOURS = "neighbours";

  /** What is settled unless a scenario says otherwise: the whole order. */
  public static final List<List<String>> RANKS = List.of(List.of(BEST), List.of(NEIGHBOURS));

  /** Engines within this ratio count as equal. */
  public static final double EQUAL = 1.1;

  /** The default patience. */
  public static final Duration PATIENCE = Duration.ofMinutes(2);

  public static final int DEFAULT = 3;

  /** The largest fixed number. */
  public static final int MOST = 1_000;

  /** More looks at the values would leave a single look with a level of significance too small. */
  public static final int MOST_LOOKS = 100;

  public static Repetitions fixed(int repetitions) {
    return fixed(repetitions, PATIENCE);
  }

  public static Repetitions fixed(int repetitions, Duration patience) {
    return new Repetitions(
        repetitions, repetitions, EQUAL, Optional.empty(), List.of(), Optional.empty(), patience);
  }

  /** Returns up to {@code most} repetitions, without the budget: the user asked for more. */
  public Repetitions upTo(int most) {
    return adaptive()
        ? new Repetitions(atLeast, most, ratio, interval, compare, Optional.empty(), patience)
        : fixed(most, patience);
  }

  /** Returns whether the measured values decide the number. */
  public boolean adaptive() {
    return atMost > atLeast;
  }
}

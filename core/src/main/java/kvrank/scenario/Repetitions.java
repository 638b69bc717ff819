package kvrank.scenario;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How often each engine runs at each factor point.
 *
 * @param atLeast as often as that before anyone looks at the values
 * @param atMost not more often; the same if the number is fixed
 * @param ratio how far two engines may be apart for their comparison to be settled although they
 *     are not separated
 * @param interval how far the interval of a throughput may reach to each side for that to be known,
 *     as a share of it; empty if what is asked is which engines are separated
 * @param compare what the repetitions are to settle: two engines, or one with which each other one
 *     is compared; {@link #BEST} is the best of a phase, and if there are none, it is asked about
 * @param budget how long all runs may take together
 * @param patience how long to wait in all until others leave the machine alone; zero to measure at
 *     once, and what others disturbed only once
 */
public record Repetitions(
    int atLeast,
    int atMost,
    double ratio,
    Optional<Double> interval,
    List<List<String>> compare,
    Optional<Duration> budget,
    Duration patience) {

  /** What stands for the engine with the best throughput. */
  public static final String BEST = "best";

  /** Two engines are called equal within that. */
  public static final double EQUAL = 1.1;

  /** The patience of a scenario that does not say. */
  public static final Duration PATIENCE = Duration.ofMinutes(2);

  public static final int DEFAULT = 3;

  /** What a scenario's repetitions may be at most. */
  public static final int MOST = 1_000;

  /** With so many looks at the values the levels of the single ones are still of use. */
  public static final int MOST_LOOKS = 100;

  public static Repetitions fixed(int repetitions) {
    return fixed(repetitions, PATIENCE);
  }

  public static Repetitions fixed(int repetitions, Duration patience) {
    return new Repetitions(
        repetitions, repetitions, EQUAL, Optional.empty(), List.of(), Optional.empty(), patience);
  }

  /** Returns more of them, at most {@code most}; who adds some has the time. */
  public Repetitions upTo(int most) {
    return adaptive()
        ? new Repetitions(atLeast, most, ratio, interval, compare, Optional.empty(), patience)
        : fixed(most, patience);
  }

  /** Returns whether the values decide when there are enough. */
  public boolean adaptive() {
    return atMost > atLeast;
  }
}

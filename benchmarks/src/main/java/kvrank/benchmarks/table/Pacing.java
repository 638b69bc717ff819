package kvrank.benchmarks.table;

/**
 * How long and how often things are measured.
 *
 * @param pairs how often both sides run, in turn
 * @param warmupSeconds warm-up of a JVM
 * @param seconds measured time
 * @param patienceSeconds longest wait for a quiet machine
 * @param noisePercent share of the machine that others may use during a pair; more repeats it
 */
public record Pacing(
    int pairs, int warmupSeconds, int seconds, int patienceSeconds, int noisePercent) {

  public static final Pacing DEFAULT = new Pacing(5, 3, 4, 60, 5);

  /** Whether others used so little of the machine that the pair counts. */
  public boolean quiet(Pair pair) {
    return 100 * pair.noise() <= noisePercent;
  }

  /** How many pairs are measured at most, in the search for quiet ones. */
  public int mostPairs() {
    return 3 * pairs;
  }
}

package kvrank.benchmarks;

/**
 * How long and how often things are measured.
 *
 * @param pairs how often both sides run, in turn
 * @param warmupSeconds what a JVM gets before its operations count
 * @param seconds what counts
 * @param patienceSeconds how long a measurement waits for a quiet machine, at most
 */
record Pacing(int pairs, int warmupSeconds, int seconds, int patienceSeconds) {

  static final Pacing DEFAULT = new Pacing(5, 3, 4, 60);
}

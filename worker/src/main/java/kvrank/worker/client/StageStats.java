package kvrank.worker.client;

import java.util.Set;

/**
 * Counts and latencies of the clients of one thread, by the stages of a phase. With histograms of
 * their own, thousands of clients would fill the heap.
 *
 * @param compensation of compensating inserts in the measured time
 */
record StageStats(ThreadStats warmup, ThreadStats measured, ThreadStats compensation) {

  /** Those of a client whose thread has another client that shows them. */
  static final StageStats SHOWN = new StageStats(empty(), empty(), empty());

  static StageStats of(PhaseSetup setup, int client) {
    return new StageStats(setup.stats(client), setup.stats(client), empty());
  }

  private static ThreadStats empty() {
    return new ThreadStats(Set.of(), false);
  }
}

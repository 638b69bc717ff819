package kvrank.worker.phase;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.worker.client.PhaseStages;
import kvrank.worker.client.ThreadStats;
import kvrank.worker.protocol.MachineBarrier;
import kvrank.worker.protocol.Steadiness;
import org.HdrHistogram.Histogram;

/**
 * A thread that does nothing but sleep for four milliseconds at a time, for as long as requests
 * count. By how much it oversleeps is what the machine, the JVM's pauses and the scheduler did to
 * every thread meanwhile, the engine aside (after Gil Tene's jHiccup). It also notes throughput and
 * what the JVM used.
 *
 * <p>It costs under 0.5 % of a core, at 250 wake-ups per second.
 */
final class HiccupMonitor {

  private static final long SLEEP_NANOS = 4_000_000;

  private static final int PLACES = 64;
  private static final long SHORTEST_WINDOW_NANOS = 10_000_000;

  private final Supplier<PhaseStages.Answers> warmedUp;
  private final LongSupplier done;
  private final Histogram hiccups = new Histogram(ThreadStats.SIGNIFICANT_DIGITS);
  private final ThroughputWindows windows = new ThroughputWindows(PLACES, SHORTEST_WINDOW_NANOS);
  private final Thread thread = new Thread(this::watch, "hiccup-monitor");
  private long origin;
  private PhaseStages stages;
  private MachineBarrier machines;
  private JvmUsage before;
  private JvmUsage after;
  private volatile boolean over;

  /**
   * @param warmedUp the answers of the warm-up, for any thread to ask
   * @param done the number of those that count, likewise
   */
  HiccupMonitor(Supplier<PhaseStages.Answers> warmedUp, LongSupplier done) {
    this.warmedUp = warmedUp;
    this.done = done;
    // The first call loads classes, which is to be over before the phase begins.
    this.before = JvmUsage.now();
    this.after = before;
  }

  /**
   * Begins with the warm-up, whose end it finds.
   *
   * @param origin the start, as {@link System#nanoTime} tells it
   * @param machines where all machines agree on the end of the warm-up
   */
  void start(long origin, PhaseStages stages, MachineBarrier machines) {
    this.machines = machines;
    this.origin = origin;
    this.stages = stages;
    thread.setDaemon(true);
    thread.start();
  }

  private void watch() {
    stages.watch(origin, warmedUp, () -> over, machines);
    long begin = origin + stages.measureNanos();
    while (!over && System.nanoTime() < begin) {
      LockSupport.parkNanos(begin - System.nanoTime());
    }
    long now = System.nanoTime();
    // A pause that began before that is one of what counts, too.
    record(hiccups, Math.max(0, now - begin));
    before = JvmUsage.now();
    windows.begin(begin, 0);
    // Each sleep is due by the end of the one before it, so a pause between two of them is seen.
    long due = now + SLEEP_NANOS;
    while (!over) {
      LockSupport.parkNanos(due - System.nanoTime());
      now = System.nanoTime();
      if (now >= due) {
        record(hiccups, now - due);
        due = now + SLEEP_NANOS;
      }
      if (windows.due(now)) {
        windows.end(now, done.getAsLong());
      }
    }
    // A pause that goes on beyond the end is one, too; being woken there is none.
    now = System.nanoTime();
    if (now > due) {
      record(hiccups, now - due);
    }
    after = JvmUsage.now();
  }

  /**
   * Enters a sleep that was too long by {@code nanos}, and those that would have been begun in the
   * meantime: as jHiccup does, so that a pause weighs as much as the time that it took.
   */
  static void record(Histogram hiccups, long nanos) {
    hiccups.recordValueWithExpectedInterval(nanos, SLEEP_NANOS);
  }

  /** Ends it, and waits for that. */
  void stop() throws InterruptedException {
    over = true;
    LockSupport.unpark(thread);
    thread.join();
  }

  /** By how much each sleep was too long, in nanoseconds; after {@link #stop}. */
  Histogram hiccups() {
    return hiccups;
  }

  /** Adds what it saw to {@code facts}; after {@link #stop}. */
  void tell(Facts facts) {
    after.since(before, facts);
    if (hiccups.getTotalCount() > 0) {
      facts.put(Fact.HICCUP_P99_NANOS, hiccups.getValueAtPercentile(99));
      facts.put(Fact.HICCUP_MAX_NANOS, hiccups.getMaxValue());
    }
    SteadyState state = SteadyState.of(windows.counts());
    facts.put(Fact.STEADY, state.verdict().fact());
    if (state.verdict() != Steadiness.UNKNOWN) {
      facts.put(Fact.DRIFT, state.drift());
    }
  }
}

package kvrank.worker.phase;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.fact.YesNo;
import kvrank.worker.client.PhaseStages;
import kvrank.worker.client.ThreadStats;
import kvrank.worker.protocol.MachineBarrier;
import org.HdrHistogram.Histogram;

/**
 * A thread that sleeps for four milliseconds at a time while requests count. Its oversleeping shows
 * the delays by machine, JVM and scheduler (after Gil Tene's jHiccup). It also samples throughput
 * and JVM usage, and costs under 0.5 % of a core.
 */
final class HiccupMonitor {

  private static final long SLEEP_NANOS = 4_000_000;

  private static final int PLACES = 64;
  private static final long SHORTEST_WINDOW_NANOS = 10_000_000;

  private final Supplier<PhaseStages.Look> look;
  private final LongSupplier compiler;
  private final LongSupplier done;
  private final Histogram hiccups = new Histogram(ThreadStats.SIGNIFICANT_DIGITS);
  private final ThroughputWindows windows = new ThroughputWindows(PLACES, SHORTEST_WINDOW_NANOS);
  private final Thread thread = new Thread(this::watch, "hiccup-monitor");
  private long origin;
  private PhaseStages stages;
  private MachineBarrier machines;
  private Consumer<PhaseStages.Look> windowEnds;
  private JvmUsage before;
  private JvmUsage after;
  private volatile boolean over;

  /**
   * @param look looks at the warm-up, in any thread
   * @param compiler processor time of the JVM's compiler threads, in nanoseconds
   * @param done the number of records that count, for any thread
   */
  HiccupMonitor(Supplier<PhaseStages.Look> look, LongSupplier compiler, LongSupplier done) {
    this.look = look;
    this.compiler = compiler;
    this.done = done;
    // Loads classes before the phase begins.
    this.before = JvmUsage.now(compiler);
    this.after = before;
  }

  /**
   * Starts with the warm-up.
   *
   * @param origin the start, by {@link System#nanoTime}
   * @param machines agrees on the end of the warm-up
   * @param windowEnds receives the ends of the windows of a warm-up until throughput is steady
   */
  void start(
      long origin,
      PhaseStages stages,
      MachineBarrier machines,
      Consumer<PhaseStages.Look> windowEnds) {
    this.machines = machines;
    this.windowEnds = windowEnds;
    this.origin = origin;
    this.stages = stages;
    thread.setDaemon(true);
    thread.start();
  }

  private void watch() {
    stages.watch(
        origin,
        look,
        () -> over,
        machines,
        counts -> SteadyState.of(counts).verdict() == YesNo.YES,
        windowEnds);
    long begin = origin + stages.measureNanos();
    while (!over && System.nanoTime() < begin) {
      LockSupport.parkNanos(begin - System.nanoTime());
    }
    long now = System.nanoTime();
    // A pause that began in the warm-up counts too.
    record(hiccups, Math.max(0, now - begin));
    before = JvmUsage.now(compiler);
    windows.begin(begin, 0);
    // Each sleep is due by the end of the previous one, so pauses in between are seen.
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
    // A pause beyond the end counts; being woken does not.
    now = System.nanoTime();
    if (now > due) {
      record(hiccups, now - due);
    }
    after = JvmUsage.now(compiler);
  }

  /**
   * Records an oversleep of {@code nanos}, and those that it hid, so that a pause weighs as much as
   * its time (as in jHiccup).
   */
  static void record(Histogram hiccups, long nanos) {
    hiccups.recordValueWithExpectedInterval(nanos, SLEEP_NANOS);
  }

  void stop() throws InterruptedException {
    over = true;
    LockSupport.unpark(thread);
    thread.join();
  }

  /** Returns the oversleeps, in nanoseconds; after {@link #stop}. */
  Histogram hiccups() {
    return hiccups;
  }

  /** Adds the observations to {@code facts}; after {@link #stop}. */
  void tell(Facts facts) {
    after.since(before, facts);
    if (hiccups.getTotalCount() > 0) {
      facts.put(Fact.HICCUP_P99_NANOS, hiccups.getValueAtPercentile(99));
      facts.put(Fact.HICCUP_MAX_NANOS, hiccups.getMaxValue());
    }
  }

  /** Adds whether throughput was steady; after {@link #stop}. */
  void tellSteadiness(Facts facts) {
    SteadyState state = SteadyState.of(windows.counts());
    facts.put(Fact.STEADY, state.verdict());
    if (!Double.isNaN(state.drift())) {
      facts.put(Fact.DRIFT, state.drift());
    }
  }
}

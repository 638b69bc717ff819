package kvrank.worker.phase;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import kvrank.binding.EngineCounters;
import kvrank.worker.client.PhaseSetup;

/** A thread that asks the engine for its {@linkplain EngineCounters figures} once a second. */
final class CounterSampler {

  private static final long SECOND_NANOS = 1_000_000_000;

  private final EngineCounters engine;
  private final String phase;
  private final PhaseLog log;
  private final Thread thread = new Thread(this::watch, "counter-sampler");
  private long origin;
  private volatile boolean over;

  private CounterSampler(EngineCounters engine, String phase, PhaseLog log) {
    this.engine = engine;
    this.phase = phase;
    this.log = log;
  }

  /** Starts to sample the engine of {@code setup}; empty if it has no figures, or none are kept. */
  static Optional<CounterSampler> start(PhaseSetup setup, long origin, PhaseLog log) {
    Optional<CounterSampler> sampler =
        setup
            .counters()
            .filter(any -> log.keepsCounters())
            .map(engine -> new CounterSampler(engine, setup.phase().name(), log));
    sampler.ifPresent(
        each -> {
          each.origin = origin;
          each.thread.setDaemon(true);
          each.thread.start();
        });
    return sampler;
  }

  private void watch() {
    boolean answered = false;
    for (long second = 0; !over; second++) {
      long due = origin + second * SECOND_NANOS;
      while (!over && System.nanoTime() < due) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      if (!over) {
        answered |= sample();
        if (!answered) {
          return; // it has no figures
        }
      }
      // After a late answer, the seconds in between have none.
      second = Math.max(second, (System.nanoTime() - origin) / SECOND_NANOS);
    }
  }

  /** Returns whether the engine answered. */
  private boolean sample() {
    StringBuilder lines = new StringBuilder();
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - origin);
    try {
      engine.addCounters(
          new EngineCounters.Figures() {
            @Override
            public void gauge(String name, double value) {
              lines.append("%s,%d,%s,false,%s\n".formatted(phase, millis, name, value));
            }

            @Override
            public void total(String name, double value) {
              lines.append("%s,%d,%s,true,%s\n".formatted(phase, millis, name, value));
            }
          });
    } catch (Exception e) {
      return false; // this second has no figures
    }
    log.counters(lines.toString());
    return true;
  }

  void stop() throws InterruptedException {
    over = true;
    LockSupport.unpark(thread);
    thread.join(); // an embedded engine must not be closed while it is asked
  }
}

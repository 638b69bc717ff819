package kvrank.worker.phase;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import kvrank.binding.EngineCounters;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.worker.client.PhaseSetup;

/**
 * A thread that asks the engine for its {@linkplain EngineCounters figures} once a second, and at
 * the edges of the measured time if the engine counts the bytes of its files.
 */
final class CounterSampler {

  private static final long SECOND_NANOS = 1_000_000_000;

  /** Totals whose growth in the measured time becomes facts. */
  private static final Set<String> GROWING =
      Set.of(EngineCounters.Figures.STORAGE_READ, EngineCounters.Figures.STORAGE_WRITTEN);

  private final EngineCounters engine;
  private final String phase;
  private final PhaseLog log;
  private final Thread thread = new Thread(this::watch, "counter-sampler");
  private final Map<String, Double> newest = new HashMap<>();
  private Map<String, Double> begin = Map.of();
  private long origin;
  private volatile boolean measuring;
  private volatile boolean over;

  private CounterSampler(EngineCounters engine, String phase, PhaseLog log) {
    this.engine = engine;
    this.phase = phase;
    this.log = log;
  }

  /**
   * Returns a sampler of the engine of {@code setup}, before its first request; empty if it has no
   * figures, or none are kept.
   */
  static Optional<CounterSampler> of(PhaseSetup setup, PhaseLog log) {
    Optional<CounterSampler> sampler =
        setup
            .counters()
            .filter(any -> log.keepsCounters())
            .map(engine -> new CounterSampler(engine, setup.phase().name(), log));
    if (setup.stages().measureNanos() == 0) {
      sampler.ifPresent(CounterSampler::begin);
    }
    return sampler;
  }

  /** Takes the totals before the first request of a phase without a warm-up. */
  private void begin() {
    figures(0);
    begin = Map.copyOf(newest);
  }

  /** Starts with the warm-up, at {@code start} by {@link System#nanoTime}. */
  void start(long start) {
    origin = start;
    thread.setDaemon(true);
    thread.start();
  }

  private void watch() {
    boolean answered = false;
    for (long second = 0; !over; second++) {
      long due = origin + second * SECOND_NANOS;
      while (!over && System.nanoTime() < due) {
        LockSupport.parkNanos(due - System.nanoTime());
        if (measuring && begin.isEmpty() && !newest.isEmpty()) {
          sample();
        }
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
    if (!begin.isEmpty()) {
      sample();
    }
  }

  /** Returns whether the engine has figures. */
  private boolean sample() {
    boolean first = measuring && begin.isEmpty();
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - origin);
    Optional<String> lines = figures(millis);
    lines.ifPresent(log::counters);
    begin = first ? Map.copyOf(newest) : begin;
    return lines.isPresent();
  }

  /** Returns the lines of the current figures; empty if the engine has none or does not answer. */
  private Optional<String> figures(long millis) {
    StringBuilder lines = new StringBuilder();
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
              if (GROWING.contains(name)) {
                newest.put(name, value);
              }
            }
          });
      return Optional.of(lines.toString()).filter(any -> !any.isEmpty());
    } catch (Exception e) {
      return Optional.empty(); // this second has no figures
    }
  }

  /** Starts the measured time. */
  void measure() {
    measuring = true;
    LockSupport.unpark(thread);
  }

  /** Ends with the measured time; returns the engine's own counts of bytes read and written. */
  Facts stop() throws InterruptedException {
    over = true;
    LockSupport.unpark(thread);
    thread.join(); // an embedded engine must not be closed while it is asked
    Facts growth = new Facts();
    growth(EngineCounters.Figures.STORAGE_READ)
        .ifPresent(bytes -> growth.put(Fact.COUNTED_READ_BYTES, bytes));
    growth(EngineCounters.Figures.STORAGE_WRITTEN)
        .ifPresent(bytes -> growth.put(Fact.COUNTED_WRITTEN_BYTES, bytes));
    return growth;
  }

  private OptionalLong growth(String total) {
    return begin.containsKey(total)
        ? OptionalLong.of(Math.round(newest.get(total) - begin.get(total)))
        : OptionalLong.empty();
  }
}

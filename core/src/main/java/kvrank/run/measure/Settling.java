package kvrank.run.measure;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.fact.YesNo;
import kvrank.machine.ProcessSample;
import kvrank.run.measure.ResourceSampler.Ended;
import kvrank.run.worker.BrokenException;
import kvrank.workload.request.DurationFormat;

/**
 * Waits after a phase until the engine's background work is over.
 *
 * <p>An engine is idle once its process has used next to no CPU time and no storage for a while,
 * and it reports no work that runs or waits. Without such reports, the while is longer. The time
 * that counts ends where the while began.
 *
 * @param phase the engine's process when the phase ended, from which on its work counts
 * @param samples the engine's process now; empty if it cannot be observed
 * @param reports the engine's own figures now
 */
record Settling(Ended phase, Samples samples, Reports reports) {

  /** Ends a wait for an engine that never becomes idle. */
  static final Duration LIMIT = Duration.ofMinutes(30);

  private static final Duration INTERVAL = Duration.ofMillis(200);

  /** How long an idle engine is watched: one that reports its work, and any other. */
  private static final Duration KNOWN = Duration.ofSeconds(1);

  private static final Duration UNKNOWN = Duration.ofSeconds(3);

  /** An idle server or JVM has timers, which use less than this share of a core. */
  private static final double CPU_SHARE = 0.1;

  /** The same for what they write per second, such as a line of a log. */
  private static final long BYTES_PER_SECOND = 64 * 1024;

  /** Samples a process. */
  interface Samples {
    Optional<ProcessSample> get();
  }

  /** Asks an engine. */
  interface Reports {
    Facts get() throws InterruptedException, BrokenException;
  }

  /** A sample, and whether the engine reported work. */
  private record Moment(long nanos, ProcessSample sample, boolean busy) {

    boolean quietSince(Moment first) {
      double seconds = (nanos - first.nanos) / 1e9;
      ProcessSample used = sample.since(first.sample);
      return used.cpuSeconds() < CPU_SHARE * seconds
          && bytes(used.readBytes()) + bytes(used.writtenBytes()) < BYTES_PER_SECOND * seconds;
    }
  }

  /** Returns whether there is anything by which an engine can be found idle. */
  boolean possible() throws InterruptedException, BrokenException {
    return samples.get().isPresent() || reports.get().has(Fact.ENGINE_PENDING_WORK);
  }

  /**
   * Waits as {@code settle} states: for a time, or until the engine is idle, at most {@link
   * #LIMIT}.
   */
  Facts await(String settle) throws InterruptedException, BrokenException {
    Optional<Duration> time = DurationFormat.parse(settle);
    long end = System.nanoTime() + time.orElse(LIMIT).toNanos();
    Deque<Moment> moments = new ArrayDeque<>();
    OptionalLong idle = OptionalLong.empty();
    while (System.nanoTime() < end && (time.isPresent() || idle.isEmpty())) {
      Facts now = reports.get();
      moments.add(new Moment(System.nanoTime(), sample(), busy(now)));
      idle = idle(moments, now.has(Fact.ENGINE_PENDING_WORK) ? KNOWN : UNKNOWN);
      if (time.isPresent() || idle.isEmpty()) {
        TimeUnit.MILLISECONDS.sleep(INTERVAL.toMillis());
      }
    }
    ProcessSample used = sample().since(phase.sample());
    Facts facts = new Facts().put(Fact.SETTLE_IDLE, idle.isPresent() ? YesNo.YES : quiet(moments));
    idle.ifPresent(since -> facts.put(Fact.SETTLE_NANOS, Math.max(0, since - phase.nanos())));
    used.writtenBytes().ifPresent(bytes -> facts.put(Fact.SETTLE_WRITTEN_BYTES, bytes));
    used.readBytes().ifPresent(bytes -> facts.put(Fact.SETTLE_READ_BYTES, bytes));
    return facts;
  }

  /** Returns since when the engine has been idle, if it was for {@code watch}. */
  private static OptionalLong idle(Deque<Moment> moments, Duration watch) {
    Moment last = moments.getLast();
    // Only the newest samples of the watch count.
    while (moments.size() > 1
        && last.nanos - moments.getFirst().nanos > watch.plus(INTERVAL).toNanos()) {
      moments.removeFirst();
    }
    Moment first = moments.getFirst();
    boolean idle =
        last.nanos - first.nanos >= watch.toNanos()
            && moments.stream().noneMatch(Moment::busy)
            && last.quietSince(first);
    return idle ? OptionalLong.of(first.nanos) : OptionalLong.empty();
  }

  /** Returns {@code unknown} after a wait that was shorter than the watch, but without any work. */
  private static YesNo quiet(Deque<Moment> moments) {
    boolean whole =
        moments.size() > 1
            && moments.stream().noneMatch(Moment::busy)
            && moments.getLast().quietSince(moments.getFirst());
    return whole ? YesNo.UNKNOWN : YesNo.NO;
  }

  private ProcessSample sample() {
    return samples.get().orElse(ProcessSample.NONE);
  }

  private static boolean busy(Facts reports) {
    return reports.number(Fact.ENGINE_PENDING_WORK) > 0;
  }

  private static long bytes(OptionalLong some) {
    return some.orElse(0);
  }
}

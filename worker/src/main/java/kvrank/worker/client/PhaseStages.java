package kvrank.worker.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import kvrank.worker.protocol.MachineBarrier;
import kvrank.worker.protocol.WorkerPhase;
import kvrank.workload.request.Limits;
import kvrank.workload.request.Operation;

/**
 * The stages of a phase for all clients: warm-up, measured time, and a grace period for late
 * requests. Times are nanoseconds after the start.
 *
 * <p>A closed loop's warm-up lasts until throughput is level and the JVM's compiler is quiet: at
 * least the requested time, at most {@value #LONGEST} times that. If misses are filled, the hit
 * ratio must be level too, within {@value #LONGEST_FILLING} times the requested time. While the
 * compiler works, a short warm-up lasts as much longer, but at most {@value #COMPILED_NANOS} ns.
 * The end is announced shortly ahead, so that all clients see it in time.
 *
 * <p>A warm-up until throughput is steady has windows of equal work instead. The clients write as
 * many bytes as the data set has in {@value #PER_DATA} of them, or without writes request as many
 * records: a store reaches its steady state after a number of bytes, not after a time (Didona and
 * others, VLDB 14, 2021). These are the clients' bytes and not the device's, so that an engine that
 * writes more does not warm up for less.
 */
public final class PhaseStages {

  /** Longest warm-up, as a multiple of the requested one. */
  static final int LONGEST = 3;

  /** Longest warm-up while misses fill a cache. */
  static final int LONGEST_FILLING = 10;

  /**
   * Beside two clients, two cores compile most engines' code in this time. The exceptions are H2's
   * MVStore, which takes 4.6 s of processor time, and Xodus.
   */
  static final long COMPILED_NANOS = 5_000_000_000L;

  /**
   * Throughput is level if the last two of {@value #LOOKS} parts of the requested time differ from
   * the two before by at most this, beyond the noise of counts.
   */
  private static final double TOLERATED = 0.05;

  /**
   * The compiler is quiet if its threads used at most this share of one core's time in the last two
   * parts: what it still compiles takes little from the clients.
   */
  private static final double QUIET = 0.05;

  /**
   * The hit ratio is level within a point over the last two quarters of the warm-up so far: a cache
   * gains little in a fixed time long before it is full.
   */
  private static final double TOLERATED_HITS = 0.01;

  /**
   * Windows per size of the data. With ten, ten minutes of RocksDB had too few of them to tell
   * whether its throughput was steady.
   */
  private static final int PER_DATA = 30;

  /**
   * The fewest of the newest windows that must be steady: three times the data. A longer warm-up
   * needs two thirds of its windows: the fewest cannot tell if compactions vary throughput by more
   * than a tenth.
   */
  private static final int STEADY_WINDOWS = 3 * PER_DATA;

  private static final long SHORTEST_WINDOW_NANOS = 10_000_000;

  private static final long NEVER = Long.MAX_VALUE;
  private static final long LEAD_NANOS = 20_000_000;
  private static final int LOOKS = 8;

  private static final Duration SHORTEST_GRACE = Duration.ofSeconds(1);
  private static final Duration LONGEST_GRACE = Duration.ofSeconds(10);

  private final long plannedNanos;
  private final long durationNanos;
  private final long graceNanos;
  private final boolean fills;
  private final int longest;
  private final boolean untilSteady;
  private final boolean writes;
  private final double data;
  private volatile Optional<Steadied> steady = Optional.empty();
  private volatile Optional<Boolean> hitRatioLevel = Optional.empty();
  private volatile long measureNanos;
  private volatile long deadlineNanos;

  /**
   * @param records of the data set that this machine's clients are responsible for
   * @param recordBytes the mean size of one, key and value
   */
  PhaseStages(WorkerPhase phase, double records, double recordBytes) {
    Limits limits = phase.settings().limits();
    boolean load = phase.kind() == WorkerPhase.Kind.LOAD;
    // Records drained in a warm-up could not be drained again.
    plannedNanos = load || phase.mix().drain() ? 0 : limits.warmup().toNanos();
    boolean timed = !load && !limits.counted() && !limits.duration().isZero();
    durationNanos = timed ? limits.duration().toNanos() : NEVER;
    boolean open = phase.settings().pacing().open();
    // Late requests of one group would run without the load of the others, which have ended.
    boolean mixed = phase.paced() && !open;
    graceNanos =
        phase.kind() == WorkerPhase.Kind.TRACE
            ? NEVER
            : mixed ? 0 : grace(limits.duration()).toNanos();
    fills = phase.mix().fill();
    untilSteady = limits.untilSteady();
    // An insert follows each delete of a mix without inserts.
    writes =
        phase.operations().stream()
            .anyMatch(each -> each.storesValue() || each == Operation.DELETE);
    data = writes ? records * recordBytes : records;
    longest = untilSteady ? 1 : fills ? LONGEST_FILLING : LONGEST;
    boolean prolonged = plannedNanos > LEAD_NANOS && !open;
    deadlineNanos = NEVER;
    measureNanos = NEVER;
    if (!prolonged) {
      measureFrom(plannedNanos);
    }
  }

  private static Duration grace(Duration measured) {
    Duration most = measured.compareTo(LONGEST_GRACE) < 0 ? measured : LONGEST_GRACE;
    return most.compareTo(SHORTEST_GRACE) < 0 ? SHORTEST_GRACE : most;
  }

  private void measureFrom(long nanos) {
    deadlineNanos = durationNanos == NEVER ? NEVER : nanos + durationNanos;
    measureNanos = nanos;
  }

  /** Returns the elapsed share of the longest time of the phase; 0 if no time ends it. */
  public double over(long nanos) {
    if (durationNanos == NEVER) {
      return 0;
    }
    long deadline = deadlineNanos;
    long end = deadline == NEVER ? longest * plannedNanos + durationNanos : deadline;
    return Math.min(1, nanos / (double) end);
  }

  /** Returns when requests begin to count; {@link Long#MAX_VALUE} while unknown. */
  public long measureNanos() {
    return measureNanos;
  }

  /** Returns whether a time ends the phase. */
  public boolean timed() {
    return durationNanos != NEVER;
  }

  /**
   * Returns when no further request begins in a closed loop or is due in an open one; {@link
   * Long#MAX_VALUE} while unknown.
   */
  public long deadlineNanos() {
    return deadlineNanos;
  }

  /** When no further request begins in an open loop, even if it was due in time. */
  long giveUpNanos() {
    // A trace is replayed completely.
    return durationNanos == NEVER || graceNanos == NEVER ? NEVER : deadlineNanos + graceNanos;
  }

  /**
   * The state of a warm-up.
   *
   * @param nanos when, by {@link System#nanoTime}
   * @param done all records that are OK so far
   * @param hits records that reads found
   * @param misses records that reads did not find
   * @param compilerNanos processor time of the JVM's compiler threads
   * @param writtenBytes keys and values that were written
   */
  public record Look(
      long nanos, long done, long hits, long misses, long compilerNanos, long writtenBytes) {

    private Look since(Look before) {
      return new Look(
          nanos - before.nanos,
          done - before.done,
          hits - before.hits,
          misses - before.misses,
          compilerNanos - before.compilerNanos,
          writtenBytes - before.writtenBytes);
    }

    private double reads() {
      return hits + misses;
    }
  }

  /**
   * Returns whether the hit ratio was level at the end of the warm-up; empty if the warm-up did not
   * wait for that.
   */
  public Optional<Boolean> hitRatioLevel() {
    return hitRatioLevel;
  }

  /**
   * The end of a warm-up until throughput was steady.
   *
   * @param reached whether it was
   * @param turnover the bytes written, or without writes the records requested, by those of the
   *     data
   */
  public record Steadied(boolean reached, double turnover) {}

  /** Returns the end of the warm-up; empty if it did not wait for steady throughput. */
  public Optional<Steadied> steady() {
    return steady;
  }

  /**
   * Watches the warm-up until its end is known.
   *
   * @param origin the start, by {@link System#nanoTime}
   * @param look looks at the warm-up, in any thread
   * @param over whether the phase has ended already
   * @param machines agrees on the end with all machines
   * @param level whether counts of records in windows of equal length are steady
   * @param windows receives the start of the first window and the end of each
   */
  public void watch(
      long origin,
      Supplier<Look> look,
      BooleanSupplier over,
      MachineBarrier machines,
      Predicate<long[]> level,
      Consumer<Look> windows) {
    if (measureNanos != NEVER) {
      return;
    }
    if (untilSteady) {
      watchWindows(origin, look, over, level, windows);
    } else {
      watchTime(origin, look, over);
    }
    MachineBarrier barrier = over.getAsBoolean() ? MachineBarrier.NONE : machines;
    measureFrom(barrier.await(LEAD_NANOS) - origin);
  }

  private void watchWindows(
      long origin,
      Supplier<Look> look,
      BooleanSupplier over,
      Predicate<long[]> level,
      Consumer<Look> windows) {
    List<Long> rates = new ArrayList<>();
    Look first = new Look(origin, 0, 0, 0, 0, 0);
    Look begin = first;
    Look now = first;
    windows.accept(first);
    boolean reached = false;
    int enough = STEADY_WINDOWS;
    while (!reached && !over.getAsBoolean() && System.nanoTime() < origin + plannedNanos) {
      LockSupport.parkNanos(SHORTEST_WINDOW_NANOS);
      now = look.get();
      Look window = now.since(begin);
      if (turnover(window) >= 1.0 / PER_DATA && window.nanos >= SHORTEST_WINDOW_NANOS) {
        begin = now;
        windows.accept(now);
        rates.add(Math.round(1e9 * window.done / window.nanos));
        if (rates.size() >= enough) {
          // A test takes as long as there are windows.
          enough += Math.max(1, rates.size() / 100);
          int newest = Math.max(STEADY_WINDOWS, 2 * rates.size() / 3);
          reached =
              level.test(
                  rates.stream().skip(rates.size() - newest).mapToLong(Long::longValue).toArray());
        }
      }
    }
    steady = Optional.of(new Steadied(reached, turnover(now)));
  }

  private double turnover(Look work) {
    return (writes ? work.writtenBytes : work.done) / data;
  }

  private void watchTime(long origin, Supplier<Look> look, BooleanSupplier over) {
    long step = plannedNanos / LOOKS;
    Look[] looks = new Look[LOOKS * LONGEST_FILLING + 1];
    for (int i = 1; i < looks.length; i++) {
      long due = origin + i * step - LEAD_NANOS;
      while (System.nanoTime() < due && !over.getAsBoolean()) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      looks[i] = look.get();
      if (i >= LOOKS) {
        Look before = looks[i - 2].since(looks[i - 4]);
        Look after = looks[i].since(looks[i - 2]);
        int part = i / 4;
        boolean hits =
            !fills
                || hitsLevel(
                    looks[i - part].since(looks[i - 2 * part]), looks[i].since(looks[i - part]));
        hitRatioLevel = fills ? Optional.of(hits) : Optional.empty();
        boolean late = i >= LOOKS * LONGEST;
        boolean compiled = quiet(after) || (late && i * step >= COMPILED_NANOS);
        boolean even = late || level(before.done, after.done);
        if (compiled && ((hits && even) || i >= LOOKS * longest)) {
          break;
        }
      }
    }
  }

  private static boolean quiet(Look after) {
    return after.compilerNanos <= QUIET * after.nanos;
  }

  private static boolean hitsLevel(Look before, Look after) {
    double reads = before.reads() + after.reads();
    double ratio = (before.hits + after.hits) / reads;
    double chance = 2 * Math.sqrt(ratio * (1 - ratio) * (1 / before.reads() + 1 / after.reads()));
    // Without reads, or if all hit or all miss, there is nothing to wait for.
    return !(Math.abs(after.hits / after.reads() - before.hits / before.reads())
        > TOLERATED_HITS + chance);
  }

  private static boolean level(long earlier, long later) {
    double before = earlier;
    double after = later;
    return Math.abs(after - before) <= TOLERATED * before + 2 * Math.sqrt(before + after);
  }
}

package kvrank.run.measure;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Supplier;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.machine.BackgroundLoad;
import kvrank.machine.DiskWaits;
import kvrank.machine.MemoryOfOthers;
import kvrank.machine.ProcessSample;
import kvrank.machine.RunDelay;
import kvrank.machine.ShortageWatch;
import kvrank.machine.TimerInterrupts;

/**
 * Watches what others do to a run. Its facts about a phase decide whether that is disturbed; the
 * caller synchronizes.
 */
final class OthersWatch implements AutoCloseable {

  /** The CPUs that others must use to make ours wait; the threads of few are too short. */
  private static final double BUSY = 0.5;

  /** If server and clients use more than this share of all CPUs, they wait for each other. */
  private static final double CROWDED = 0.9;

  private final List<Long> processes;
  private final Supplier<ProcessSample> ours;
  private final boolean packets;
  private final Optional<DiskWaits> waits;
  private final Optional<MemoryOfOthers> memory;
  private final OptionalLong limit;
  private long files;
  private OptionalDouble crowding = OptionalDouble.empty();
  private BackgroundLoad background = new BackgroundLoad(0, false);
  private double oursBefore;
  private RunDelay delayBefore = new RunDelay(0, 0);
  private OptionalLong refaultsBefore = OptionalLong.empty();
  private Optional<TimerInterrupts> timersBefore = Optional.empty();
  private long begunNanos = System.nanoTime();
  private int samples;
  private int samplesShortOfTcp;

  /**
   * Creates a watch.
   *
   * @param processes those of server and clients
   * @param ours their latest sample, as a sum
   * @param packets whether the engine is behind a socket
   * @param disk whether its files are on a disk
   * @param cached whether they are in the page cache
   * @param limit of the memory of the engine, the cache of its files included
   */
  OthersWatch(
      List<Long> processes,
      Supplier<ProcessSample> ours,
      boolean packets,
      boolean disk,
      boolean cached,
      OptionalLong limit) {
    this.processes = processes;
    this.ours = ours;
    this.packets = packets;
    this.waits = disk ? Optional.of(DiskWaits.of(processes)) : Optional.empty();
    this.memory = cached ? Optional.of(new MemoryOfOthers()) : Optional.empty();
    this.limit = limit;
  }

  /** Starts a phase. */
  void begin() {
    oursBefore = ours.get().cpuSeconds();
    background = new BackgroundLoad(oursBefore, packets);
    delayBefore = RunDelay.of(processes);
    refaultsBefore = memory.map(MemoryOfOthers::refaults).orElse(OptionalLong.empty());
    timersBefore = TimerInterrupts.now();
    begunNanos = System.nanoTime();
    waits.ifPresent(DiskWaits::begin);
    samples = 0;
    samplesShortOfTcp = 0;
  }

  /** Notes the size of the engine's files. */
  void size(long bytes) {
    files = Math.min(bytes, limit.orElse(bytes));
  }

  /** Looks at what does not last, several times a second. */
  void sample() {
    samples++;
    samplesShortOfTcp += packets && ShortageWatch.tcpIsShort() ? 1 : 0;
    // A file that was dropped from memory stays out of it when there is room again.
    OptionalDouble now =
        memory.map(it -> it.crowding(held(), files)).orElse(OptionalDouble.empty());
    if (now.isPresent()) {
      crowding = OptionalDouble.of(Math.max(now.getAsDouble(), crowding.orElse(0)));
    }
  }

  /** Returns the facts about the phase. */
  Facts end() {
    Optional<BackgroundLoad.Shares> shares = background.shares(ours.get().cpuSeconds());
    Facts facts = shares.map(BackgroundLoad.Shares::facts).orElseGet(Facts::new);
    shares.ifPresent(each -> facts.put(Fact.OTHERS_DELAY_SHARE, delay(each.others())));
    waits
        .map(DiskWaits::share)
        .ifPresent(share -> share.ifPresent(it -> facts.put(Fact.OTHERS_DISK_SHARE, it)));
    refaultsOfOthers().ifPresent(pages -> facts.put(Fact.OTHERS_REFAULTS, pages));
    timersBefore
        .flatMap(before -> TimerInterrupts.now().map(now -> now.excessSince(before)))
        .ifPresent(excess -> excess.ifPresent(rate -> facts.put(Fact.TIMERS_PER_SECOND, rate)));
    crowding.ifPresent(most -> facts.put(Fact.OTHERS_MEMORY_SHARE, most));
    if (packets) {
      facts.put(Fact.TCP_SHORT_SHARE, (double) samplesShortOfTcp / samples);
    }
    return facts;
  }

  /** Returns the share of the time in which others let server and clients wait for a CPU. */
  private double delay(double othersShare) {
    double seconds = (System.nanoTime() - begunNanos) / 1e9;
    double used = ours.get().cpuSeconds() - oursBefore;
    boolean busy = othersShare * background.cpus() > BUSY;
    boolean room = used < CROWDED * background.cpus() * seconds;
    return busy && room ? RunDelay.of(processes).shareSince(delayBefore) : 0;
  }

  /** Returns the pages that were read again since the start although the engine's files fit. */
  private OptionalLong refaultsOfOthers() {
    long held = held();
    return memory
        .filter(others -> others.fits(held, files))
        .filter(any -> held + files < limit.orElse(Long.MAX_VALUE))
        .filter(any -> refaultsBefore.isPresent())
        .map(others -> others.refaultsSince(refaultsBefore.getAsLong()))
        .orElse(OptionalLong.empty());
  }

  /** Returns the bytes that server, clients and kvrank hold. */
  private long held() {
    return ours.get().anonymousBytes()
        + ProcessSample.of(ProcessHandle.current().pid())
            .map(ProcessSample::anonymousBytes)
            .orElse(0L);
  }

  @Override
  public void close() {
    waits.ifPresent(DiskWaits::close);
  }
}

package kvrank.machine;

import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import kvrank.fact.Fact;
import kvrank.fact.Facts;

/**
 * The share of the machine that other processes use, from the creation of this object on: all but
 * this process and those that its creator names. Interrupts belong to no process. Those of our own
 * packets, also on the loopback interface, take less time than the processes that exchange them.
 */
public final class BackgroundLoad {

  // Fields of the first line of /proc/stat after its name; user time includes a guest's.
  private static final int SYSTEM = 2;
  private static final int INTERRUPT = 5;
  private static final int SOFT_INTERRUPT = 6;
  private static final int STEAL = 7;

  private final long[] before = ticks();
  private final double oursBefore;
  private final boolean packets;

  /**
   * Starts.
   *
   * @param ours the CPU seconds so far of kvrank's other processes
   * @param packets whether these exchange packets
   */
  public BackgroundLoad(double ours, boolean packets) {
    this.oursBefore = ours + own();
    this.packets = packets;
  }

  /**
   * Shares of all cores together, in [0, 1].
   *
   * @param others used by others
   * @param steal given by the hypervisor to another machine
   */
  public record Shares(double others, double steal) {

    /** Returns both as facts. */
    public Facts facts() {
      return new Facts().put(Fact.OTHERS_CPU_SHARE, others).put(Fact.STEAL_CPU_SHARE, steal);
    }
  }

  /** Returns the shares, if the system reports them; {@code ours} as for the constructor. */
  public Optional<Shares> shares(double ours) {
    double own = (ours + own() - oursBefore) * ProcessSample.TICKS_PER_SECOND;
    return shares(before, ticks(), own, packets);
  }

  static Optional<Shares> shares(long[] before, long[] now, double own, boolean packets) {
    double all = 0;
    double processes = -own;
    double interrupts = packets ? -own : 0;
    for (int i = 0; i < Math.min(before.length, now.length); i++) {
      all += now[i] - before[i];
      processes += i <= SYSTEM ? now[i] - before[i] : 0;
      interrupts += i == INTERRUPT || i == SOFT_INTERRUPT ? now[i] - before[i] : 0;
    }
    double others = Math.max(0, processes) + Math.max(0, interrupts);
    return all > 0
        ? Optional.of(new Shares(others / all, Math.max(0, now[STEAL] - before[STEAL]) / all))
        : Optional.empty();
  }

  /** Returns user, nice, system, idle, iowait, irq, softirq and steal; nothing without /proc. */
  private static long[] ticks() {
    String text = SystemFile.text(Path.of("/proc/stat")).orElse("");
    long[] ticks =
        Stream.of(text.lines().findFirst().orElse("").split(" +", -1))
            .skip(1)
            .limit(STEAL + 1L)
            .mapToLong(Long::parseLong)
            .toArray();
    return ticks.length > STEAL ? ticks : new long[0];
  }

  private static double own() {
    return ProcessSample.of(ProcessHandle.current().pid())
        .map(ProcessSample::cpuSeconds)
        .orElse(0.0);
  }
}

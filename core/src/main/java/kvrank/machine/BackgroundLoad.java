package kvrank.machine;

import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import kvrank.fact.Fact;
import kvrank.fact.Facts;

/**
 * What part of the machine others use, from the making of this on: all but this process and those
 * that its maker knows of. Interrupts are nobody's: on the loopback interface they are mostly our
 * own packets.
 */
public final class BackgroundLoad {

  // Fields of the first line of /proc/stat, behind its name; a guest's time is in that of the user.
  private static final int SYSTEM = 2;
  private static final int STEAL = 7;

  private final long[] before = ticks();
  private final double oursBefore;

  /** Begins, with the CPU seconds so far of the processes that are not the others. */
  public BackgroundLoad(double ours) {
    this.oursBefore = ours + own();
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

  /** Returns what others used, if the system says; {@code ours} is as at the begin. */
  public Optional<Shares> shares(double ours) {
    double own = (ours + own() - oursBefore) * ProcessSample.TICKS_PER_SECOND;
    long[] now = ticks();
    double all = 0;
    double processes = -own;
    for (int i = 0; i < Math.min(before.length, now.length); i++) {
      all += now[i] - before[i];
      processes += i <= SYSTEM ? now[i] - before[i] : 0;
    }
    return all > 0
        ? Optional.of(
            new Shares(Math.max(0, processes) / all, Math.max(0, now[STEAL] - before[STEAL]) / all))
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

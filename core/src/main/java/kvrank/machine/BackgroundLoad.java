package kvrank.machine;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import kvrank.fact.Fact;
import kvrank.fact.Facts;

/**
 * The share of the machine that other processes use, from the creation of this object on: all but
 * this process and those that its creator names. Interrupts belong to no process. Those of our own
 * packets, also on the loopback interface, take less time than the processes that exchange them.
 *
 * <p>Many kernels account the time of a CPU by its state at timer ticks, where a process that
 * sleeps across them does not appear. But they measure idle time, and the time of each process.
 */
public final class BackgroundLoad {

  // Fields of the first line of /proc/stat after its name; user time includes a guest's.
  private static final int SYSTEM = 2;
  private static final int IDLE = 3;
  private static final int DISK_WAIT = 4; // idle, too
  private static final int INTERRUPT = 5;
  private static final int SOFT_INTERRUPT = 6;
  private static final int STEAL = 7;

  private final Counters before = Counters.now();
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

  /**
   * The counters of {@code /proc/stat}.
   *
   * @param begin when the read began, in seconds by {@link System#nanoTime}
   * @param end when it ended
   * @param cpus the number of CPUs
   * @param ticks user, nice, system, idle, iowait, irq, softirq and steal; nothing without /proc
   */
  record Counters(double begin, double end, long cpus, List<Long> ticks) {

    private static Counters now() {
      double begin = System.nanoTime() / 1e9;
      String text = SystemFile.text(Path.of("/proc/stat")).orElse("");
      double end = System.nanoTime() / 1e9;
      List<Long> ticks =
          Stream.of(text.lines().findFirst().orElse("").split(" +", -1))
              .skip(1)
              .limit(STEAL + 1L)
              .map(Long::valueOf)
              .toList();
      return new Counters(
          begin,
          end,
          text.lines().filter(line -> line.matches("cpu\\d.*")).count(),
          ticks.size() > STEAL ? ticks : List.of());
    }
  }

  /** Returns the shares, if the system reports them; {@code ours} as for the constructor. */
  public Optional<Shares> shares(double ours) {
    double own = (ours + own() - oursBefore) * ProcessSample.TICKS_PER_SECOND;
    return shares(before, Counters.now(), own, packets);
  }

  /** Returns the number of all CPUs. */
  public long cpus() {
    return before.cpus;
  }

  static Optional<Shares> shares(Counters before, Counters now, double own, boolean packets) {
    double[] ticks = new double[Math.min(before.ticks.size(), now.ticks.size())];
    Arrays.setAll(ticks, i -> now.ticks.get(i) - before.ticks.get(i));
    double all = Arrays.stream(ticks).sum();
    if (all <= 0) {
      return Optional.empty();
    }
    double processes = Arrays.stream(ticks, 0, SYSTEM + 1).sum();
    double interrupts = ticks[INTERRUPT] + ticks[SOFT_INTERRUPT];
    double seen = Math.max(0, processes - own) + Math.max(0, interrupts - (packets ? own : 0));
    double steal = Math.max(0, ticks[STEAL]);
    double time = (now.begin - before.end) * ProcessSample.TICKS_PER_SECOND * now.cpus;
    // Some kernels count interrupts as time of the processes that they interrupt.
    double ofPackets =
        packets ? Math.max(0, Math.min(own, interrupts) - Math.max(0, own - processes)) : 0;
    double busy = time - ticks[IDLE] - ticks[DISK_WAIT] - steal - own - ofPackets;
    double others = Math.max(seen / all, before.cpus == now.cpus ? busy / time : 0);
    return Optional.of(new Shares(others, steal / all));
  }

  private static double own() {
    return ProcessSample.of(ProcessHandle.current().pid())
        .map(ProcessSample::cpuSeconds)
        .orElse(0.0);
  }
}

package kvrank.machine;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Reads what the cores of this machine did since it started: {@code /proc/stat}, see proc(5). */
public final class ProcessorTimes implements Closeable {

  private final SystemFile stat;

  private ProcessorTimes(SystemFile stat) {
    this.stat = stat;
  }

  /**
   * Seconds of all cores together.
   *
   * @param processes in processes, and in the kernel for them or for itself
   * @param interrupts serving devices and the network, whoever it was for
   * @param steal wanted, and given by the hypervisor to another machine
   * @param idle not wanted
   */
  public record Sample(double processes, double interrupts, double steal, double idle) {

    /** Returns what the cores had to give. */
    public double all() {
      return processes + interrupts + steal + idle;
    }

    /** Returns what was done since {@code before}. */
    public Sample since(Sample before) {
      return new Sample(
          processes - before.processes,
          interrupts - before.interrupts,
          steal - before.steal,
          idle - before.idle);
    }
  }

  /** Opens the file, where there is one. */
  public static Optional<ProcessorTimes> open() {
    try {
      return Optional.of(new ProcessorTimes(new SystemFile(Path.of("/proc/stat"))));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Returns what is counted now; empty if that cannot be read. */
  public Optional<Sample> sample() {
    try {
      stat.read();
      // cpu user nice system idle iowait irq softirq steal; a guest's time is in user.
      return Optional.of(
          new Sample(
              seconds(1) + seconds(2) + seconds(3),
              seconds(6) + seconds(7),
              seconds(8),
              seconds(4) + seconds(5)));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private double seconds(int field) throws IOException {
    return stat.field(0, field) / ProcessFiles.TICKS_PER_SECOND;
  }

  @Override
  public void close() {
    try {
      stat.close();
    } catch (IOException e) {
      // Nothing was written to it.
    }
  }
}

package kvrank.machine;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Samples whether others wait for a disk, which then has their requests besides ours. The bytes or
 * flushes of a disk do not show whose they are: file systems add to them, and delay them. Kernel
 * threads work for everyone, so they are not others.
 */
public final class DiskWaits implements AutoCloseable {

  // Fields of /proc/PID/stat, counted from the one after the command's name.
  private static final int STATE = 0;
  private static final int PARENT = 1;
  private static final int FLAGS = 6;
  private static final int THREADS = 17;

  /** A state that signals do not end: a wait for a disk, and rarely something else. */
  private static final String UNINTERRUPTIBLE = "D";

  /** PF_KTHREAD of linux/sched.h. */
  private static final long KERNEL_THREAD = 0x200000;

  /** Samples use 0.5 % of a core, unless a machine has thousands of processes. */
  private static final int PAUSE_PER_CPU_TIME = 200;

  private final Path proc;
  private final Set<Long> ours;
  private final Set<String> kernelThreads = new HashSet<>();
  private Optional<Sampling> sampling = Optional.empty();
  private long samples;
  private long times;

  DiskWaits(Path proc, Set<Long> ours) {
    this.proc = proc;
    this.ours = ours;
  }

  /** Starts to sample processes, except for this one, {@code ours} and their descendants. */
  public static DiskWaits of(List<Long> ours) {
    Set<Long> all = new HashSet<>(ours);
    all.add(ProcessHandle.current().pid());
    DiskWaits waits = new DiskWaits(Path.of("/proc"), all);
    waits.sampling = Optional.of(Sampling.start("disk-waits", waits::sample));
    return waits;
  }

  /** Starts a phase. */
  public synchronized void begin() {
    samples = 0;
    times = 0;
  }

  /** Returns the share of samples since {@link #begin} in which others waited. */
  public synchronized OptionalDouble share() {
    return samples == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(times < 2 ? 0 : (double) times / samples);
  }

  @Override
  public void close() {
    sampling.ifPresent(Sampling::close);
  }

  private long sample() {
    long start = Sampling.cpuNanos();
    boolean wait = othersWait();
    synchronized (this) {
      samples++;
      times += wait ? 1 : 0;
    }
    return Sampling.pauseNanos(start, PAUSE_PER_CPU_TIME);
  }

  boolean othersWait() {
    Map<Long, String[]> processes = new HashMap<>();
    String[] names = proc.toFile().list((folder, name) -> Character.isDigit(name.charAt(0)));
    for (String name : names == null ? new String[0] : names) {
      if (!kernelThreads.contains(name)) {
        String[] fields = stat(proc.resolve(name));
        if (fields.length > THREADS && (Long.parseLong(fields[FLAGS]) & KERNEL_THREAD) != 0) {
          kernelThreads.add(name);
        } else if (fields.length > THREADS) {
          processes.put(Long.valueOf(name), fields);
        }
      }
    }
    return processes.keySet().stream()
        .anyMatch(pid -> !ours(pid, processes) && waits(pid, processes));
  }

  private boolean ours(long pid, Map<Long, String[]> processes) {
    long ancestor = pid;
    while (!ours.contains(ancestor)) {
      String[] fields = processes.get(ancestor);
      if (fields == null) {
        return false;
      }
      ancestor = Long.parseLong(fields[PARENT]);
    }
    return true;
  }

  private boolean waits(long pid, Map<Long, String[]> processes) {
    String[] fields = processes.get(pid);
    if (fields[STATE].equals(UNINTERRUPTIBLE) || fields[THREADS].equals("1")) {
      return fields[STATE].equals(UNINTERRUPTIBLE);
    }
    for (Path thread : SystemFile.threads(proc.resolve(Long.toString(pid)))) {
      if (stat(thread)[STATE].equals(UNINTERRUPTIBLE)) {
        return true;
      }
    }
    return false;
  }

  /** Returns one empty field if the process has ended. */
  private static String[] stat(Path folder) {
    return SystemFile.text(folder.resolve("stat"))
        .map(ProcessSample::fields)
        .orElse(new String[] {""});
  }
}

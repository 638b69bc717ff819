package kvrank.machine;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * What this process, and so each that it starts, may have at most; empty where that is not known or
 * not limited.
 *
 * @param files open files of one process
 * @param processes threads of all processes of this user; the superuser's are not limited
 * @param tasks threads that its control groups can take beside those that are in them
 * @param memory bytes of this machine, or of the container
 */
public record ProcessLimits(
    OptionalLong files, OptionalLong processes, OptionalLong tasks, OptionalLong memory) {

  /**
   * What controller, worker and server have open without clients: 51 files were the most with 36
   * engines, and Redis keeps 32 for itself.
   */
  private static final int FILES = 128;

  /** Threads of controller and worker without clients (27 each), and of a server. */
  private static final int THREADS = 80;

  /** Controller and worker had 290 MB resident together, without an engine. */
  private static final long MEMORY = 512L << 20;

  /** Returns those of this process; those of files are its own, as a JVM raises them. */
  public static ProcessLimits here() {
    Path self = Path.of("/proc/self");
    String status = SystemFile.text(self.resolve("status")).orElse("");
    boolean superuser = SystemFile.number(status, "Uid").orElse(0) == 0;
    ProcessLimits limits = of(SystemFile.text(self.resolve("limits")).orElse(""), superuser);
    long memory =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    return new ProcessLimits(
        limits.files,
        limits.processes,
        room(ControlGroups.around("pids")),
        LongStream.of(memory).filter(bytes -> bytes > 0).findFirst());
  }

  /** Reads {@code /proc/self/limits}. */
  static ProcessLimits of(String limits, boolean superuser) {
    return new ProcessLimits(
        SystemFile.number(limits, "Max open files"),
        superuser ? OptionalLong.empty() : SystemFile.number(limits, "Max processes"),
        OptionalLong.empty(),
        OptionalLong.empty());
  }

  /** Returns how many threads {@code groups}, one in the other, can still take. */
  static OptionalLong room(List<Path> groups) {
    return groups.stream()
        .flatMapToLong(
            group ->
                number(group.resolve("pids.max"))
                    .map(most -> most - number(group.resolve("pids.current")).sum()))
        .min();
  }

  /** Returns the number that is all of {@code file}; none if it is {@code max}. */
  private static LongStream number(Path file) {
    return SystemFile.text(file).filter(text -> text.matches("\\d+")).stream()
        .mapToLong(Long::parseLong);
  }

  /**
   * Returns what is too little for a run, with the next step.
   *
   * @param clients connections of the run, or threads that call an embedded engine
   * @param threads threads that drive them
   */
  public Optional<String> problem(long clients, long threads) {
    if (files.orElse(Long.MAX_VALUE) < clients + FILES) {
      return Optional.of(
          "%,d clients need about %,d open files in one process, and %,d are allowed; 'ulimit -n %d' in this shell, a larger limit of the user or container, or fewer threads"
              .formatted(clients, clients + FILES, files.getAsLong(), clients + FILES));
    }
    if (memory.orElse(Long.MAX_VALUE) < MEMORY) {
      return Optional.of(
          "kvrank and its worker need %,d MiB without an engine, and this machine or container has %,d; give it more"
              .formatted(MEMORY >> 20, memory.getAsLong() >> 20));
    }
    long needed = threads + THREADS;
    if (tasks.orElse(Long.MAX_VALUE) < needed) {
      return Optional.of(
          "%,d threads need about %,d, and the control group of kvrank can take %,d more (pids.max); a larger limit of the container ('docker run --pids-limit') or of the session (TasksMax), or fewer threads"
              .formatted(threads, needed, tasks.getAsLong()));
    }
    // To count them takes a while, so only where the limit is near.
    if (processes.orElse(Long.MAX_VALUE) < needed + 4096) {
      long others = threadsOfUser();
      if (processes.getAsLong() < needed + others) {
        return Optional.of(
            "%,d threads need about %,d beside the %,d that this user has, and %,d are allowed; 'ulimit -u %d' in this shell, a larger limit of the user, or fewer threads"
                .formatted(threads, needed, others, processes.getAsLong(), needed + others));
      }
    }
    return Optional.empty();
  }

  private static long threadsOfUser() {
    String[] names = Path.of("/proc").toFile().list((all, name) -> name.matches("\\d+"));
    OptionalLong own =
        SystemFile.number(SystemFile.text(Path.of("/proc/self/status")).orElse(""), "Uid");
    return Stream.of(names == null ? new String[0] : names)
        .map(name -> SystemFile.text(Path.of("/proc", name, "status")).orElse(""))
        .filter(status -> SystemFile.number(status, "Uid").equals(own))
        .mapToLong(status -> SystemFile.number(status, "Threads").orElse(1))
        .sum();
  }
}

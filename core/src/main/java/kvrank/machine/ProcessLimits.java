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
 * The limits of this process, and so of those that it starts; empty if unknown or unlimited.
 *
 * @param files open files of one process
 * @param processes threads of all processes of this user; unlimited for the superuser
 * @param tasks threads that its control groups accept in addition to existing ones
 * @param memory bytes of this machine, or of the container
 */
public record ProcessLimits(
    OptionalLong files, OptionalLong processes, OptionalLong tasks, OptionalLong memory) {

  /**
   * Open files of controller, worker and server without clients: at most 51 with 36 engines, and
   * Redis reserves 32.
   */
  private static final int FILES = 128;

  /** Threads of controller and worker without clients (27 each), and of a server. */
  private static final int THREADS = 80;

  /** Controller and worker together had 290 MB of resident memory, without an engine. */
  private static final long MEMORY = 512L << 20;

  /** Returns the limits of this process; its limit of files is the one that the JVM has raised. */
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

  /** Returns the number of threads that the nested {@code groups} still accept. */
  static OptionalLong room(List<Path> groups) {
    return groups.stream()
        .flatMapToLong(
            group ->
                number(group.resolve("pids.max"))
                    .map(most -> most - number(group.resolve("pids.current")).sum()))
        .min();
  }

  /** Returns the number in {@code file}; none if it is {@code max}. */
  private static LongStream number(Path file) {
    return SystemFile.text(file).filter(text -> text.matches("\\d+")).stream()
        .mapToLong(Long::parseLong);
  }

  /**
   * Returns the first limit that is too low for a run, with the next step.
   *
   * @param clients connections of the run, or threads that call an embedded engine
   * @param threads threads that drive them
   */
  public Optional<String> problem(long clients, long threads) {
    if (files.orElse(Long.MAX_VALUE) < clients + FILES) {
      return Optional.of(
          ("%,d clients need about %,d open files in one process, but %,d are allowed; raise the"
                  + " limit ('ulimit -n %d' in this shell, or that of the user or container), or"
                  + " use fewer clients")
              .formatted(clients, clients + FILES, files.getAsLong(), clients + FILES));
    }
    if (memory.orElse(Long.MAX_VALUE) < MEMORY) {
      return Optional.of(
          ("kvrank and its worker need %,d MiB without an engine, but this machine or container has"
                  + " %,d; give it more memory")
              .formatted(MEMORY >> 20, memory.getAsLong() >> 20));
    }
    long needed = threads + THREADS;
    if (tasks.orElse(Long.MAX_VALUE) < needed) {
      return Optional.of(
          ("%,d threads need about %,d, but the control group of kvrank accepts only %,d more"
                  + " (pids.max); raise the limit of the container ('docker run --pids-limit') or"
                  + " of the session (TasksMax), or use fewer threads")
              .formatted(threads, needed, tasks.getAsLong()));
    }
    // Counting takes a while, so it is done only if the limit is close.
    if (processes.orElse(Long.MAX_VALUE) < needed + 4096) {
      long others = threadsOfUser();
      if (processes.getAsLong() < needed + others) {
        return Optional.of(
            ("%,d threads need about %,d in addition to the %,d of this user, but %,d are allowed;"
                    + " raise the limit ('ulimit -u %d' in this shell, or that of the user), or use"
                    + " fewer threads")
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

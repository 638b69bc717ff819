package kvrank.machine;

import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Watches what engines need of a machine, from its creation on: another user can take all of it
 * while an engine starts or writes, and then give it back.
 */
public final class ShortageWatch implements AutoCloseable {

  /** An engine may add pieces of this size to its files. */
  private static final long LITTLE_BYTES = 16 << 20;

  /** The rest can be taken between two samples. */
  private static final double MOST_THREADS = 0.5;

  /** As many more can be taken between two samples. */
  private static final double MOST_CONNECTIONS = 0.9;

  /** A sample takes a few microseconds. */
  private static final Duration INTERVAL = Duration.ofMillis(50);

  private final Optional<File> disk;
  private final Path proc;
  private final List<Path> groups;
  private final long refusedBefore;
  private final Sampling sampling;
  private long least = Long.MAX_VALUE;
  private double threads;
  private boolean tcp;
  private double connections;

  /** Starts to watch threads, memory for TCP, and the disk of a folder. */
  public ShortageWatch(Optional<Path> folder) {
    this(folder, Path.of("/proc"), ControlGroups.around("pids"));
  }

  ShortageWatch(Optional<Path> folder, Path proc, List<Path> groups) {
    this.disk = folder.map(Path::toFile);
    this.proc = proc;
    this.groups = groups;
    this.refusedBefore = refused();
    this.sampling = Sampling.start("shortages", this::sample);
  }

  /** Returns a message if there was too little of something at any time, or is now. */
  public synchronized Optional<String> shortage() {
    sample();
    if (least < LITTLE_BYTES) {
      return Optional.of(
          "the disk of '%s' had only %,d KiB left; free some space"
              .formatted(disk.orElseThrow(), least >> 10));
    }
    if (threads > MOST_THREADS) {
      return Optional.of(
          "%.0f %% of the threads that the kernel allows were in use; end some, or raise kernel.pid_max"
              .formatted(100 * threads));
    }
    if (refused() > refusedBefore) {
      return Optional.of(
          "the control group of kvrank refused a thread (pids.max); end some, or raise the limit of the container ('docker run --pids-limit') or of the session (TasksMax)");
    }
    if (connections > MOST_CONNECTIONS) {
      return Optional.of(
          "%.0f %% of the connections that the kernel tracks were in use; end some, or raise net.netfilter.nf_conntrack_max"
              .formatted(100 * connections));
    }
    return tcp
        ? Optional.of(
            "the kernel was short of memory for TCP; end programs that leave data in sockets, or raise net.ipv4.tcp_mem")
        : Optional.empty();
  }

  private synchronized long sample() {
    // Both are 0 if the folder was removed.
    disk.filter(folder -> folder.getTotalSpace() > 0)
        .ifPresent(folder -> least = Math.min(least, folder.getUsableSpace()));
    threads = Math.max(threads, threads());
    connections = Math.max(connections, connections());
    tcp |= tcpIsShort(proc);
    return INTERVAL.toNanos();
  }

  /** Returns the share of threads that are in use; 0 if it is unknown. */
  private double threads() {
    String[] load = text("loadavg").split("[ /]", -1);
    long most = Math.min(limit("pid_max"), limit("threads-max"));
    return load.length > 4 ? Double.parseDouble(load[4]) / most : 0;
  }

  /** Returns the share of connections, of all users, for which the firewall has room. */
  private double connections() {
    return number(text("sys/net/netfilter/nf_conntrack_count"), 0)
        / (double) number(text("sys/net/netfilter/nf_conntrack_max"), Long.MAX_VALUE);
  }

  /** Returns the number of threads that the groups have refused. */
  private long refused() {
    return groups.stream()
        .map(group -> SystemFile.text(group.resolve("pids.events")).orElse(""))
        .mapToLong(events -> SystemFile.number(events, "max").orElse(0))
        .sum();
  }

  private long limit(String name) {
    return number(text("sys/kernel/" + name), Long.MAX_VALUE);
  }

  private String text(String name) {
    return SystemFile.text(proc.resolve(name)).orElse("");
  }

  private static long number(String text, long unknown) {
    return text.isEmpty() ? unknown : Long.parseLong(text);
  }

  /**
   * Returns whether the kernel may delay packets of all sockets to save memory: it starts to above
   * the second limit of {@code tcp_mem}, and stops below the first.
   */
  public static boolean tcpIsShort() {
    return tcpIsShort(Path.of("/proc"));
  }

  static boolean tcpIsShort(Path proc) {
    String sockets = SystemFile.text(proc.resolve("net/sockstat")).orElse("");
    String limits = SystemFile.text(proc.resolve("sys/net/ipv4/tcp_mem")).orElse("");
    return Long.parseLong(SystemFile.find(sockets, "TCP:.* mem (\\d+)").orElse("0"))
        > number(limits.split("\\s", 2)[0], Long.MAX_VALUE);
  }

  @Override
  public void close() {
    sampling.close();
  }
}

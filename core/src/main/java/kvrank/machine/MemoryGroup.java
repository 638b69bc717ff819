package kvrank.machine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.input.Reason;
import kvrank.scenario.MemoryLimit;

/**
 * A control group that limits the memory of its processes, page cache included: cgroups(7), version
 * 2, or version 1 if that has the memory controller.
 */
public final class MemoryGroup implements AutoCloseable {

  private static final String PROCESSES = "cgroup.procs";
  private static final String NAME = "kvrank-memory-";
  private static final Pattern NAMED = Pattern.compile(NAME + "(\\d+)-\\d+");
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long POLL_MILLIS = 5;
  private static final AtomicLong COUNT = new AtomicLong();

  /**
   * The files of a group.
   *
   * @param swap the limit of swap; the kernel may not have one
   */
  private record Version(String limit, String peak, String events, String swap) {

    static final Version ONE =
        new Version(
            "memory.limit_in_bytes",
            "memory.max_usage_in_bytes",
            "memory.oom_control",
            "memory.memsw.limit_in_bytes");

    static final Version TWO =
        new Version("memory.max", "memory.peak", "memory.events", "memory.swap.max");
  }

  private final MemoryLimit limit;
  private final Version version;
  private final Path group;

  private MemoryGroup(MemoryLimit limit, Version version, Path group) {
    this.limit = limit;
    this.version = version;
    this.group = group;
  }

  /** Returns the reason why memory cannot be limited here, with the next step; empty if it can. */
  public static Optional<String> problem() {
    try {
      of(new MemoryLimit(64L << 20)).close();
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(e.getMessage());
    }
  }

  /**
   * Returns a new group within the group of this process, or within the nearest enclosing one that
   * accepts groups and processes. Throws if there is none, with the next step.
   */
  public static MemoryGroup of(MemoryLimit limit) throws IOException {
    Version version = ControlGroups.unified() ? Version.TWO : Version.ONE;
    String reason = "there are no memory control groups in /sys/fs/cgroup";
    for (Path place : ControlGroups.around("memory")) {
      if (!Files.exists(place.resolve(PROCESSES))) {
        continue;
      }
      try {
        sweep(place);
        return in(place, version, limit);
      } catch (IOException e) {
        reason = "a control group cannot be created in %s: %s".formatted(place, Reason.of(e));
      }
    }
    throw new IOException(
        reason + "; run kvrank as root, or with 'systemd-run --user --scope -p Delegate=yes'");
  }

  private static MemoryGroup in(Path place, Version version, MemoryLimit limit) throws IOException {
    Path control = place.resolve("cgroup.subtree_control");
    if (version.equals(Version.TWO)
        && SystemFile.text(control).filter(on -> on.contains("memory")).isEmpty()) {
      // Refused if the group itself has processes, unless it is the machine's root.
      Files.writeString(control, "+memory");
    }
    String name = NAME + ProcessHandle.current().pid() + "-" + COUNT.incrementAndGet();
    MemoryGroup group = new MemoryGroup(limit, version, Files.createDirectory(place.resolve(name)));
    try {
      Files.writeString(group.group.resolve(version.limit), Long.toString(limit.bytes()));
      Path swap = group.group.resolve(version.swap);
      if (Files.exists(swap)) {
        // Version 1 limits memory and swap together.
        Files.writeString(swap, version.equals(Version.ONE) ? Long.toString(limit.bytes()) : "0");
      }
      group.requireEntry();
      return group;
    } catch (IOException e) {
      group.close();
      throw e;
    }
  }

  /** Tries to move a process into the group, which may be refused. */
  private void requireEntry() throws IOException {
    List<String> command = Stream.concat(entry().stream(), Stream.of("true")).toList();
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (process.onExit().join().exitValue() != 0) {
      throw new IOException("a process cannot be moved into a group there");
    }
  }

  /** Removes empty groups that killed kvranks left behind. */
  private static void sweep(Path place) throws IOException {
    try (Stream<Path> groups = Files.list(place)) {
      for (Path each : groups.toList()) {
        Matcher name = NAMED.matcher(each.getFileName().toString());
        if (name.matches() && ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty()) {
          remove(each);
        }
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static boolean remove(Path group) {
    try {
      Files.deleteIfExists(group);
      return true;
    } catch (IOException busy) {
      return false;
    }
  }

  /**
   * Returns the prefix with which a command runs in this group, including all processes that it
   * starts.
   */
  public List<String> entry() {
    String script = "echo $$ > \"$0\" && exec \"$@\"";
    return List.of("sh", "-c", script, group.resolve(PROCESSES).toString());
  }

  /** Returns the number of its processes that the kernel has killed for exceeding the limit. */
  private long kills() {
    return kills(group.resolve(version.events));
  }

  /**
   * Returns the number of processes that the kernel has killed on this machine for lack of memory.
   */
  public static long killsOfMachine() {
    return kills(Path.of("/proc/vmstat"));
  }

  private static long kills(Path counters) {
    return SystemFile.number(SystemFile.text(counters).orElse(""), "oom_kill").orElse(0);
  }

  /** Returns a message if the kernel has killed one of its processes. */
  public Optional<String> verdict() {
    return Optional.of("killed by the memory limit of " + limit).filter(any -> kills() > 0);
  }

  /** Returns the limit and the kernel's counters for it. */
  public Facts facts() {
    Facts facts =
        new Facts().put(Fact.MEMORY_LIMIT_BYTES, limit.bytes()).put(Fact.MEMORY_KILLS, kills());
    SystemFile.text(group.resolve(version.peak))
        .ifPresent(bytes -> facts.put(Fact.MEMORY_PEAK_BYTES, bytes));
    return facts;
  }

  /** Removes the group once its processes have ended; otherwise a later run removes it. */
  @Override
  public void close() {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!remove(group) && System.nanoTime() < end) {
      try {
        Thread.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}

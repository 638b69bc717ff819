package kvrank.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** What Linux says about CPU time, in ticks of 10 ms. */
final class Machine {

  static final double TICKS_PER_SECOND = 100;

  private static final double QUIET = 0.95;
  private static final int IDLE = 3;
  private static final int IO_WAIT = 4;

  /** guest and guest_nice, the last two fields, are part of user and nice. */
  private static final int FIELDS = 8;

  private Machine() {}

  /** Ticks of all cores since boot. */
  record Ticks(long all, long idle) {}

  static Ticks ticks() throws IOException {
    String[] fields = Files.readAllLines(Path.of("/proc/stat")).get(0).trim().split(" +");
    long[] ticks = Arrays.stream(fields, 1, FIELDS + 1).mapToLong(Long::parseLong).toArray();
    return new Ticks(Arrays.stream(ticks).sum(), ticks[IDLE] + ticks[IO_WAIT]);
  }

  /** User and system time of a process; -1 if it is gone. */
  static long ticks(long pid) {
    try {
      return sum(pid, 2);
    } catch (IOException e) {
      return -1;
    }
  }

  /** User and system time of this process and of the children that it has waited for. */
  static long ownTicks() throws IOException {
    return sum(ProcessHandle.current().pid(), 4);
  }

  /** The fields from utime on: utime, stime, cutime, cstime. */
  private static long sum(long pid, int fields) throws IOException {
    String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
    List<String> rest = List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" "));
    return rest.subList(11, 11 + fields).stream().mapToLong(Long::parseLong).sum();
  }

  /** Waits for a second in which at least 95 % of the machine is idle, at most {@code seconds}. */
  static void awaitQuiet(int seconds) throws IOException, InterruptedException {
    for (int i = 0; i < seconds; i++) {
      Ticks before = ticks();
      Thread.sleep(1000);
      Ticks after = ticks();
      if (after.idle() - before.idle() >= QUIET * (after.all() - before.all())) {
        return;
      }
    }
  }
}

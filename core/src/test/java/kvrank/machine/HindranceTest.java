package kvrank.machine;

import static kvrank.provision.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import kvrank.Skip;
import kvrank.failure.Cause;
import kvrank.failure.Failure;
import kvrank.provision.host.Signal;
import org.junit.jupiter.api.Test;

/** Real processes that cannot run; seconds come from a clock that nothing waits for. */
class HindranceTest {

  private static final Failure SILENT = new Failure(Cause.ENGINE, "no answer for 30 s");
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final Hindrance hindrance = new Hindrance(0);
  private int now;

  private static long seconds(long seconds) {
    return TimeUnit.SECONDS.toNanos(seconds);
  }

  private void look(Process process, int seconds) {
    for (int end = now + seconds; now < end; ) {
      now++;
      hindrance.look(seconds(now), LongStream.of(process.pid()));
    }
  }

  private static void signal(String name, Process process) throws Exception {
    assertThat(Signal.send(name, process.pid())).isTrue();
    eventually(
        name, () -> MachineCheck.stopped(OptionalLong.of(process.pid())) == name.equals("STOP"));
  }

  /** A process that starts could run, and gets less of a CPU than of the clock here. */
  private static void awaitSleep(Process process) throws Exception {
    Path stat = Path.of("/proc", Long.toString(process.pid()), "stat");
    eventually("it sleeps", () -> Files.readString(stat).contains(") S "));
  }

  @Test
  void aProcessThatIsStoppedForMostOfAWaitIsNotToBlame() throws Exception {
    Process process = new ProcessBuilder("sleep", "60").start();
    try {
      awaitSleep(process);
      look(process, 12);
      assertThat(hindrance.total()).as("it sleeps").isZero();
      signal("STOP", process);
      look(process, 18);
      assertThat(hindrance.over(seconds(30), LIMIT)).isFalse();
      assertThat(hindrance.over(seconds(31), LIMIT)).isTrue();
      assertThat(hindrance.blamed(SILENT, seconds(31)))
          .isEqualTo(
              new Failure(
                  Cause.OUTSIDER,
                  "its process was stopped by a signal for 18 of 31 s: no answer for 30 s"));
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void aShortStopOnlyProlongsTheWait() throws Exception {
    Process process = new ProcessBuilder("sleep", "60").start();
    try {
      signal("STOP", process);
      look(process, 5);
      signal("CONT", process);
      awaitSleep(process);
      look(process, 26);
      assertThat(hindrance.over(seconds(31), LIMIT)).isFalse();
      assertThat(hindrance.over(seconds(36), LIMIT)).isTrue();
      assertThat(hindrance.blamed(SILENT, seconds(36))).isEqualTo(SILENT);
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void aSuspendedCallerHasSeenNothing() throws Exception {
    Process process = new ProcessBuilder("sleep", "60").start();
    try {
      signal("STOP", process);
      hindrance.look(seconds(3_600), LongStream.of(process.pid()));
      assertThat(hindrance.total()).isEqualTo(seconds(1));
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void aFrozenGroupIsTheFaultOfTheMachine() throws Exception {
    Path group = group("freezer");
    Process process = new ProcessBuilder("sleep", "60").start();
    try {
      Files.writeString(group.resolve("cgroup.procs"), Long.toString(process.pid()));
      boolean unified = ControlGroups.unified();
      awaitSleep(process);
      Path state = group.resolve(unified ? "cgroup.freeze" : "freezer.state");
      look(process, 1);
      Files.writeString(state, unified ? "1" : "FROZEN");
      eventually("it is frozen", () -> frozen(process));
      look(process, 30);
      assertThat(hindrance.blamed(SILENT, seconds(31)).cause()).isEqualTo(Cause.MACHINE);
      assertThat(hindrance.blamed(SILENT, seconds(31)).message())
          .startsWith("its process was frozen in its control group for 30 of 31 s");
      Files.writeString(state, unified ? "0" : "THAWED");
    } finally {
      end(process, group);
    }
  }

  private static boolean frozen(Process process) {
    return ControlGroups.frozen(Path.of("/proc", Long.toString(process.pid())));
  }

  @Test
  void aProcessWithoutCpuIsStarved() throws Exception {
    Path group = group("cpu");
    Process process = new ProcessBuilder("sh", "-c", "read go; while :; do :; done").start();
    try {
      if (ControlGroups.unified()) {
        Files.writeString(group.resolve("cpu.max"), "1000 1000000");
      } else {
        Files.writeString(group.resolve("cpu.cfs_period_us"), "1000000");
        Files.writeString(group.resolve("cpu.cfs_quota_us"), "1000");
      }
      Files.writeString(group.resolve("cgroup.procs"), Long.toString(process.pid()));
      awaitSleep(process);
      Hindrance real = new Hindrance(System.nanoTime());
      for (int looks = 0; looks < 5; looks++) {
        real.look(System.nanoTime(), LongStream.of(process.pid()));
      }
      assertThat(real.total()).as("it waits for its input").isZero();
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
      eventually(
          "it has a thousandth of a CPU",
          () -> {
            Thread.sleep(100);
            real.look(System.nanoTime(), LongStream.of(process.pid()));
            return real.blamed(SILENT, seconds(3)).cause() == Cause.MACHINE;
          });
      assertThat(real.blamed(SILENT, seconds(3)).message())
          .containsPattern("^its process was without a CPU for [23] of 3 s");
    } finally {
      end(process, group);
    }
  }

  private static Path group(String controller) {
    List<Path> around = ControlGroups.around(controller);
    Path group = around.get(around.size() - 1).resolve("kvrank-test-" + System.nanoTime());
    try {
      return Files.createDirectory(group);
    } catch (IOException e) {
      Skip.test("no process is kept from running", "no control group can be created: " + e);
      throw new AssertionError(e);
    }
  }

  private static void end(Process process, Path group) throws Exception {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly().waitFor();
    eventually("the group is empty", () -> group.toFile().delete());
  }
}

package kvrank.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import kvrank.machine.BackgroundLoad.Counters;
import kvrank.provision.Eventually;
import org.junit.jupiter.api.Test;

class BackgroundLoadTest {

  /** Others flood the loopback interface with packets, for more time than our processes use. */
  @Test
  void interruptsBeyondThoseOfOurPacketsAreOthers() {
    List<Long> before = ticks(100, 0, 100, 100, 0, 0, 100, 0);
    List<Long> flooded = ticks(120, 0, 122, 100, 0, 0, 158, 0);
    assertThat(others(before, flooded, 40, false)).isEqualTo(0.6);
    assertThat(others(before, flooded, 40, true)).isEqualTo(0.2);
    List<Long> ours = ticks(130, 0, 130, 120, 0, 0, 120, 0);
    assertThat(others(before, ours, 60, true)).isZero();
    assertThat(others(before, ours, 60, false)).isEqualTo(0.2);
    assertThat(others(before, ours, 80, true)).as("counted as our processes' time").isZero();
  }

  /** Of one second, the ticks found the CPU busy for 0.1 s, and it was not idle for 0.75 s. */
  @Test
  void timeThatNoTickSawIsOthers() {
    List<Long> before = ticks(100, 0, 100, 100, 50, 0, 100, 0);
    List<Long> hidden = ticks(106, 0, 102, 115, 60, 0, 102, 0);
    assertThat(others(before, hidden, 0, false)).isEqualTo(0.75);
    assertThat(others(before, hidden, 10, true)).as("2 of them in interrupts").isEqualTo(0.65);
    assertThat(others(before, hidden, 8, true)).isEqualTo(0.65);
    List<Long> stolen = ticks(106, 0, 102, 115, 60, 0, 102, 25);
    assertThat(others(before, stolen, 0, false)).isEqualTo(0.5);
  }

  @Test
  void cpusThatComeAndGoHideNothing() {
    Counters one = new Counters(0, 0, 1, ticks(0, 0, 0, 0, 0, 0, 0, 0));
    Counters two = new Counters(1, 1, 2, ticks(50, 0, 0, 150, 0, 0, 0, 0));
    assertThat(BackgroundLoad.shares(one, two, 0, false).orElseThrow().others()).isEqualTo(0.25);
  }

  private static List<Long> ticks(long... ticks) {
    return LongStream.of(ticks).boxed().toList();
  }

  private static double others(List<Long> before, List<Long> now, double own, boolean packets) {
    Counters first = new Counters(7, 8, 1, before);
    return BackgroundLoad.shares(first, new Counters(9, 10, 1, now), own, packets)
        .orElseThrow()
        .others();
  }

  @Test
  void aProcessThatSleepsAcrossTimerTicksIsSeen() throws Exception {
    Process hider =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                "target/test-classes",
                "kvrank.machine.TickHider")
            .start();
    try {
      assertThat(hider.inputReader().readLine()).isEqualTo("hides");
      long start = System.nanoTime();
      BackgroundLoad load = new BackgroundLoad(0, false);
      double before = seconds(hider);
      Eventually.eventually("it uses 2 s of a core", () -> seconds(hider) > before + 2);
      double used = seconds(hider) - before;
      double others = load.shares(0).orElseThrow().others();
      double all = (System.nanoTime() - start) / 1e9 * cpus();
      assertThat(others).isGreaterThan(0.95 * used / all);
    } finally {
      hider.destroyForcibly().waitFor();
    }
  }

  private static double seconds(Process process) {
    return ProcessSample.of(process.pid()).orElseThrow().cpuSeconds();
  }

  private static long cpus() {
    List<String> lines = SystemFile.text(Path.of("/proc/stat")).orElseThrow().lines().toList();
    return lines.stream().filter(line -> line.matches("cpu\\d.*")).count();
  }
}

package kvrank.machine;

import static kvrank.provision.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import kvrank.Skip;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RunDelayTest {

  private final List<Process> started = new ArrayList<>();

  private Process busyOnOneCpu() throws Exception {
    Process process =
        new ProcessBuilder("taskset", "-c", "0", "sh", "-c", "while :; do :; done").start();
    started.add(process);
    return process;
  }

  @AfterEach
  void end() {
    started.forEach(Process::destroyForcibly);
  }

  @Test
  void aProcessWaitsForTheCpuThatOthersUse() throws Exception {
    if (!Files.exists(Path.of("/proc/self/schedstat"))) {
      Skip.test("the time for which threads wait is not read", "this kernel does not count it");
    }
    List<Long> ours = List.of(busyOnOneCpu().pid());
    List<Process> others = List.of(busyOnOneCpu(), busyOnOneCpu(), busyOnOneCpu());
    RunDelay before = RunDelay.of(ours);
    eventually(
        "four processes take turns on one CPU",
        () -> RunDelay.of(ours).waitSeconds() > before.waitSeconds() + 0.3);
    assertThat(others).allMatch(Process::isAlive);
    assertThat(RunDelay.of(ours).shareSince(before)).isGreaterThan(0.3);
  }

  @Test
  void anUnknownProcessDoesNotWait() {
    RunDelay none = RunDelay.of(List.of(Long.MAX_VALUE));
    assertThat(none).isEqualTo(new RunDelay(0, 0));
    assertThat(none.shareSince(new RunDelay(1, 1))).isZero();
  }
}

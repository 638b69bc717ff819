package kvrank.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConditionsWatchTest {

  @TempDir private Path folder;

  private void write(String file, String text) throws IOException {
    Path path = folder.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private ConditionsWatch.Conditions conditions() throws InterruptedException {
    return new ConditionsWatch(folder.resolve("proc"), folder.resolve("sys")).conditions();
  }

  @Test
  void clocksThatFollowTheLoadAreWarnedOf() throws Exception {
    write("sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "performance\n");
    write("sys/devices/system/cpu/cpufreq/policy1/scaling_governor", "powersave\n");
    write("sys/devices/system/cpu/intel_pstate/no_turbo", "0\n");
    write("proc/cpuinfo", "processor : 0\nflags\t\t: fpu hypervisor sse\n");
    write("proc/loadavg", "1000.5 2.00 3.00 4/500 6000\n");

    ConditionsWatch.Conditions found = conditions();

    assertThat(found.facts().asMap())
        .containsEntry("cpu.governor", "performance, powersave")
        .containsEntry("cpu.turbo", "on")
        .containsEntry("machine.virtual", "yes")
        .containsEntry("machine.warning.1", found.warnings().get(0))
        .containsEntry("machine.warning.2", found.warnings().get(1));
    assertThat(found.warnings())
        .anyMatch(text -> text.contains("'performance, powersave'"))
        .anyMatch(text -> text.contains("load average is 1000.50"));
  }

  @Test
  void whatIsAtRestIsNot() throws Exception {
    write("sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "performance\n");
    write("sys/devices/system/cpu/cpufreq/boost", "0\n");
    write("proc/cpuinfo", "processor : 0\nflags\t\t: fpu sse hypervisors\n");
    write("proc/loadavg", "0.01 2.00 3.00 1/500 6000\n");

    ConditionsWatch.Conditions found = conditions();

    assertThat(found.facts().asMap())
        .containsEntry("cpu.turbo", "off")
        .containsEntry("machine.virtual", "no");
    // What the machine of this test does is not the test's.
    assertThat(found.warnings()).noneMatch(text -> text.matches(".*(governor|load average).*"));
  }

  @Test
  void sharesThatAreFeltAreWarnedOf() {
    assertThat(ConditionsWatch.warnings(new BackgroundLoad.Shares(0.049, 0.009))).isEmpty();

    BackgroundLoad.Shares felt = new BackgroundLoad.Shares(0.25, 0.02);
    assertThat(felt.facts().asMap())
        .containsEntry("others.cpuShare", "0.250")
        .containsEntry("steal.cpuShare", "0.020");
    assertThat(ConditionsWatch.warnings(felt))
        .satisfiesExactly(
            others -> assertThat(others).startsWith("other processes use 25 %"),
            steal -> assertThat(steal).contains("2 % of this virtual machine's time"));
  }
}

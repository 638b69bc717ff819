package kvrank.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Figures of a process next to GNU time's, ps's and du's. */
class ProcessWatchIT {

  private static final int WRITTEN = 24;

  @TempDir private Path folder;

  @BeforeEach
  void needTools() {
    for (String tool : List.of("/usr/bin/time", "/bin/ps")) {
      if (!Files.isExecutable(Path.of(tool))) {
        String reason = tool + " is not here; apt-get install time procps";
        System.out.println("SKIPPED: agreement of samples with other tools: " + reason);
        abort(reason);
      }
    }
  }

  @Test
  void agreesWithTimeAndPs() throws IOException, InterruptedException {
    Path file = Path.of("target/burnt").toAbsolutePath();
    Path report = folder.resolve("time");
    Process time =
        new ProcessBuilder(
                "/usr/bin/time",
                "-v",
                "-o",
                report.toString(),
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms400m",
                "-Xmx400m",
                "-XX:+UseSerialGC",
                "-cp",
                "target/test-classes",
                "kvrank.machine.Burner",
                "3",
                "200",
                Integer.toString(WRITTEN),
                file.toString())
            .redirectError(folder.resolve("errors").toFile())
            .start();
    ProcessSample seen;
    ProcessSample fromAbove;
    long ps;
    try (BufferedReader output = time.inputReader()) {
      assertThat(output.readLine()).isEqualTo("done");
      long pid = time.descendants().findFirst().orElseThrow().pid();
      seen = ProcessSample.of(pid).orElseThrow();
      fromAbove = new ProcessWatch(time.pid()).sample().orElseThrow();
      ps = 1024 * Long.parseLong(output("/bin/ps", "-o", "rss=", "-p", Long.toString(pid)));
      time.getOutputStream().close();
    } finally {
      time.waitFor();
    }

    String counted = Files.readString(report);
    double cpu = number(counted, "User time") + number(counted, "System time");
    assertThat(seen.cpuSeconds()).isCloseTo(cpu, withinPercentage(5));
    assertThat((double) seen.residentBytes())
        .isCloseTo(1024 * number(counted, "Maximum resident set size"), withinPercentage(5));
    assertThat(seen.residentBytes()).isCloseTo(ps, withinPercentage(2));
    assertThat(512 * number(counted, "File system outputs"))
        .isCloseTo((double) seen.writtenBytes().orElseThrow(), withinPercentage(5));
    assertThat(seen.writtenBytes().orElseThrow())
        .isBetween((long) WRITTEN << 20, (WRITTEN + 4L) << 20);
    assertThat((double) seen.majorFaults()).isBetween(0.0, number(counted, "Major"));
    assertThat(fromAbove.cpuSeconds()).isCloseTo(seen.cpuSeconds(), withinPercentage(3));
    assertThat(fromAbove.childrenBytes()).isCloseTo(seen.residentBytes(), withinPercentage(3));
    Files.delete(file);
  }

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void keepsWhatAChildUsedThatHasEnded() throws IOException, InterruptedException {
    // The shell waits for its child, which waits until it was seen, and lives on.
    Process shell =
        new ProcessBuilder(
                "sh",
                "-c",
                "i=0; (while [ $i -lt 400000 ]; do i=$((i+1)); done; read a); echo done; read b")
            .start();
    ProcessWatch watch = new ProcessWatch(shell.pid());
    try (BufferedReader output = shell.inputReader()) {
      double before = 0;
      long most = 0;
      while (!output.ready()) {
        ProcessSample now = watch.sample().orElseThrow();
        assertThat(now.cpuSeconds()).isGreaterThanOrEqualTo(before);
        before = now.cpuSeconds();
        if (most == 0 && now.childrenBytes() > 0) {
          shell.getOutputStream().write('\n');
          shell.getOutputStream().flush();
        }
        most = Math.max(most, now.childrenBytes());
        Thread.sleep(20);
      }
      assertThat(most).isPositive();
      ProcessSample after = watch.sample().orElseThrow();
      assertThat(after.childrenBytes()).isZero();
      assertThat(after.cpuSeconds()).isGreaterThanOrEqualTo(before).isPositive();
    } finally {
      shell.getOutputStream().close();
      shell.waitFor();
    }
    assertThat(watch.sample()).isEmpty();
  }

  @Test
  void footprintIsThatOfDu() throws IOException, InterruptedException {
    Files.write(folder.resolve("one"), new byte[3_000_000]);
    Files.write(Files.createDirectory(folder.resolve("below")).resolve("two"), new byte[100]);

    String blocks = output("du", "-s", "--block-size=1", folder.toString());

    assertThat(Footprint.of(folder).orElseThrow())
        .isEqualTo(Long.parseLong(blocks.split("\\s", 2)[0]));
  }

  private static String output(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    return output.strip();
  }

  private static double number(String report, String label) {
    Matcher matcher = Pattern.compile(label + ".*: ([0-9.]+)").matcher(report);
    assertThat(matcher.find()).isTrue();
    return Double.parseDouble(matcher.group(1));
  }
}

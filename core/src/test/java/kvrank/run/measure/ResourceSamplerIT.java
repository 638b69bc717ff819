package kvrank.run.measure;

import static kvrank.provision.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import kvrank.metric.Usage;
import kvrank.provision.server.TestRedis;
import kvrank.results.ResourceSeries;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real Redis, which forks to rewrite its log, while it is sampled. */
class ResourceSamplerIT {

  private static final int RECORDS = 40_000;
  private static final int VALUE_BYTES = 1_000;

  @TempDir private Path folder;
  private Process redis;
  private Socket socket;
  private BufferedReader answers;

  @BeforeEach
  void start() throws Exception {
    Path executable = folder.resolve("redis-server");
    try (InputStream binary =
        ResourceSamplerIT.class.getResourceAsStream("/redis-server-6.2.6-v5-linux-amd64")) {
      if (binary == null || !System.getProperty("os.arch").equals("amd64")) {
        String reason = "there is no redis-server for this platform among the test dependencies";
        System.out.println("SKIPPED: sampling of a server that forks: " + reason);
        abort(reason);
      }
      Files.copy(binary, executable);
    }
    assertThat(executable.toFile().setExecutable(true)).isTrue();
    int port = TestRedis.freePort();
    redis =
        new ProcessBuilder(
                executable.toString(),
                "--port",
                Integer.toString(port),
                "--dir",
                Files.createDirectories(folder.resolve("data")).toString(),
                "--appendonly",
                "yes",
                "--save",
                "",
                "--rdbcompression",
                "no",
                // Microseconds: the child lives for two seconds.
                "--rdb-key-save-delay",
                "50")
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    eventually(
        "the server answers",
        () -> {
          try {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            return true;
          } catch (ConnectException notYet) {
            return false;
          }
        });
    answers =
        new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
  }

  @AfterEach
  void stop() throws InterruptedException {
    if (redis != null) {
      redis.destroyForcibly().waitFor();
    }
  }

  private String ask(String command) throws IOException {
    socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
    return answers.readLine();
  }

  /** The bulk string of INFO, to its end. */
  private boolean rewriting() throws IOException {
    int length = Integer.parseInt(ask("INFO persistence").substring(1));
    StringBuilder text = new StringBuilder();
    while (text.length() < length + 2) {
      text.append((char) answers.read());
    }
    return text.toString().contains("aof_rewrite_in_progress:1");
  }

  @Test
  void seesTheChildThatRewritesTheLog() throws Exception {
    ask("DEBUG POPULATE %d key %d".formatted(RECORDS, VALUE_BYTES));
    Path series = folder.resolve("resources.csv");
    Usage server;
    try (ResourceSampler sampler =
        new ResourceSampler(
            OptionalLong.of(redis.pid()),
            List.of(ProcessHandle.current().pid()),
            Optional.of(folder.resolve("data")),
            true,
            OptionalLong.empty(),
            series)) {
      sampler.begin("rewrite", true);
      assertThat(ask("BGREWRITEAOF")).startsWith("+Background");
      eventually("the end of the rewrite", () -> !rewriting());
      ResourceSampler.Used used = sampler.end();
      server = used.resources().server().orElseThrow();
      assertThat(used.facts().asMap()).containsKeys("others.cpuShare", "steal.cpuShare");
    }

    long data = (long) RECORDS * VALUE_BYTES;
    assertThat(server.childrenPeakBytes()).isGreaterThan(data);
    assertThat(server.residentPeakBytes()).isGreaterThan(server.childrenPeakBytes() + data);
    // Only pages of files are left out, of the child, too.
    long files = server.residentEndBytes() - server.anonymousEndBytes().orElseThrow();
    assertThat(server.anonymousPeakBytes().orElseThrow())
        .isBetween(server.residentPeakBytes() - 3 * files, server.residentPeakBytes() - 1);
    assertThat(server.anonymousMeanBytes().orElseThrow())
        .isBetween(data, server.anonymousPeakBytes().orElseThrow());
    // The child has ended, what it wrote still counts.
    assertThat(server.writtenBytes().orElseThrow()).isGreaterThan(data);
    assertThat(server.residentEndBytes())
        .isCloseTo(server.residentPeakBytes() - server.childrenPeakBytes(), withinPercentage(20));
    List<String> lines = Files.readAllLines(series);
    assertThat(lines.get(0) + "\n").isEqualTo(ResourceSeries.HEADING);
    assertThat(lines)
        .anyMatch(line -> line.matches("rewrite,\\d+,server,true,.*,[1-9]\\d{6,},\\d+,,\\d+,\\d+,"))
        .allMatch(line -> line.split(",", -1).length == 15);
  }
}

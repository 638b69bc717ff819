package kvrank.provision.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static kvrank.provision.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import kvrank.engine.Exchange;
import kvrank.machine.MachineCheck;
import kvrank.provision.host.ProvisionException;
import org.junit.jupiter.api.Test;

class ReadinessTest {

  private static final Exchange PING = new Exchange("PING\r\n", "\\+PONG");

  /** It answers, ends, and the server listens on its port at once. */
  @Test
  void aStrangersAnswerIsNotTheServers() throws IOException {
    AtomicBoolean answered = new AtomicBoolean();
    try (ServerSocket stranger = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread thread = new Thread(() -> answer(stranger, answered));
      thread.start();
      ServerAddress place =
          new ServerAddress(
              "127.0.0.1",
              stranger.getLocalPort(),
              ServerAddress.Kind.LOOPBACK,
              Optional.of(PING),
              Optional.empty());
      StartedServer server =
          new StartedServer() {
            @Override
            public List<ServerAddress> endpoints() {
              return List.of(place);
            }

            @Override
            public boolean answersAt(ServerAddress endpoint) {
              return answered.get();
            }
          };
      ServerResources resources = new ServerResources(null, null, closed -> {});
      Readiness readiness = new Readiness(server, PING, Duration.ofMillis(50), resources);
      assertThatThrownBy(readiness::await)
          .isInstanceOf(ProvisionException.class)
          .hasMessageStartingWith("it did not answer its ping at ");
    }
  }

  @Test
  void aStoppedServerIsNotToBlameForItsSilence() throws Exception {
    Process stopped = new ProcessBuilder("sh", "-c", "kill -STOP $$").start();
    try {
      eventually("it stops", () -> MachineCheck.stopped(OptionalLong.of(stopped.pid())));
      // Of more than 1 s if this JVM stands still.
      assertThat(silence(stopped))
          .containsPattern(
              "^outsider: its process was stopped by a signal for \\d+ of \\d+ s: it did not");
    } finally {
      stopped.destroyForcibly().waitFor();
    }
    Process silent = new ProcessBuilder("sleep", "60").start();
    try {
      assertThat(silence(silent)).startsWith("engine: it did not answer its ping at [] for 1 s");
    } finally {
      silent.destroyForcibly().waitFor();
    }
  }

  private static String silence(Process process) {
    StartedServer server =
        new StartedServer() {
          @Override
          public List<ServerAddress> endpoints() {
            return List.of();
          }

          @Override
          public OptionalLong pid() {
            return OptionalLong.of(process.pid());
          }
        };
    ServerResources resources = new ServerResources(null, null, closed -> {});
    Readiness readiness = new Readiness(server, PING, Duration.ofSeconds(1), resources);
    SilentException thrown = catchThrowableOfType(SilentException.class, readiness::await);
    return thrown.failure().cause() + ": " + thrown.getMessage();
  }

  private static void answer(ServerSocket stranger, AtomicBoolean answered) {
    try (Socket client = stranger.accept()) {
      answered.set(true);
      client.getOutputStream().write("+PONG\r\n".getBytes(US_ASCII));
      client.getInputStream().readAllBytes();
    } catch (IOException e) {
      // The test has ended.
    }
  }
}

package kvrank.provision.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import kvrank.binding.net.Tls;
import kvrank.scenario.EngineSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExternalStarterTest {

  private final TestRedis redis = new TestRedis(Path.of("unused"));

  @Test
  void anUnexpectedAnswerOfAnExternalServerIsReported() throws Exception {
    try (ServerSocket locked = new ServerSocket(0)) {
      String place = "127.0.0.1:" + locked.getLocalPort();
      CompletableFuture<String> problem =
          CompletableFuture.supplyAsync(() -> problem(place, Optional.empty()));
      try (Socket client = locked.accept()) {
        client.getOutputStream().write("-NOAUTH Authentication required.\r\n".getBytes(US_ASCII));
        assertThat(problem.get(5, TimeUnit.MINUTES))
            .contains("'-NOAUTH Authentication required.'")
            .endsWith("{address: \"" + place + "\", password: {env: NAME}}'");
      }
    }
  }

  @Test
  void tlsProblemsAreReportedLiterally() throws Exception {
    char[] password = "kvrank".toCharArray();
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(
        KeyStore.getInstance(
            Path.of("src", "test", "resources", "tls", "localhost.p12").toFile(), password),
        password);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    Path authority = Path.of("src", "test", "resources", "tls", "localhost.pem");

    try (ServerSocket secure = context.getServerSocketFactory().createServerSocket(0)) {
      String port = ":" + answering(secure);
      assertThat(problem("127.0.0.1" + port, Optional.empty()))
          .isEqualTo(
              "'127.0.0.1%s' speaks TLS; set 'external: {address: \"127.0.0.1%s\", tls: true}'",
              port, port);
      assertThat(problem("localhost" + port, Optional.of(new Tls(Optional.empty()))))
          .endsWith(
              "cannot be reached: TLS: no authority that this JVM trusts vouches for its"
                  + " certificate; 'ca: FILE' names one");
      assertThat(problem("127.0.0.1" + port, Optional.of(new Tls(Optional.of(authority)))))
          .contains("TLS: its certificate is not valid for '127.0.0.1': ");
      assertThat(problem("localhost" + port, Optional.of(new Tls(Optional.of(authority)))))
          .as("it is understood, though it is not a Redis")
          .isEqualTo(
              "'localhost%s' cannot be used: it answers 'INFO server' with '+PONG', as no server of"
                  + " this engine does",
              port);
    }
    try (ServerSocket open = new ServerSocket(0)) {
      assertThat(problem("localhost:" + answering(open), Optional.of(new Tls(Optional.empty()))))
          .endsWith("cannot be reached: TLS: it does not speak TLS at this port");
    }
    assertThat(problem("nowhere.invalid:6379", Optional.empty()))
        .isEqualTo("'nowhere.invalid:6379' cannot be reached: unknown host");
  }

  @Test
  void aPasswordIsNotSentToASocketThatAnotherUserMayHavePutThere(@TempDir Path folder)
      throws Exception {
    Path socket = Files.createFile(folder.resolve("redis.sock"));
    ExternalStarter.requireOwned(socket);
    Files.setAttribute(folder, "unix:mode", 01777);
    ExternalStarter.requireOwned(socket);
    Files.setAttribute(folder, "unix:mode", 0777);
    assertThatThrownBy(() -> ExternalStarter.requireOwned(socket))
        .hasMessageContaining("its password is not sent to '%s': another user", socket);
    assumeThat(Files.getAttribute(Path.of("/proc/self"), "unix:uid")).isEqualTo(0);
    Files.setAttribute(folder, "unix:mode", 01777);
    Files.setAttribute(socket, "unix:uid", 12345);
    assertThatThrownBy(() -> ExternalStarter.requireOwned(socket))
        .hasMessageContaining("move it to a folder that only the server's user can write");
  }

  private String problem(String place, Optional<Tls> tls) {
    EngineSpec engine = redis.external(place, tls).spec();
    return ExternalStarter.problem(engine.definition(), engine.server().orElseThrow())
        .orElseThrow();
  }

  /** Has {@code server} answer each client's first bytes with a pong; returns its port. */
  private static int answering(ServerSocket server) {
    Thread thread =
        new Thread(
            () -> {
              while (!server.isClosed()) {
                try (Socket client = server.accept()) {
                  if (client.getInputStream().read() >= 0) {
                    client.getOutputStream().write("+PONG\r\n".getBytes(US_ASCII));
                  }
                } catch (IOException e) {
                  // The next, or the end.
                }
              }
            });
    thread.setDaemon(true);
    thread.start();
    return server.getLocalPort();
  }
}

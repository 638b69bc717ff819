package kvrank.provision.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConnectionWatchTest {

  private static final String SERVER = "0100007F:18EB";
  private static final String OURS = row("0100007F:C350", SERVER, "01", 0, 7001);
  private static final String ITS_OURS = row(SERVER, "0100007F:C350", "01", 0, 41003);

  @TempDir Path proc;

  private ConnectionWatch watch;

  private static String row(String local, String remote, String state, int user, long inode) {
    return "   0: %s %s %s 00000000:00000000 00:00000000 00000000 %5d        0 %d 1 0000000000000000"
        .formatted(local, remote, state, user, inode);
  }

  @BeforeEach
  void open() throws IOException {
    Files.createDirectories(proc.resolve("net"));
    Path descriptors = Files.createDirectories(proc.resolve(ProcessHandle.current().pid() + "/fd"));
    Files.createSymbolicLink(descriptors.resolve("6"), Path.of("socket:[7001]"));
    watch = new ConnectionWatch(proc, Optional.of(SERVER), OptionalLong.empty(), List.of());
  }

  private Map<String, String> others(String... rows) throws IOException {
    Files.write(proc.resolve("net/tcp"), List.of(rows));
    return watch.others();
  }

  @Test
  void aConnectionCountsInEveryStateInWhichAProgramHoldsIt() throws IOException {
    assertThat(others(OURS, ITS_OURS)).isEmpty();
    for (String client : List.of("01", "02", "04", "05", "08")) {
      assertThat(others(OURS, ITS_OURS, row("0100007F:C351", SERVER, client, 12345, 8001)))
          .as(client)
          .containsExactly(Map.entry("0100007F:C351", "12345"));
    }
    for (String server : List.of("01", "04", "05", "08")) {
      assertThat(others(OURS, ITS_OURS, row(SERVER, "0200007F:C351", server, 0, 41004)))
          .as(server)
          .containsOnlyKeys("0200007F:C351");
    }
    assertThat(others(row(SERVER, "0200007F:C351", "03", 0, 0))).isNotEmpty();
    for (String over : List.of("06", "07", "09", "0B")) {
      assertThat(others(row(SERVER, "0200007F:C351", over, 0, 41004))).as(over).isEmpty();
    }
    assertThat(others(row("0100007F:C351", SERVER, "05", 0, 0))).as("closed").isEmpty();
  }

  @Test
  void oneOfOursStaysOursUntilTheServerHasClosedIt() throws IOException {
    String closed = row(SERVER, "0100007F:C350", "08", 0, 41003);
    assertThat(others(OURS, ITS_OURS)).isEmpty();
    assertThat(others(row("0100007F:C350", SERVER, "05", 0, 0), closed)).isEmpty();
    assertThat(others(closed)).isEmpty();
    assertThat(others()).isEmpty();
    assertThat(others(closed)).as("another client with its address").isNotEmpty();
  }

  @Test
  void strangersAreThoseWhoHoldTheirSideOfAConnection() throws IOException {
    String closed = row(SERVER, "0100007F:C352", "08", 0, 41005);
    Files.write(proc.resolve("net/tcp"), List.of(OURS, ITS_OURS, closed));
    assertThat(watch.users()).isEmpty();
    String one = row("0100007F:C353", SERVER, "01", 12345, 8002);
    String other = row("0100007F:C354", SERVER, "01", 12345, 8003);
    Files.write(proc.resolve("net/tcp"), List.of(OURS, ITS_OURS, closed, one, other));
    assertThat(watch.users()).containsExactly("12345", "12345");
  }

  /** One sample can take longer than a phase, on a busy machine or of thousands of connections. */
  @Test
  void aPhaseWithoutSamplesIsSampledAtItsEnd() throws IOException {
    String one = row("0100007F:C353", SERVER, "01", 12345, 8002);
    Files.write(proc.resolve("net/tcp"), List.of(OURS, ITS_OURS, one));
    watch.begin();
    assertThat(watch.end()).contains(new ConnectionWatch.Seen(1, 2, Set.of("12345")));
    assertThat(ConnectionWatch.blind().end()).isEmpty();
  }

  /** The second is started by this process, but is not its descendant. */
  @Test
  void programsThatThisOneStartedAreNoStrangers() throws Exception {
    assumeThat(Path.of("/usr/bin/setsid")).exists();
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      ServerAddress place =
          new ServerAddress("127.0.0.1", server.getLocalPort(), ServerAddress.Kind.LOOPBACK);
      String hold = "exec 3<>/dev/tcp/127.0.0.1/%d; read x".formatted(server.getLocalPort());
      Process ours = new ProcessBuilder("bash", "-c", hold).start();
      try (Socket accepted = server.accept()) {
        assertThat(accepted.isConnected()).isTrue();
        assertThat(ConnectionWatch.strangers(place)).isEmpty();
        String daemon = "(exec setsid bash -c '%s; cat <&3' &)".formatted(hold);
        new ProcessBuilder("bash", "-c", daemon).start().waitFor();
        try (Socket stranger = server.accept()) {
          assertThat(stranger.isConnected()).isTrue();
          String user = Files.getAttribute(Path.of("/proc/self"), "unix:uid").toString();
          assertThat(ConnectionWatch.strangers(place))
              .contains(
                  "other programs, of user %s, have connections to its server (1)".formatted(user));
        }
      } finally {
        ours.destroyForcibly();
      }
    }
  }
}

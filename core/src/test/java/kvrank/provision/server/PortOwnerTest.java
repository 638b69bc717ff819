package kvrank.provision.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import kvrank.failure.Cause;
import kvrank.failure.Failure;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PortOwnerTest {

  private static final ServerAddress REDIS = at("127.0.0.1", 6379);

  @TempDir Path proc;

  private static ServerAddress at(String host, int port) {
    return new ServerAddress(host, port, ServerAddress.Kind.LOOPBACK);
  }

  // Taken from a machine on which Redis listens on 6379 of both protocols and serves one client.
  @BeforeEach
  void writeTables() throws IOException {
    Files.createDirectories(proc.resolve("net"));
    Files.writeString(
        proc.resolve("net/tcp"),
        """
          sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
           0: 0100007F:18EB 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 41001 1 0000000000000000 100 0 0 10 0
           1: 0100007F:18EB 0100007F:C350 01 00000000:00000000 00:00000000 00000000     0        0 41003 1 0000000000000000 20 4 30 10 -1
           2: 00000000:07E8 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 12 1 0000000000000000 100 0 0 10 0
        """);
    Files.writeString(
        proc.resolve("net/tcp6"),
        """
          sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
           0: 00000000000000000000000001000000:18EB 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 41002 1 0000000000000000 100 0 0 10 0
        """);
  }

  @Test
  void findsTheListeningSocketsOfBothProtocols() throws IOException {
    assertThat(new PortOwner(proc).listening(REDIS)).containsOnlyKeys("socket:[41001]");
    assertThat(new PortOwner(proc).listening(at("::1", 6379))).containsOnlyKeys("socket:[41002]");
    assertThat(new PortOwner(proc).listening(at("127.0.0.1", 6380))).isEmpty();
  }

  // Taken from a machine on which Redis listens on /tmp/a b/s and serves one client.
  @Test
  void findsTheListeningSocketOfAPath() throws IOException {
    Files.writeString(
        proc.resolve("net/unix"),
        """
        Num       RefCount Protocol Flags    Type St Inode Path
        0000000000000000: 00000003 00000000 00000000 0001 03 51003 /tmp/a b/s
        0000000000000000: 00000002 00000000 00010000 0001 01 51001 /tmp/a b/s
        0000000000000000: 00000002 00000000 00010000 0001 01 51002 /tmp/a b/s2
        0000000000000000: 00000003 00000000 00000000 0001 03 51004
        """);
    assertThat(new PortOwner(proc).listening(at("unix:/tmp/a b/s", 0)))
        .containsOnlyKeys("socket:[51001]");
    assertThat(new PortOwner(proc).listening(at("unix:/tmp/a", 0))).isEmpty();
  }

  @Test
  void findsTheProcessThatHoldsOne() throws IOException {
    ProcessHandle self = ProcessHandle.current();
    Path descriptors = proc.resolve(self.pid() + "/fd");
    Files.createDirectories(descriptors);
    Files.createSymbolicLink(descriptors.resolve("0"), Path.of("pipe:[7]"));
    assertThat(new PortOwner(proc).among(self, REDIS)).isEmpty();
    Files.createSymbolicLink(descriptors.resolve("6"), Path.of("socket:[41001]"));
    assertThat(new PortOwner(proc).among(self, REDIS)).hasValue(self.pid());
  }

  /** A program at the very address of a client gets its connections before one at all addresses. */
  @Test
  void anAddressGoesBeforeAllAddresses() throws IOException {
    String any =
        Files.readString(proc.resolve("net/tcp6")).replace("01000000:18EB", "00000000:18EB");
    Files.writeString(proc.resolve("net/tcp6"), any);
    assertThat(new PortOwner(proc).listening(REDIS)).containsOnlyKeys("socket:[41001]");
    assertThat(new PortOwner(proc).listening(at("127.0.0.2", 6379)))
        .containsOnlyKeys("socket:[41002]");
  }

  @Test
  void anotherProgramAtThePortIsNamed() throws Exception {
    PortOwner owner = new PortOwner(Path.of("/proc"));
    ProcessHandle self = ProcessHandle.current();
    Process server = new ProcessBuilder("sleep", "1000").start();
    ServerAddress place;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      place = at("127.0.0.1", socket.getLocalPort());
      assertThat(owner.answers(place, self, List::of)).isTrue();
      assertThat(owner.answers(place, server.toHandle(), () -> List.of(self))).isFalse();
      PortTakenException taken =
          catchThrowableOfType(
              PortTakenException.class, () -> owner.answers(place, server.toHandle(), List::of));
      assertThat(taken.failure())
          .isEqualTo(
              new Failure(
                  Cause.OUTSIDER,
                  "a program of user %s (pid %d) listens at %s instead; stop that program"
                      .formatted(
                          Files.getAttribute(Path.of("/proc/self"), "unix:uid"),
                          self.pid(),
                          place)));
    } finally {
      server.destroyForcibly().waitFor();
    }
    assertThat(owner.answers(place, self, List::of)).isFalse();
  }

  /** The process may end after its socket was seen, and then holds none. */
  @Test
  void aListenerThatIsGoneAtASecondLookIsNoStranger() throws Exception {
    ProcessHandle self = ProcessHandle.current();
    PortOwner owner = new PortOwner(proc);
    assertThat(
            owner.answers(
                REDIS,
                self,
                () -> {
                  proc.resolve("net/tcp").toFile().delete();
                  proc.resolve("net/tcp6").toFile().delete();
                  return List.of();
                }))
        .isFalse();
  }

  @Test
  void trustsTheProcessWithoutProc() {
    ProcessHandle self = ProcessHandle.current();
    assertThat(new PortOwner(proc.resolve("none")).among(self, REDIS)).hasValue(self.pid());
  }
}

package kvrank.provision.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PortOwnerTest {

  @TempDir Path proc;

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
    assertThat(new PortOwner(proc).listening(6379))
        .containsExactlyInAnyOrder("socket:[41001]", "socket:[41002]");
    assertThat(new PortOwner(proc).listening(6380)).isEmpty();
  }

  @Test
  void findsTheProcessThatHoldsOne() throws IOException {
    ProcessHandle self = ProcessHandle.current();
    Path descriptors = proc.resolve(self.pid() + "/fd");
    Files.createDirectories(descriptors);
    Files.createSymbolicLink(descriptors.resolve("0"), Path.of("pipe:[7]"));
    assertThat(new PortOwner(proc).among(self, 6379)).isEmpty();
    Files.createSymbolicLink(descriptors.resolve("6"), Path.of("socket:[41002]"));
    assertThat(new PortOwner(proc).among(self, 6379)).hasValue(self.pid());
  }

  @Test
  void trustsTheProcessWithoutProc() {
    ProcessHandle self = ProcessHandle.current();
    assertThat(new PortOwner(proc.resolve("none")).among(self, 6379)).hasValue(self.pid());
  }
}

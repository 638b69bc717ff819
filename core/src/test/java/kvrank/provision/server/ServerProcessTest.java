package kvrank.provision.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import kvrank.provision.host.Children;
import kvrank.provision.host.Executables;
import kvrank.provision.host.Reaper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerProcessTest {

  /** Ends at SIGTERM, but only once it is connected to. */
  static final class Sleeper {

    private Sleeper() {}

    public static void main(String[] args) throws IOException, InterruptedException {
      ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () -> {
                    try {
                      socket.accept();
                    } catch (IOException e) {
                      throw new IllegalStateException(e);
                    }
                    Runtime.getRuntime().halt(0);
                  }));
      System.out.println(socket.getLocalPort());
      new CountDownLatch(1).await();
    }
  }

  /** memcached took up to a second to stop. */
  @Test
  void aServerThatSleepsUntilItsNextEventEndsByItself(@TempDir Path folder) throws Exception {
    String mark = Children.mark();
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String classpath =
        Path.of(Sleeper.class.getProtectionDomain().getCodeSource().getLocation().toURI())
            .toString();
    Process process =
        Children.builder(List.of(java, "-cp", classpath, Sleeper.class.getName()), mark).start();
    BufferedReader output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), US_ASCII));
    int port = Integer.parseInt(output.readLine());
    try (Reaper reaper = new Reaper(new Executables(Map.of()))) {
      new ServerProcess(
              process,
              false,
              mark,
              java,
              folder,
              new ServerAddress("127.0.0.1", port, ServerAddress.Kind.LOOPBACK),
              reaper)
          .stop();
    }
    assertThat(process.exitValue()).as("not killed").isZero();
  }
}

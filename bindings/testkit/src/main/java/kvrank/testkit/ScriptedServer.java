package kvrank.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import kvrank.binding.net.BufferedConnection;
import kvrank.binding.net.Endpoint;

/** The other end of one connection, which answers what a test wrote down, and then closes. */
public final class ScriptedServer {

  private ScriptedServer() {}

  /** Opens a connection. */
  public interface Opening<C extends BufferedConnection> {
    C open(Endpoint endpoint) throws IOException;
  }

  /** What a test does with a connection, of which it sees what the server is sent. */
  public interface Dialogue<C extends BufferedConnection> {
    void run(C connection, InputStream sent) throws Exception;
  }

  /** Runs {@code dialogue} with a connection whose answers are {@code answers}. */
  public static <C extends BufferedConnection> void answer(
      String answers, Opening<C> opening, Dialogue<C> dialogue) throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        C connection =
            opening.open(
                new Endpoint(
                    server.getInetAddress().getHostAddress(),
                    server.getLocalPort(),
                    Duration.ofMinutes(5)));
        Socket other = server.accept()) {
      other.getOutputStream().write(answers.getBytes(UTF_8));
      other.shutdownOutput();
      dialogue.run(connection, other.getInputStream());
    }
  }
}

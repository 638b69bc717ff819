package kvrank.ssdb;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.Optional;
import kvrank.binding.Endpoint;
import kvrank.binding.RefusedException;

/** One connection to SSDB. Requests are buffered until an answer is asked for. */
final class SsdbConnection implements Closeable {

  private final Socket socket;
  private final PacketWriter out;
  private final PacketReader in;

  private SsdbConnection(Socket socket) throws IOException {
    this.socket = socket;
    this.out = new PacketWriter(socket.getOutputStream());
    this.in = new PacketReader(socket.getInputStream());
  }

  static SsdbConnection open(Endpoint endpoint) throws IOException {
    Socket socket = new Socket();
    try {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(Math.toIntExact(endpoint.timeout().toMillis()));
      socket.connect(
          new InetSocketAddress(endpoint.host(), endpoint.port()),
          Math.toIntExact(Endpoint.CONNECT_TIMEOUT.toMillis()));
      return new SsdbConnection(socket);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /** Adds a request to the buffer. */
  void send(byte[]... request) {
    out.add(request);
  }

  /**
   * Sends what is buffered and waits for one answer.
   *
   * @return what follows the status ok; empty if the status is not_found
   * @throws RefusedException if the status is another one
   */
  Optional<List<byte[]>> receive() throws IOException, RefusedException {
    out.flush();
    List<byte[]> answer = in.next();
    String status = new String(answer.get(0), UTF_8);
    return switch (status) {
      case "ok" -> Optional.of(answer.subList(1, answer.size()));
      case "not_found" -> Optional.empty();
      default ->
          throw new RefusedException(
              answer.size() > 1 ? status + ": " + new String(answer.get(1), UTF_8) : status);
    };
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}

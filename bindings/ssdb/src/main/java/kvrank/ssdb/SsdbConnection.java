package kvrank.ssdb;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.util.List;
import java.util.Optional;
import kvrank.binding.Endpoint;
import kvrank.binding.RefusedException;
import kvrank.binding.ServerConnection;
import kvrank.binding.WatchedSocket;

/** One connection to SSDB. Requests are buffered until an answer is asked for. */
final class SsdbConnection implements ServerConnection {

  private static final byte[] AUTH = "auth".getBytes(UTF_8);

  private final WatchedSocket socket;
  private final PacketWriter out;
  private final PacketReader in;

  private SsdbConnection(WatchedSocket socket) {
    this.socket = socket;
    this.out = new PacketWriter(socket.output());
    this.in = new PacketReader(socket.input());
  }

  static SsdbConnection open(Endpoint endpoint) throws IOException {
    SsdbConnection connection = new SsdbConnection(WatchedSocket.connect(endpoint));
    if (endpoint.password().isPresent()) {
      try {
        connection.send(AUTH, List.of(endpoint.password().get().getBytes(UTF_8)));
        connection.receive();
      } catch (IOException | RefusedException e) {
        connection.close();
        throw new IOException(e.getMessage(), e);
      }
    }
    return connection;
  }

  /** Returns the buffer of requests. */
  PacketWriter out() {
    return out;
  }

  /** Adds a request to the buffer. */
  void send(byte[] command, List<byte[]> arguments) {
    out.word(command);
    arguments.forEach(out::word);
    out.end();
  }

  /**
   * Sends what is buffered and waits for one answer.
   *
   * @return what follows the status ok; empty if the status is not_found
   * @throws RefusedException if the status is another one
   */
  Optional<List<byte[]>> receive() throws IOException, RefusedException {
    List<byte[]> answer = exchange();
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
  public void flush() throws IOException {
    socket.begin();
    try {
      out.flush();
    } catch (IOException e) {
      throw socket.reason(e);
    }
  }

  @Override
  public SelectableChannel channel() {
    return socket.channel();
  }

  private List<byte[]> exchange() throws IOException {
    socket.begin();
    try {
      out.flush();
      return in.next();
    } catch (IOException e) {
      throw socket.reason(e);
    } finally {
      socket.end();
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}

package kvrank.memcached;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.SelectableChannel;
import kvrank.binding.ByteSource;
import kvrank.binding.Endpoint;
import kvrank.binding.RefusedException;
import kvrank.binding.ServerConnection;
import kvrank.binding.ValueBuffer;
import kvrank.binding.WatchedSocket;
import site.ycsb.Status;

/** One connection to memcached. Commands are buffered until a response is asked for. */
final class MemcachedConnection implements ServerConnection {

  private static final byte[] LINE_END = {'\r', '\n'};
  private static final String ITEMS = "STAT curr_items ";

  private final WatchedSocket socket;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream(1 << 12);
  private final InputStream in;

  private MemcachedConnection(WatchedSocket socket) {
    this.socket = socket;
    this.in = new BufferedInputStream(socket.input());
  }

  static MemcachedConnection open(Endpoint endpoint) throws IOException {
    return new MemcachedConnection(WatchedSocket.connect(endpoint));
  }

  void get(MetaKey key) {
    command("mg ", key, " v");
  }

  void delete(MetaKey key) {
    command("md ", key, "");
  }

  void set(MetaKey key, ByteSource value) {
    command("ms ", key, " " + value.size());
    out.writeBytes(value.toByteArray());
    out.writeBytes(LINE_END);
  }

  /** Asks how many items there are, and waits for the response. */
  long items() throws IOException, RefusedException {
    out.writeBytes("stats\r\n".getBytes(UTF_8));
    flush();
    String items = "";
    try {
      for (String line = line(); !line.equals("END"); line = line()) {
        if (!line.startsWith("STAT ")) {
          throw new RefusedException(line);
        }
        items = line.startsWith(ITEMS) ? line.substring(ITEMS.length()) : items;
      }
      return Long.parseLong(items);
    } catch (IOException e) {
      throw socket.reason(e);
    } catch (NumberFormatException e) {
      throw new IOException("its statistics say '" + items + "' of " + ITEMS.strip(), e);
    } finally {
      socket.end();
    }
  }

  private void command(String name, MetaKey key, String arguments) {
    out.writeBytes(name.getBytes(UTF_8));
    key.writeTo(out, arguments);
    out.writeBytes(LINE_END);
  }

  @Override
  public void flush() throws IOException {
    socket.begin();
    try {
      out.writeTo(socket.output());
      out.reset();
    } catch (IOException e) {
      throw socket.reason(e);
    }
  }

  /**
   * Sends what is buffered and waits for one response.
   *
   * @param value where the value goes that was asked for
   * @throws RefusedException if the response is an error message
   */
  Status receive(ValueBuffer value) throws IOException, RefusedException {
    if (out.size() > 0) {
      flush();
    }
    socket.begin();
    try {
      String line = line();
      if (line.startsWith("VA ")) {
        value.wrap(block(Integer.parseInt(line.substring(3).strip())));
        return Status.OK;
      }
      return switch (line) {
        case "HD" -> Status.OK;
        case "EN", "NF" -> Status.NOT_FOUND;
        default -> throw new RefusedException(line);
      };
    } catch (IOException e) {
      throw socket.reason(e);
    } finally {
      socket.end();
    }
  }

  private byte[] block(int length) throws IOException {
    byte[] block = in.readNBytes(length);
    if (block.length < length || !line().isEmpty()) {
      throw new IOException("a value is not as long as memcached says");
    }
    return block;
  }

  /** Returns the next line without its end. */
  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("the server closed the connection");
      }
      line.append((char) next);
    }
    line.setLength(Math.max(0, line.length() - 1));
    return line.toString();
  }

  @Override
  public SelectableChannel channel() {
    return socket.channel();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}

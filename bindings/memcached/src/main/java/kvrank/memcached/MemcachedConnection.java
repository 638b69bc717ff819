package kvrank.memcached;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import kvrank.binding.ByteSource;
import kvrank.binding.RefusedException;
import kvrank.binding.ValueBuffer;
import kvrank.binding.net.BufferedConnection;
import kvrank.binding.net.Endpoint;
import kvrank.binding.net.SendBuffer;
import kvrank.binding.net.WatchedSocket;
import site.ycsb.Status;

/** One connection to memcached. Commands are buffered until a response is asked for. */
final class MemcachedConnection extends BufferedConnection {

  private static final byte[] GET = ascii("mg ");
  private static final byte[] VALUE = ascii(" v");
  private static final byte[] SET = ascii("ms ");
  private static final byte[] DELETE = ascii("md ");
  private static final byte[] STATS = ascii("stats\r\n");
  private static final byte[] NONE = {};
  private static final String ITEMS = "STAT curr_items ";

  private MemcachedConnection(WatchedSocket socket) {
    super(socket, "memcached's protocol");
  }

  static MemcachedConnection open(Endpoint endpoint) throws IOException {
    MemcachedConnection connection = new MemcachedConnection(WatchedSocket.connect(endpoint));
    if (endpoint.password().isPresent()) {
      try {
        connection.login(endpoint.user().orElse("") + " " + endpoint.password().get());
      } catch (IOException | RefusedException e) {
        connection.close();
        throw new IOException(e.getMessage(), e);
      }
    }
    return connection;
  }

  /** Sends user and password as the value of a set with any key, the first command of all. */
  private void login(String both) throws IOException, RefusedException {
    byte[] credentials = both.getBytes(UTF_8);
    end(out.add(ascii("set login 0 0 " + credentials.length)));
    end(out.add(credentials));
    receive(
        () -> {
          String answer = in.line();
          if (!answer.equals("STORED")) {
            throw new RefusedException(answer);
          }
          return answer;
        });
  }

  void get(MetaKey key) {
    end(key.addTo(out.add(GET), VALUE));
  }

  void delete(MetaKey key) {
    end(key.addTo(out.add(DELETE), NONE));
  }

  void set(MetaKey key, ByteSource value) {
    int seconds = value.ttlSeconds();
    byte[] arguments = ascii(" " + value.size() + (seconds > 0 ? " T" + seconds : ""));
    end(key.addTo(out.add(SET), arguments));
    end(out.add(value));
  }

  private static void end(SendBuffer line) {
    line.add('\r').add('\n');
  }

  private static byte[] ascii(String text) {
    return text.getBytes(US_ASCII);
  }

  /** Asks how many items there are, and waits for the response. */
  long items() throws IOException, RefusedException {
    out.add(STATS);
    return receive(
        () -> {
          String items = "";
          for (String line = in.line(); !line.equals("END"); line = in.line()) {
            if (!line.startsWith("STAT ")) {
              throw new RefusedException(line);
            }
            items = line.startsWith(ITEMS) ? line.substring(ITEMS.length()) : items;
          }
          try {
            return Long.parseLong(items);
          } catch (NumberFormatException e) {
            throw new IOException("its statistics say '" + items + "' of " + ITEMS.strip(), e);
          }
        });
  }

  /**
   * Sends what is buffered and waits for one response.
   *
   * @param value where the value goes that was asked for
   */
  Status receive(ValueBuffer value) throws IOException, RefusedException {
    return receive(() -> response(value));
  }

  private Status response(ValueBuffer value) throws IOException, RefusedException {
    byte first = in.next();
    byte second = in.next();
    if (first == 'V' && second == 'A' && in.next() == ' ') {
      in.block(in.length(), value);
      return Status.OK;
    }
    String line = "" + (char) first + (char) second + in.line();
    return switch (line) {
      case "HD" -> Status.OK;
      case "EN", "NF" -> Status.NOT_FOUND;
      default -> throw new RefusedException(line);
    };
  }
}

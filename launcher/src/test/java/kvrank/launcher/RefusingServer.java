package kvrank.launcher;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A server of Redis's protocol that refuses each write with certain words: {@code PORT WORDS}. */
final class RefusingServer {

  private RefusingServer() {}

  public static void main(String[] arguments) throws IOException {
    int port = Integer.parseInt(arguments[0]);
    String refusal = "-ERR " + arguments[1] + "\r\n";
    try (ServerSocket server = new ServerSocket(port, 50, InetAddress.getLoopbackAddress())) {
      while (true) {
        Socket client = server.accept();
        Thread thread = new Thread(() -> answer(client, refusal));
        thread.setDaemon(true);
        thread.start();
      }
    }
  }

  private static void answer(Socket client, String refusal) {
    try (client;
        InputStream in = new BufferedInputStream(client.getInputStream())) {
      OutputStream out = client.getOutputStream();
      for (String line = line(in); !line.isEmpty(); line = line(in)) {
        String answer = line.equals("PING") ? "+PONG\r\n" : refusal;
        if (line.startsWith("*")) {
          for (int words = Integer.parseInt(line.substring(1)); words > 0; words--) {
            int length = Integer.parseInt(line(in).substring(1));
            String word = new String(in.readNBytes(length), ISO_8859_1);
            answer = word.equals("PING") ? "+PONG\r\n" : answer;
            line(in);
          }
        }
        out.write(answer.getBytes(ISO_8859_1));
        out.flush();
      }
    } catch (IOException gone) {
      // The client has heard enough.
    }
  }

  /** Returns a line without its end; an empty one at the end of all. */
  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
      line.append((char) next);
    }
    return line.toString().strip();
  }
}

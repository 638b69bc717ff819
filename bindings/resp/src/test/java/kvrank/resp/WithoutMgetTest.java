package kvrank.resp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import kvrank.binding.ValueBuffer;
import org.junit.jupiter.api.Test;
import site.ycsb.Status;

/** A server, such as a proxy, that knows GET and no MGET. */
final class WithoutMgetTest {

  private final List<String> asked = new ArrayList<>();

  @Test
  void singleReadsReplaceIt() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread thread = new Thread(() -> serve(server));
      thread.start();
      RespBinding binding = new RespBinding();
      Properties properties = new Properties();
      properties.put("host", server.getInetAddress().getHostAddress());
      properties.put("port", Integer.toString(server.getLocalPort()));
      binding.setProperties(properties);
      binding.init();
      for (int i = 0; i < 2; i++) {
        ValueBuffer first = new ValueBuffer(10);
        ValueBuffer second = new ValueBuffer(10);
        assertThat(
                binding.batchRead(
                    List.of("a".getBytes(US_ASCII), "b".getBytes(US_ASCII)),
                    List.of(first, second)))
            .isEqualTo(Status.OK);
        assertThat(first.toByteArray()).asString(US_ASCII).isEqualTo("a's");
        assertThat(second.toByteArray()).asString(US_ASCII).isEqualTo("b's");
      }
      assertThat(binding.reports()).containsOnlyKeys("batch-reads");
      binding.cleanup();
      thread.join();
    }
    assertThat(asked).containsExactly("MGET", "GET", "GET", "GET", "GET");
  }

  private void serve(ServerSocket server) {
    try (Socket client = server.accept();
        BufferedReader in =
            new BufferedReader(new InputStreamReader(client.getInputStream(), ISO_8859_1))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        List<String> words = new ArrayList<>();
        for (int i = Integer.parseInt(line.substring(1)); i > 0; i--) {
          in.readLine();
          words.add(in.readLine());
        }
        asked.add(words.get(0));
        String answer =
            words.get(0).equals("GET")
                ? "$3\r\n" + words.get(1) + "'s\r\n"
                : "-ERR unknown command '" + words.get(0) + "'\r\n";
        client.getOutputStream().write(answer.getBytes(US_ASCII));
      }
    } catch (IOException e) {
      asked.add(e.toString());
    }
  }
}

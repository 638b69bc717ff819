package kvrank.ssdb;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import kvrank.binding.ByteSource;
import kvrank.binding.RefusedException;
import kvrank.binding.ValueBuffer;
import kvrank.binding.net.BufferedConnection;
import kvrank.binding.net.Endpoint;
import kvrank.binding.net.WatchedSocket;
import site.ycsb.Status;

/**
 * One connection to SSDB. A request and an answer are packets: words of {@code <length>\n<bytes>\n}
 * and an empty line, of which an answer's first word is its status. Requests are buffered until an
 * answer is asked for, and leave in one write, since SSDB answers a split one after 44 ms.
 */
final class SsdbConnection extends BufferedConnection {

  private static final byte[] AUTH = "auth".getBytes(UTF_8);
  private static final byte[] OK = "ok".getBytes(UTF_8);
  private static final byte[] NOT_FOUND = "not_found".getBytes(UTF_8);

  private final ValueBuffer status = new ValueBuffer();

  private SsdbConnection(WatchedSocket socket) {
    super(socket, "SSDB's protocol");
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

  /** Adds a word to the request. */
  SsdbConnection word(byte[] word) {
    out.add(word.length).add('\n').add(word).add('\n');
    return this;
  }

  /** Adds a word to the request. */
  SsdbConnection word(ByteSource word) {
    out.add(word.size()).add('\n').add(word).add('\n');
    return this;
  }

  /** Ends the request. */
  void end() {
    out.add('\n');
  }

  /** Adds a request to the buffer. */
  void send(byte[] command, List<byte[]> arguments) {
    word(command);
    arguments.forEach(this::word);
    end();
  }

  /** Reads an answer whose words {@code words} reads, if its status is ok, and not not_found. */
  private <T> Optional<T> answer(Reading<T> words) throws IOException, RefusedException {
    in.block(in.length(), status);
    Optional<T> answer = Optional.empty();
    if (is(OK)) {
      answer = Optional.of(words.read());
    } else if (!is(NOT_FOUND)) {
      String word = new String(status.toByteArray(), UTF_8);
      List<byte[]> reason = words();
      in.lineIs();
      throw new RefusedException(
          reason.isEmpty() ? word : word + ": " + new String(reason.get(0), UTF_8));
    }
    if (!in.lineIs()) {
      throw in.protocolError("an answer with more words than there should be");
    }
    return answer;
  }

  private boolean is(byte[] word) {
    return Arrays.equals(status.array(), 0, status.length(), word, 0, word.length);
  }

  /** The words up to the end of the packet, which stays where it is. */
  private List<byte[]> words() throws IOException {
    List<byte[]> words = new ArrayList<>(2);
    while (in.peek() != '\n') {
      words.add(in.block(in.length()));
    }
    return words;
  }

  /**
   * Sends what is buffered and waits for one answer.
   *
   * @return the words after the status ok; empty if the status is not_found
   */
  Optional<List<byte[]>> receive() throws IOException, RefusedException {
    return receive(() -> answer(this::words));
  }

  /**
   * Sends what is buffered and waits for one answer of one word, which goes to {@code value}.
   *
   * @return OK or NOT_FOUND
   */
  Status receive(ValueBuffer value) throws IOException, RefusedException {
    return receive(() -> answer(() -> value(value))).orElse(Status.NOT_FOUND);
  }

  private Status value(ValueBuffer value) throws IOException {
    in.block(in.length(), value);
    return Status.OK;
  }

  /**
   * Sends what is buffered and waits for one answer, the number of things that SSDB did: it answers
   * ok to a batch of which it stored nothing.
   *
   * @return OK or NOT_FOUND
   */
  Status receive(int expected) throws IOException, RefusedException {
    Optional<Long> count = receive(() -> answer(this::count));
    if (count.isPresent() && count.get() != expected) {
      throw new RefusedException("did " + count.get() + " of " + expected);
    }
    return count.isPresent() ? Status.OK : Status.NOT_FOUND;
  }

  private long count() throws IOException {
    in.length();
    return in.number();
  }
}

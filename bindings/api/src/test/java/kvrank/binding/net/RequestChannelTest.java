package kvrank.binding.net;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import kvrank.binding.ErrorLog;
import kvrank.binding.RefusedException;
import org.junit.jupiter.api.Test;
import site.ycsb.Status;

final class RequestChannelTest {

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final List<Line> lines = new ArrayList<>();
  private boolean reachable = true;
  private final RequestChannel<Line> channel =
      new RequestChannel<>(
          "engine", this::open, new ErrorLog(new PrintStream(printed, true, UTF_8)));

  @Test
  void answersAreInTheOrderOfTheRequests() {
    send("a");
    send("b");
    channel.answer(Status.BAD_REQUEST);
    send("c");
    assertThat(receive()).isEqualTo(new Status("a", ""));
    assertThat(receive()).isEqualTo(new Status("b", ""));
    assertThat(receive()).isEqualTo(Status.BAD_REQUEST);
    assertThat(receive()).isEqualTo(new Status("c", ""));
    assertThatIllegalStateException().isThrownBy(this::receive);
    assertThat(lines).hasSize(1);
  }

  @Test
  void answersWithoutAConnection() {
    channel.answer(Status.BAD_REQUEST);
    assertThat(receive()).isEqualTo(Status.BAD_REQUEST);
    assertThat(printed.toString(UTF_8)).isEmpty();
  }

  @Test
  void requestsInFlightAreLostWithTheirConnection() {
    send("a");
    send("b");
    lines.get(0).broken = true;
    assertThat(receive()).isEqualTo(Status.ERROR);
    send("c");
    assertThat(receive()).as("b was lost with the first connection").isEqualTo(Status.ERROR);
    assertThat(receive()).as("c is on the second one").isEqualTo(new Status("c", ""));
    assertThat(lines).hasSize(2);
    assertThat(lines.get(0).closed).isTrue();
  }

  @Test
  void aRequestThatCannotBeSentLosesThePreviousOnes() {
    send("a");
    lines.get(0).broken = true;
    send("b");
    send("c");
    assertThat(receive()).isEqualTo(Status.ERROR);
    assertThat(receive()).isEqualTo(Status.ERROR);
    assertThat(receive()).isEqualTo(new Status("c", ""));
  }

  @Test
  void aLostEngineIsAnErrorUntilItReturns() {
    reachable = false;
    for (int i = 0; i < 1000; i++) {
      assertThat(ask("a")).isEqualTo(Status.ERROR);
    }
    reachable = true;
    assertThat(ask("a")).isEqualTo(new Status("a", ""));
    assertThat(printed.toString(UTF_8).lines()).containsExactly("engine: refused");
  }

  @Test
  void aRefusalIsAnErrorAndKeepsTheConnection() {
    Status refused =
        channel.ask(
            line -> line.write("a"),
            (line, none) -> {
              line.read();
              throw new RefusedException("out of memory");
            });
    assertThat(refused).isEqualTo(Status.ERROR);
    assertThat(ask("b")).isEqualTo(new Status("b", ""));
    assertThat(lines).hasSize(1);
    assertThat(printed.toString(UTF_8)).contains("engine: out of memory");
  }

  /** The start of the next answer is unknown. */
  @Test
  void anUnexpectedAnswerEndsTheConnection() {
    Status status =
        channel.ask(
            line -> line.write("a"),
            (line, none) -> {
              throw new ClassCastException("not a list");
            });
    assertThat(status).isEqualTo(Status.ERROR);
    assertThat(lines.get(0).closed).isTrue();
    assertThat(ask("b")).isEqualTo(new Status("b", ""));
  }

  /** A later request would take it for its own. */
  @Test
  void anAnswerWithoutARequestEndsTheConnection() throws IOException {
    send("a");
    lines.get(0).write("a");
    send("b");
    assertThat(receive()).as("b is in flight").isEqualTo(new Status("a", ""));
    assertThat(receive()).isEqualTo(Status.ERROR);
    assertThat(lines.get(0).closed).isTrue();
    assertThat(ask("c")).isEqualTo(new Status("c", ""));
    assertThat(printed.toString(UTF_8)).contains("engine: more answers than requests");
  }

  @Test
  void closingTwiceIsHarmless() {
    send("a");
    receive();
    channel.close();
    channel.close();
    assertThat(lines.get(0).closed).isTrue();
  }

  private void send(String word) {
    channel.send(line -> line.write(word), (line, none) -> new Status(line.read(), ""));
  }

  private Status ask(String word) {
    send(word);
    return receive();
  }

  private Status receive() {
    return channel.receive(null);
  }

  private Line open() throws IOException {
    if (!reachable) {
      throw new IOException("refused");
    }
    Line line = new Line();
    lines.add(line);
    return line;
  }

  /** Answers each word with itself. */
  private static final class Line implements RequestChannel.Connection {
    private final Queue<String> words = new ArrayDeque<>();
    private boolean broken;
    private boolean closed;

    void write(String word) throws IOException {
      check();
      words.add(word);
    }

    String read() throws IOException {
      check();
      return words.remove();
    }

    @Override
    public void requireIdle() throws IOException {
      if (!words.isEmpty()) {
        throw new IOException("more answers than requests");
      }
    }

    private void check() throws IOException {
      if (broken || closed) {
        throw new IOException("reset");
      }
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}

package kvrank.testkit;

import static kvrank.testkit.Records.bytes;
import static kvrank.testkit.Records.source;
import static kvrank.testkit.Records.valueFor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import kvrank.binding.Multiplexed;
import kvrank.binding.Pipelined;
import kvrank.binding.ValueBuffer;
import kvrank.engine.Capability;
import org.junit.jupiter.api.Test;
import site.ycsb.DB;
import site.ycsb.Status;

/** Several requests in flight. */
interface PipelineContract {

  Subject subject();

  @Test
  default void answersComeInOrder() throws Exception {
    DB binding = openForPipelines();
    Pipelined pipeline = (Pipelined) binding;
    String start = subject().freshKey();
    int count = 300;
    for (int i = 0; i < count; i++) {
      pipeline.sendInsert(bytes(start + i), source(valueFor(start + i)));
    }
    for (int i = 0; i < count; i++) {
      assertThat(pipeline.receive(null)).isEqualTo(Status.OK);
    }
    for (int i = 0; i < count; i++) {
      pipeline.sendRead(bytes(i % 3 == 0 ? start + "none" + i : start + i));
    }
    for (int i = 0; i < count; i++) {
      ValueBuffer value = new ValueBuffer();
      Status status = pipeline.receive(value);
      if (i % 3 == 0) {
        assertThat(status).isEqualTo(Status.NOT_FOUND);
        assertThat(value.isPresent()).isFalse();
      } else {
        assertThat(status).isEqualTo(Status.OK);
        assertThat(value.toByteArray()).isEqualTo(valueFor(start + i));
      }
    }
  }

  @Test
  default void requestsOfEveryKindFollowEachOther() throws Exception {
    DB binding = openForPipelines();
    Pipelined pipeline = (Pipelined) binding;
    String key = subject().freshKey();
    byte[] other = {5, 0, 5};
    pipeline.sendInsert(bytes(key), source(valueFor(key)));
    pipeline.sendRead(bytes(key));
    pipeline.sendUpdate(bytes(key), source(other));
    pipeline.sendRead(bytes(key));
    pipeline.sendDelete(bytes(key));
    pipeline.sendRead(bytes(key));
    assertThat(pipeline.receive(null)).isEqualTo(Status.OK);
    assertRecord(pipeline, valueFor(key));
    assertThat(pipeline.receive(null)).isEqualTo(Status.OK);
    assertRecord(pipeline, other);
    assertThat(pipeline.receive(null)).isEqualTo(Status.OK);
    assertThat(pipeline.receive(new ValueBuffer())).isEqualTo(Status.NOT_FOUND);
    assertThat(Records.statusOfRead(binding, key)).isEqualTo(Status.NOT_FOUND);
  }

  @Test
  default void aWindowOfRequestsSlides() throws Exception {
    Pipelined pipeline = (Pipelined) openForPipelines();
    String start = subject().freshKey();
    int window = 16;
    for (int i = 0; i < 200; i++) {
      pipeline.sendInsert(bytes(start + i), source(valueFor(start + i)));
      if (i >= window) {
        assertThat(pipeline.receive(null)).isEqualTo(Status.OK);
      }
    }
    for (int i = 0; i < window; i++) {
      assertThat(pipeline.receive(null)).isEqualTo(Status.OK);
    }
    assertThatIllegalStateException().isThrownBy(() -> pipeline.receive(null));
  }

  /**
   * One thread that sends on several connections and receives from those that a selector reports.
   */
  @Test
  default void oneThreadAwaitsSeveralConnections() throws Exception {
    assumeTrue(subject().claims(Capability.CONNECTIONS), "it does not claim connections");
    String start = subject().freshKey();
    int window = 20;
    Map<SelectionKey, Multiplexed> awaited = new HashMap<>();
    try (Selector selector = Selector.open()) {
      for (int i = 0; i < 7; i++) {
        Multiplexed connection = (Multiplexed) subject().open();
        for (int j = 0; j < window; j++) {
          String key = start + (i * window + j);
          connection.sendInsert(bytes(key), source(valueFor(key)));
        }
        connection.flush();
        SelectableChannel channel = connection.channel().orElseThrow();
        channel.configureBlocking(false);
        awaited.put(channel.register(selector, SelectionKey.OP_READ), connection);
      }
      while (!awaited.isEmpty()) {
        assertThat(selector.select(30_000)).as("connections that have answers").isPositive();
        for (SelectionKey key : selector.selectedKeys()) {
          Multiplexed connection = awaited.remove(key);
          for (int j = 0; j < window; j++) {
            assertThat(connection.receive(null)).isEqualTo(Status.OK);
          }
        }
        selector.selectedKeys().clear();
      }
    }
    DB reader = subject().open();
    for (int i = 0; i < 7 * window; i++) {
      assertThat(Records.read(reader, start + i)).isEqualTo(valueFor(start + i));
    }
  }

  /** An engine that waits until its answers are read may read no requests meanwhile. */
  @Test
  default void requestsAndAnswersMayBeLongerThanBuffers() throws Exception {
    Pipelined pipeline = (Pipelined) openForPipelines();
    String key = subject().freshKey();
    byte[] value = new byte[500_000];
    new Random(1).nextBytes(value);
    int count = 64;
    for (int i = 0; i < count; i++) {
      pipeline.sendUpdate(bytes(key), source(value));
      pipeline.sendRead(bytes(key));
    }
    for (int i = 0; i < count; i++) {
      assertThat(pipeline.receive(null)).isEqualTo(Status.OK);
      assertRecord(pipeline, value);
    }
  }

  private DB openForPipelines() throws Exception {
    assumeTrue(subject().claims(Capability.PIPELINE), "it does not claim pipelines");
    return subject().open();
  }

  private static void assertRecord(Pipelined pipeline, byte[] value) {
    ValueBuffer read = new ValueBuffer();
    assertThat(pipeline.receive(read)).isEqualTo(Status.OK);
    assertThat(read.toByteArray()).isEqualTo(value);
  }
}

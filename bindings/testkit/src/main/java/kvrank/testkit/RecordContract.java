package kvrank.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static kvrank.testkit.Records.TABLE;
import static kvrank.testkit.Records.record;
import static kvrank.testkit.Records.valueFor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import kvrank.binding.KeyCount;
import kvrank.binding.Values;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/** One record at a time. */
interface RecordContract {

  /** The longest value that any engine is asked to hold. */
  int LARGE = 1 << 20;

  /** The longest value that this engine can hold, or {@link #LARGE}. */
  int longestValue();

  Subject subject();

  @Test
  default void whatWasInsertedIsRead() throws Exception {
    DB binding = subject().open();
    String key = subject().freshKey();
    Records.insert(binding, key);
    assertThat(Records.read(binding, key)).isEqualTo(valueFor(key));
  }

  /** Otherwise kvrank would write to a server that is in use. */
  @Test
  default void aServerWithKeysDoesNotSayThatItHasNone() throws Exception {
    DB binding = subject().open();
    Records.insert(binding, subject().freshKey());
    if (binding instanceof KeyCount server) {
      try {
        assertThat(server.keyCount()).isPositive();
      } catch (IOException doesNotSay) {
        assertThat(doesNotSay).message().isNotBlank();
      }
    }
  }

  @Test
  default void anUpdateIsSeen() throws Exception {
    DB binding = subject().open();
    String key = subject().freshKey();
    Records.insert(binding, key);
    byte[] shorter = {1, 0, (byte) 0xFF};
    assertThat(binding.update(TABLE, key, record(shorter))).isEqualTo(Status.OK);
    assertThat(Records.read(binding, key)).isEqualTo(shorter);
    assertThat(Records.read(subject().open(), key)).as("by another client").isEqualTo(shorter);
  }

  @Test
  default void aMissingKeyIsNotFound() throws Exception {
    assertThat(Records.statusOfRead(subject().open(), subject().freshKey()))
        .isEqualTo(Status.NOT_FOUND);
  }

  @Test
  default void aDeletedKeyIsNotFound() throws Exception {
    DB binding = subject().open();
    String key = subject().freshKey();
    Records.insert(binding, key);
    assertThat(binding.delete(TABLE, key)).isEqualTo(Status.OK);
    assertThat(Records.statusOfRead(binding, key)).isEqualTo(Status.NOT_FOUND);
    Records.insert(binding, key);
    assertThat(Records.read(binding, key)).isEqualTo(valueFor(key));
  }

  /** An engine may delete without looking: OK then, and never an error. */
  @Test
  default void deletingAMissingKeyIsNoError() throws Exception {
    assertThat(subject().open().delete(TABLE, subject().freshKey()))
        .isIn(Status.OK, Status.NOT_FOUND);
  }

  @TestFactory
  default Stream<DynamicTest> everyValueComesBackAsItIs() {
    byte[] all = new byte[256];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) i;
    }
    byte[] large = new byte[longestValue()];
    new Random(1).nextBytes(large);
    Map<String, byte[]> values = new LinkedHashMap<>();
    values.put("empty", new byte[0]);
    values.put("NUL", new byte[] {0});
    values.put("line ends", "\r\n\n\r$-1\r\n".getBytes(UTF_8));
    values.put("non-ASCII", "Grüße, 世界 \uD83D\uDE00".getBytes(UTF_8));
    values.put("all bytes", all);
    values.put("8192 bytes", Arrays.copyOf(large, 8192));
    values.put(large.length + " bytes", large);
    Stream<DynamicTest> kept =
        values.entrySet().stream()
            .map(each -> dynamicTest(each.getKey(), () -> comesBack(each.getValue())));
    return longestValue() == LARGE
        ? kept
        : Stream.concat(kept, Stream.of(dynamicTest("too long", () -> isRefused(new byte[LARGE]))));
  }

  /** A value that an engine cannot hold is refused, and breaks nothing. */
  private void isRefused(byte[] value) throws Exception {
    DB binding = subject().open();
    String key = subject().freshKey();
    assertThat(binding.insert(TABLE, key, record(value))).isNotEqualTo(Status.OK);
    comesBack(new byte[] {1});
  }

  private void comesBack(byte[] value) throws Exception {
    DB binding = subject().open();
    String key = subject().freshKey();
    assertThat(binding.insert(TABLE, key, record(value))).isEqualTo(Status.OK);
    assertThat(Records.read(binding, key)).isEqualTo(value);
    assertThat(binding.update(TABLE, key, record(new byte[] {7}))).isEqualTo(Status.OK);
    assertThat(binding.update(TABLE, key, record(value))).isEqualTo(Status.OK);
    assertThat(Records.read(binding, key)).isEqualTo(value);
  }

  @Test
  default void aKeyIsItsBytes() throws Exception {
    DB binding = subject().open();
    String start = subject().freshKey();
    List<String> keys =
        List.of(start, start + "\0", start + " \r\n", start + "ü世\uD83D\uDE00", start + "0");
    keys.forEach(key -> Records.insert(binding, key));
    keys.forEach(key -> assertThat(Records.read(binding, key)).isEqualTo(valueFor(key)));
  }

  @Test
  default void theFieldIsGivenWhetherAskedForOrNot() throws Exception {
    DB binding = subject().open();
    String key = subject().freshKey();
    Records.insert(binding, key);
    Map<String, ByteIterator> asked = new HashMap<>();
    assertThat(binding.read(TABLE, key, Set.of(Values.FIELD), asked)).isEqualTo(Status.OK);
    assertThat(Records.value(asked)).isEqualTo(valueFor(key));
  }

  /** A record is one opaque value: to drop the others silently would lose data. */
  @Test
  default void severalFieldsAreRefused() throws Exception {
    DB binding = subject().open();
    String key = subject().freshKey();
    Map<String, ByteIterator> two = record(new byte[1]);
    two.put("field1", Records.iterator(new byte[1]));
    assertThat(binding.insert(TABLE, key, two)).isEqualTo(Status.BAD_REQUEST);
    assertThat(binding.update(TABLE, key, two)).isEqualTo(Status.BAD_REQUEST);
    assertThat(Records.statusOfRead(binding, key)).isEqualTo(Status.NOT_FOUND);
  }

  /** The worker uses its maps and arrays again. */
  @Test
  default void nothingThatWasHandedOverIsKept() throws Exception {
    DB binding = subject().open();
    String first = subject().freshKey();
    String second = subject().freshKey();
    byte[] bytes = valueFor(first);
    Map<String, ByteIterator> record = new HashMap<>();
    record.put(Values.FIELD, Records.iterator(bytes));
    assertThat(binding.insert(TABLE, first, record)).isEqualTo(Status.OK);
    System.arraycopy(valueFor(second), 0, bytes, 0, bytes.length);
    record.put(Values.FIELD, Records.iterator(bytes));
    assertThat(binding.insert(TABLE, second, record)).isEqualTo(Status.OK);
    byte[] read = Records.read(binding, first);
    assertThat(Records.read(binding, second)).isEqualTo(valueFor(second));
    assertThat(read).isEqualTo(valueFor(first));
  }

  @Test
  default void threadsWithBindingsOfTheirOwnDoNotMeet() throws Exception {
    int threads = 8;
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> results = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        results.add(executor.submit(this::clientThread));
      }
      for (Future<?> result : results) {
        result.get(5, TimeUnit.MINUTES);
      }
    } finally {
      executor.shutdownNow();
    }
  }

  private Void clientThread() throws Exception {
    DB binding = subject().open();
    String start = subject().freshKey();
    for (int i = 0; i < 200; i++) {
      Records.insert(binding, start + i);
      assertThat(Records.read(binding, start + i)).isEqualTo(valueFor(start + i));
    }
    for (int i = 0; i < 200; i++) {
      assertThat(Records.read(binding, start + i)).isEqualTo(valueFor(start + i));
    }
    binding.cleanup();
    return null;
  }
}

package kvrank.testkit;

import static kvrank.testkit.Records.TABLE;
import static kvrank.testkit.Records.bytes;
import static kvrank.testkit.Records.record;
import static kvrank.testkit.Records.valueFor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import kvrank.binding.ByteSource;
import kvrank.binding.KeyValueStore;
import kvrank.binding.RecordBuffer;
import kvrank.binding.ValueBuffer;
import kvrank.engine.Capability;
import org.junit.jupiter.api.Test;
import site.ycsb.DB;
import site.ycsb.Status;

/**
 * Keys and values as bytes, for a binding that takes them: the same records, and the same statuses,
 * as by YCSB's API. {@link Records} reads by both ways in every other test.
 */
interface ByteContract {

  /** As in {@link RecordContract}. */
  int longestValue();

  Subject subject();

  @Test
  default void whatOneWayWritesTheOtherReads() throws Exception {
    DB binding = openForBytes();
    KeyValueStore store = (KeyValueStore) binding;
    String key = subject().freshKey();
    Random random = new Random(1);
    for (int size : new int[] {0, 1, 100, 8192, longestValue()}) {
      byte[] value = new byte[size];
      random.nextBytes(value);
      assertThat(store.insert(bytes(key + size), ByteSource.of(value))).isEqualTo(Status.OK);
      assertThat(Records.read(binding, key + size)).isEqualTo(value);
      assertThat(store.update(bytes(key), ByteSource.of(value))).isEqualTo(Status.OK);
      assertThat(Records.read(binding, key)).isEqualTo(value);
    }
  }

  /** Of any size after any other, also where the memory that it was given is too small. */
  @Test
  default void aBufferHoldsOneValueAfterTheOther() throws Exception {
    KeyValueStore store = (KeyValueStore) openForBytes();
    String key = subject().freshKey();
    ValueBuffer buffer = new ValueBuffer(100);
    for (int size : new int[] {100, 20_000, 0, 99, 101, 20_001, 5}) {
      byte[] value = new byte[size];
      new Random(size).nextBytes(value);
      assertThat(store.insert(bytes(key + size), ByteSource.of(value))).isEqualTo(Status.OK);
      buffer.clear();
      assertThat(store.read(bytes(key + "none"), buffer)).isEqualTo(Status.NOT_FOUND);
      assertThat(buffer.isPresent()).isFalse();
      assertThat(store.read(bytes(key + size), buffer)).isEqualTo(Status.OK);
      assertThat(buffer.toByteArray()).isEqualTo(value);
    }
  }

  /** As a thread has it that builds several requests ahead. */
  @Test
  default void aValueStaysInItsBuffer() throws Exception {
    KeyValueStore store = (KeyValueStore) openForBytes();
    List<String> keys = List.of(subject().freshKey(), subject().freshKey(), subject().freshKey());
    for (String key : keys) {
      assertThat(store.insert(bytes(key), ByteSource.of(valueFor(key)))).isEqualTo(Status.OK);
    }
    List<ValueBuffer> buffers = new ArrayList<>();
    for (String key : keys) {
      ValueBuffer buffer = new ValueBuffer(100);
      assertThat(store.read(bytes(key), buffer)).isEqualTo(Status.OK);
      buffers.add(buffer);
    }
    for (String key : keys) {
      assertThat(store.update(bytes(key), ByteSource.of(new byte[100]))).isEqualTo(Status.OK);
    }
    for (int i = 0; i < keys.size(); i++) {
      assertThat(buffers.get(i).toByteArray()).isEqualTo(valueFor(keys.get(i)));
    }
  }

  @Test
  default void keysAndValuesMayBeUsedAgain() throws Exception {
    DB binding = openForBytes();
    KeyValueStore store = (KeyValueStore) binding;
    String start = subject().freshKey();
    byte[] key = bytes(start + 0);
    byte[] value = {0};
    for (int i = 0; i < 10; i++) {
      key[key.length - 1] = (byte) ('0' + i);
      value[0] = (byte) i;
      assertThat(store.insert(key, ByteSource.of(value))).isEqualTo(Status.OK);
    }
    for (int i = 0; i < 10; i++) {
      assertThat(Records.read(binding, start + i)).isEqualTo(new byte[] {(byte) i});
    }
  }

  @Test
  default void oneWayDeletesWhatTheOtherWrote() throws Exception {
    DB binding = openForBytes();
    KeyValueStore store = (KeyValueStore) binding;
    String key = subject().freshKey();
    Records.insert(binding, key);
    assertThat(store.delete(bytes(key))).isEqualTo(Status.OK);
    assertThat(Records.statusOfRead(binding, key)).isEqualTo(Status.NOT_FOUND);
    assertThat(store.delete(bytes(key))).isEqualTo(binding.delete(TABLE, key));
    assertThat(store.insert(bytes(key), ByteSource.of(valueFor(key)))).isEqualTo(Status.OK);
    assertThat(binding.update(TABLE, key, record(new byte[1]))).isEqualTo(Status.OK);
    assertThat(binding.delete(TABLE, key)).isEqualTo(Status.OK);
    assertThat(Records.statusOfRead(binding, key)).isEqualTo(Status.NOT_FOUND);
  }

  @Test
  default void aScanGivesKeysToo() throws Exception {
    assumeTrue(subject().claims(Capability.RANGE_SCAN), "it does not claim range scans");
    DB binding = openForBytes();
    String start = subject().freshKey();
    List<String> keys = List.of(start, start + "0", start + "00", start + "z", start + "ü");
    keys.forEach(key -> Records.insert(binding, key));
    RecordBuffer records = new RecordBuffer();
    for (int limit = 1; limit <= keys.size(); limit++) {
      records.clear();
      assertThat(((KeyValueStore) binding).scan(bytes(start), limit, records)).isEqualTo(Status.OK);
      assertThat(Records.keys(records)).containsExactlyElementsOf(keys.subList(0, limit));
      assertThat(Records.values(records))
          .containsExactlyElementsOf(Records.valuesFor(keys.subList(0, limit)));
    }
  }

  private DB openForBytes() throws Exception {
    DB binding = subject().open();
    assumeTrue(binding instanceof KeyValueStore, "it takes only YCSB's API");
    return binding;
  }
}

package kvrank.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Vector;
import java.util.stream.IntStream;
import kvrank.binding.ByteSource;
import kvrank.binding.KeyValueStore;
import kvrank.binding.RecordBuffer;
import kvrank.binding.ValueBuffer;
import kvrank.binding.Values;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/** Records as the worker hands them to a binding, and as it gets them back. */
final class Records {

  static final String TABLE = "usertable";

  /** How keys are ordered by every engine that orders them. */
  static final Comparator<String> BYTE_ORDER =
      (left, right) -> Arrays.compareUnsigned(left.getBytes(UTF_8), right.getBytes(UTF_8));

  private Records() {}

  static Map<String, ByteIterator> record(byte[] value) {
    Map<String, ByteIterator> record = new HashMap<>();
    Values.put(record, value.clone());
    return record;
  }

  /** A key as the engine sees it. */
  static byte[] bytes(String key) {
    return key.getBytes(UTF_8);
  }

  static List<byte[]> bytes(List<String> keys) {
    return keys.stream().map(Records::bytes).toList();
  }

  static ByteSource source(byte[] value) {
    return ByteSource.of(value);
  }

  static List<ByteSource> sources(List<byte[]> values) {
    return values.stream().map(ByteSource::of).toList();
  }

  static List<String> keys(RecordBuffer records) {
    return IntStream.range(0, records.size())
        .mapToObj(i -> new String(records.key(i), UTF_8))
        .toList();
  }

  static List<byte[]> values(RecordBuffer records) {
    return IntStream.range(0, records.size()).mapToObj(records::value).toList();
  }

  /** The value of a record that was read. */
  static byte[] value(Map<String, ByteIterator> record) {
    assertThat(record).containsOnlyKeys(Values.FIELD);
    return record.get(Values.FIELD).toArray();
  }

  /** The values of records that were read, by their keys, in the order of the map. */
  static List<byte[]> values(Iterable<? extends Map<String, ByteIterator>> records) {
    List<byte[]> values = new ArrayList<>();
    records.forEach(record -> values.add(value(record)));
    return values;
  }

  /** A value that belongs to {@code key} and to no other. */
  static byte[] valueFor(String key) {
    byte[] value = new byte[100];
    new Random(key.hashCode()).nextBytes(value);
    return value;
  }

  static List<byte[]> valuesFor(List<String> keys) {
    return keys.stream().map(Records::valueFor).toList();
  }

  /** A range scan, whose results have no keys. */
  @SuppressWarnings("JdkObsolete") // as YCSB declares it
  static Status scan(DB binding, String start, int count, List<Map<String, ByteIterator>> results) {
    Vector<HashMap<String, ByteIterator>> found = new Vector<>();
    Status status = binding.scan(TABLE, start, count, null, found);
    results.addAll(found);
    return status;
  }

  static void insert(DB binding, String key) {
    assertThat(binding.insert(TABLE, key, record(valueFor(key)))).as(key).isEqualTo(Status.OK);
  }

  /** Reads an existing key, by each method of the binding. */
  static byte[] read(DB binding, String key) {
    Map<String, ByteIterator> record = new HashMap<>();
    assertThat(binding.read(TABLE, key, null, record)).as(key).isEqualTo(Status.OK);
    byte[] value = value(record);
    if (binding instanceof KeyValueStore store) {
      ValueBuffer buffer = new ValueBuffer();
      assertThat(store.read(bytes(key), buffer)).as("%s in bytes", key).isEqualTo(Status.OK);
      assertThat(buffer.toByteArray()).as("%s in bytes", key).isEqualTo(value);
    }
    return value;
  }

  static Status statusOfRead(DB binding, String key) {
    Map<String, ByteIterator> record = new HashMap<>();
    Status status = binding.read(TABLE, key, null, record);
    assertThat(record.isEmpty()).as("a record comes with OK alone").isEqualTo(!status.isOk());
    if (binding instanceof KeyValueStore store) {
      ValueBuffer buffer = new ValueBuffer();
      assertThat(store.read(bytes(key), buffer)).as("%s in bytes", key).isEqualTo(status);
      assertThat(buffer.isPresent()).as("a value comes with OK alone").isEqualTo(status.isOk());
    }
    return status;
  }

  static ByteIterator iterator(byte[] value) {
    return new ByteArrayByteIterator(value);
  }
}

package kvrank.testkit;

import static kvrank.testkit.Records.BYTE_ORDER;
import static kvrank.testkit.Records.TABLE;
import static kvrank.testkit.Records.bytes;
import static kvrank.testkit.Records.sources;
import static kvrank.testkit.Records.valuesFor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import kvrank.binding.BatchOperations;
import kvrank.binding.PrefixScan;
import kvrank.binding.RecordBuffer;
import kvrank.binding.ReverseScan;
import kvrank.engine.Capability;
import org.junit.jupiter.api.Test;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/** Scans by prefix and by range, in the byte order of the keys, or their refusal. */
interface ScanContract {

  Subject subject();

  @Test
  default void aPrefixScanGivesExactlyThePrefix() throws Exception {
    DB binding = openFor(Capability.PREFIX_SCAN);
    String start = subject().freshKey();
    String prefix = start + "m";
    List<String> inside =
        List.of(
            prefix,
            prefix + "\0",
            prefix + "0",
            prefix + "00",
            prefix + "z",
            prefix + "ü",
            prefix + "\uFFFD",
            prefix + "\uD83D\uDE00");
    List<String> outside =
        List.of(start, start + "l", start + "l\uD83D\uDE00", start + "n", start + "n0");
    inside.forEach(key -> Records.insert(binding, key));
    outside.forEach(key -> Records.insert(binding, key));
    List<String> expected = new ArrayList<>(inside);
    expected.sort(BYTE_ORDER);
    for (int limit : new int[] {1, 3, inside.size() - 1, inside.size(), 1000}) {
      List<String> some = expected.subList(0, Math.min(limit, expected.size()));
      assertPrefix(binding, prefix, limit, some);
    }
  }

  @Test
  default void aPrefixScanGivesManyInOrder() throws Exception {
    DB binding = openFor(Capability.PREFIX_SCAN);
    String prefix = subject().freshKey();
    List<String> keys = numbered(prefix, 2500);
    keys.forEach(key -> Records.insert(binding, key));
    assertPrefix(binding, prefix, 5000, keys);
    assertPrefix(binding, prefix + "01", 5000, keys.subList(100, 200));
    assertPrefix(binding, prefix, 1234, keys.subList(0, 1234));
  }

  @Test
  default void aPrefixScanGivesRecordsOfAnySize() throws Exception {
    DB binding = openFor(Capability.PREFIX_SCAN);
    String prefix = subject().freshKey();
    List<String> keys = new ArrayList<>();
    List<byte[]> values = new ArrayList<>();
    for (int size : new int[] {100, 20_000, 0, 20_001, 5}) {
      String key = prefix + "k".repeat(20 * keys.size());
      byte[] value = new byte[size];
      new Random(size).nextBytes(value);
      assertThat(binding.insert(TABLE, key, Records.record(value))).isEqualTo(Status.OK);
      keys.add(key);
      values.add(value);
    }
    RecordBuffer records = new RecordBuffer();
    assertThat(((PrefixScan) binding).prefixScan(bytes(prefix), 10, records)).isEqualTo(Status.OK);
    assertThat(Records.keys(records)).containsExactlyElementsOf(keys);
    assertThat(Records.values(records)).containsExactlyElementsOf(values);
  }

  @Test
  default void aPrefixScanSeesDeletesAndUpdates() throws Exception {
    DB binding = openFor(Capability.PREFIX_SCAN);
    String prefix = subject().freshKey();
    List<String> keys = numbered(prefix, 5);
    keys.forEach(key -> Records.insert(binding, key));
    assertThat(binding.delete(TABLE, keys.get(0))).isEqualTo(Status.OK);
    assertThat(binding.delete(TABLE, keys.get(2))).isEqualTo(Status.OK);
    RecordBuffer records = new RecordBuffer();
    byte[] other = {9};
    assertThat(binding.update(TABLE, keys.get(1), Records.record(other))).isEqualTo(Status.OK);
    assertThat(((PrefixScan) binding).prefixScan(bytes(prefix), 10, records)).isEqualTo(Status.OK);
    assertThat(Records.keys(records)).containsExactly(keys.get(1), keys.get(3), keys.get(4));
    assertThat(records.value(0)).isEqualTo(other);
  }

  @Test
  default void aPrefixScanSeesBatches() throws Exception {
    DB binding = openFor(Capability.PREFIX_SCAN);
    assumeTrue(subject().claims(Capability.BATCH), "it does not claim batches");
    String prefix = subject().freshKey();
    List<String> keys = numbered(prefix, 20);
    BatchOperations batches = (BatchOperations) binding;
    assertThat(batches.batchInsert(bytes(keys), sources(valuesFor(keys)))).isEqualTo(Status.OK);
    assertPrefix(binding, prefix, 100, keys);
    assertThat(batches.batchDelete(bytes(keys.subList(0, 10)))).isEqualTo(Status.OK);
    assertPrefix(binding, prefix, 100, keys.subList(10, 20));
  }

  @Test
  default void aPrefixOfNoKeyIsNotFound() throws Exception {
    DB binding = openFor(Capability.PREFIX_SCAN);
    RecordBuffer records = new RecordBuffer();
    assertThat(((PrefixScan) binding).prefixScan(bytes(subject().freshKey()), 10, records))
        .isEqualTo(Status.NOT_FOUND);
    assertThat(records.size()).isZero();
  }

  @Test
  default void aPrefixScanThatIsNotClaimedIsRefused() throws Exception {
    assumeTrue(!subject().claims(Capability.PREFIX_SCAN), "it claims prefix scans");
    DB binding = subject().open();
    String prefix = subject().freshKey();
    Records.insert(binding, prefix + "1");
    if (binding instanceof PrefixScan scans) {
      assertThat(scans.prefixScan(bytes(prefix), 10, new RecordBuffer()))
          .isEqualTo(Status.NOT_IMPLEMENTED);
    }
  }

  @Test
  default void aRangeScanGivesValuesInOrderFromItsStart() throws Exception {
    DB binding = openFor(Capability.RANGE_SCAN);
    String start = subject().freshKey();
    List<String> keys = numbered(start, 50);
    for (int i = keys.size() - 1; i >= 0; i--) {
      Records.insert(binding, keys.get(i));
    }
    assertRange(binding, keys.get(0), 50, keys);
    assertRange(binding, keys.get(10), 5, keys.subList(10, 15));
    assertRange(binding, keys.get(10) + "\0", 5, keys.subList(11, 16));
    assertRange(binding, start, 3, keys.subList(0, 3));
    assertRange(binding, keys.get(49), 1, keys.subList(49, 50));
  }

  @Test
  default void aReverseScanGivesTheRecordsBackwardsFromItsStart() throws Exception {
    DB binding = openFor(Capability.REVERSE_SCAN);
    String start = subject().freshKey();
    List<String> keys = numbered(start, 50);
    keys.forEach(key -> Records.insert(binding, key));
    Collections.reverse(keys);
    ReverseScan scans = (ReverseScan) binding;
    assertBack(keys.subList(0, 50), found -> scans.reverseScan(bytes(keys.get(0)), 50, found));
    assertBack(keys.subList(10, 15), found -> scans.reverseScan(bytes(keys.get(10)), 5, found));
    assertBack(
        keys.subList(10, 13), found -> scans.reverseScan(bytes(keys.get(10) + "\0"), 3, found));
    assertBack(keys.subList(0, 3), found -> scans.reverseScan(bytes(start + "z"), 3, found));
    assertThat(binding.delete(TABLE, keys.get(1))).isEqualTo(Status.OK);
    assertBack(
        List.of(keys.get(0), keys.get(2)),
        found -> scans.reverseScan(bytes(keys.get(0)), 2, found));
  }

  @Test
  default void aReversePrefixScanGivesExactlyThePrefixBackwards() throws Exception {
    DB binding = openFor(Capability.REVERSE_SCAN);
    String start = subject().freshKey();
    List<String> keys = numbered(start + "m", 250);
    keys.forEach(key -> Records.insert(binding, key));
    List.of(start, start + "l", start + "n", start + "n0")
        .forEach(key -> Records.insert(binding, key));
    Collections.reverse(keys);
    ReverseScan scans = (ReverseScan) binding;
    byte[] prefix = bytes(start + "m");
    assertBack(keys, found -> scans.reversePrefixScan(prefix, 1_000, found));
    assertBack(keys.subList(0, 7), found -> scans.reversePrefixScan(prefix, 7, found));
    assertThat(scans.reversePrefixScan(bytes(start + "o"), 7, new RecordBuffer()))
        .isEqualTo(Status.NOT_FOUND);
  }

  @Test
  default void aReverseScanThatIsNotClaimedIsRefused() throws Exception {
    assumeTrue(!subject().claims(Capability.REVERSE_SCAN), "it claims reverse scans");
    DB binding = subject().open();
    String key = subject().freshKey();
    Records.insert(binding, key);
    if (binding instanceof ReverseScan scans) {
      assertThat(scans.reverseScan(bytes(key), 1, new RecordBuffer()))
          .isEqualTo(Status.NOT_IMPLEMENTED);
    }
  }

  private static void assertBack(List<String> expected, Function<RecordBuffer, Status> scan) {
    RecordBuffer records = new RecordBuffer();
    assertThat(scan.apply(records)).isEqualTo(Status.OK);
    assertThat(Records.keys(records)).containsExactlyElementsOf(expected);
    assertThat(Records.values(records)).containsExactlyElementsOf(valuesFor(expected));
  }

  @Test
  default void aRangeScanThatIsNotClaimedIsRefused() throws Exception {
    assumeTrue(!subject().claims(Capability.RANGE_SCAN), "it claims range scans");
    DB binding = subject().open();
    String key = subject().freshKey();
    Records.insert(binding, key);
    assertThat(Records.scan(binding, key, 1, new ArrayList<>())).isEqualTo(Status.NOT_IMPLEMENTED);
  }

  private DB openFor(Capability capability) throws Exception {
    String name = capability.name().toLowerCase(Locale.ROOT);
    assumeTrue(subject().claims(capability), "it does not claim " + name);
    return subject().open();
  }

  private static List<String> numbered(String start, int count) {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      keys.add(String.format(Locale.ROOT, "%s%04d", start, i));
    }
    return keys;
  }

  private static void assertPrefix(DB binding, String prefix, int limit, List<String> expected) {
    RecordBuffer records = new RecordBuffer();
    assertThat(((PrefixScan) binding).prefixScan(bytes(prefix), limit, records))
        .isEqualTo(Status.OK);
    assertThat(Records.keys(records)).as("limit %d", limit).containsExactlyElementsOf(expected);
    assertThat(Records.values(records)).containsExactlyElementsOf(valuesFor(expected));
  }

  private static void assertRange(DB binding, String start, int count, List<String> expected) {
    List<Map<String, ByteIterator>> results = new ArrayList<>();
    assertThat(Records.scan(binding, start, count, results)).isEqualTo(Status.OK);
    assertThat(Records.values(results)).containsExactlyElementsOf(valuesFor(expected));
  }
}

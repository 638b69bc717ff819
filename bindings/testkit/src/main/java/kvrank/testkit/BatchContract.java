package kvrank.testkit;

import static kvrank.testkit.Records.TABLE;
import static kvrank.testkit.Records.record;
import static kvrank.testkit.Records.records;
import static kvrank.testkit.Records.valueFor;
import static kvrank.testkit.Records.valuesFor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import kvrank.binding.BatchOperations;
import kvrank.scenario.Capability;
import org.junit.jupiter.api.Test;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/** Several records in one request. */
interface BatchContract {

  Subject subject();

  @Test
  default void aBatchIsInsertedAndRead() throws Exception {
    DB binding = openForBatches();
    List<String> keys = freshKeys(250);
    assertThat(batches(binding).batchInsert(TABLE, keys, records(valuesFor(keys))))
        .isEqualTo(Status.OK);
    assertHolds(binding, keys, keys);
    keys.forEach(key -> assertThat(Records.read(binding, key)).isEqualTo(valueFor(key)));
  }

  @Test
  default void aBatchReplaces() throws Exception {
    DB binding = openForBatches();
    List<String> keys = freshKeys(3);
    Records.insert(binding, keys.get(1));
    byte[] other = {0, 1, 2};
    assertThat(batches(binding).batchInsert(TABLE, keys, records(List.of(other, other, other))))
        .isEqualTo(Status.OK);
    assertThat(Records.read(binding, keys.get(1))).isEqualTo(other);
  }

  @Test
  default void aBatchLeavesMissingKeysOut() throws Exception {
    DB binding = openForBatches();
    List<String> keys = freshKeys(10);
    List<String> there = List.of(keys.get(0), keys.get(4), keys.get(9));
    there.forEach(key -> Records.insert(binding, key));
    assertHolds(binding, keys, there);
    Map<String, Map<String, ByteIterator>> none = new HashMap<>();
    assertThat(batches(binding).batchRead(TABLE, freshKeys(3), null, none))
        .isEqualTo(Status.NOT_FOUND);
    assertThat(none).isEmpty();
  }

  @Test
  default void aBatchIsDeleted() throws Exception {
    DB binding = openForBatches();
    List<String> keys = freshKeys(100);
    assertThat(batches(binding).batchInsert(TABLE, keys, records(valuesFor(keys))))
        .isEqualTo(Status.OK);
    List<String> half = keys.subList(0, 50);
    assertThat(batches(binding).batchDelete(TABLE, half)).isEqualTo(Status.OK);
    assertHolds(binding, keys, keys.subList(50, 100));
    assertThat(batches(binding).batchDelete(TABLE, keys))
        .as("half of the keys are not there")
        .isEqualTo(Status.OK);
    keys.forEach(key -> assertThat(Records.statusOfRead(binding, key)).isEqualTo(Status.NOT_FOUND));
  }

  @Test
  default void aBatchWithSeveralFieldsIsRefused() throws Exception {
    DB binding = openForBatches();
    List<String> keys = freshKeys(2);
    Map<String, ByteIterator> two = record(new byte[1]);
    two.put("field1", Records.iterator(new byte[1]));
    assertThat(batches(binding).batchInsert(TABLE, keys, List.of(record(new byte[1]), two)))
        .isEqualTo(Status.BAD_REQUEST);
    assertThat(Records.statusOfRead(binding, keys.get(0))).isEqualTo(Status.NOT_FOUND);
  }

  @Test
  default void listsOfABatchAreNotKept() throws Exception {
    DB binding = openForBatches();
    List<String> keys = new ArrayList<>(freshKeys(5));
    List<Map<String, ByteIterator>> values = records(valuesFor(keys));
    List<String> copy = List.copyOf(keys);
    assertThat(batches(binding).batchInsert(TABLE, keys, values)).isEqualTo(Status.OK);
    keys.clear();
    values.clear();
    assertHolds(binding, copy, copy);
  }

  private DB openForBatches() throws Exception {
    assumeTrue(subject().claims(Capability.BATCH), "it does not claim batches");
    return subject().open();
  }

  private static BatchOperations batches(DB binding) {
    return (BatchOperations) binding;
  }

  private List<String> freshKeys(int count) {
    String start = subject().freshKey();
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      keys.add(start + i);
    }
    return keys;
  }

  private static void assertHolds(DB binding, List<String> asked, List<String> there) {
    Map<String, Map<String, ByteIterator>> results = new HashMap<>();
    assertThat(batches(binding).batchRead(TABLE, asked, null, results)).isEqualTo(Status.OK);
    assertThat(results).containsOnlyKeys(there);
    there.forEach(
        key -> assertThat(Records.value(results.get(key))).as(key).isEqualTo(valueFor(key)));
  }
}

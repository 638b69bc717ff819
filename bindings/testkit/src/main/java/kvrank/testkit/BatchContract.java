package kvrank.testkit;

import static kvrank.testkit.Records.bytes;
import static kvrank.testkit.Records.sources;
import static kvrank.testkit.Records.valueFor;
import static kvrank.testkit.Records.valuesFor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import kvrank.binding.BatchOperations;
import kvrank.binding.ValueBuffer;
import kvrank.engine.Capability;
import org.junit.jupiter.api.Test;
import site.ycsb.DB;
import site.ycsb.Status;

/** Several records in one request. */
interface BatchContract {

  Subject subject();

  @Test
  default void aBatchIsInsertedAndRead() throws Exception {
    DB binding = openForBatches();
    List<String> keys = freshKeys(250);
    assertThat(batches(binding).batchInsert(bytes(keys), sources(valuesFor(keys))))
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
    assertThat(batches(binding).batchInsert(bytes(keys), sources(List.of(other, other, other))))
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
    List<ValueBuffer> none = buffers(3);
    assertThat(batches(binding).batchRead(bytes(freshKeys(3)), none)).isEqualTo(Status.NOT_FOUND);
    assertThat(none).noneMatch(ValueBuffer::isPresent);
  }

  /** As a draw with repetition asks for. */
  @Test
  default void aBatchMayAskForAKeyTwice() throws Exception {
    DB binding = openForBatches();
    List<String> keys = freshKeys(2);
    Records.insert(binding, keys.get(0));
    String there = keys.get(0);
    String missing = keys.get(1);
    assertHolds(binding, List.of(there, missing, there, missing, there), List.of(there));
  }

  @Test
  default void aBatchIsDeleted() throws Exception {
    DB binding = openForBatches();
    List<String> keys = freshKeys(100);
    assertThat(batches(binding).batchInsert(bytes(keys), sources(valuesFor(keys))))
        .isEqualTo(Status.OK);
    assertThat(batches(binding).batchDelete(bytes(keys.subList(0, 50)))).isEqualTo(Status.OK);
    assertHolds(binding, keys, keys.subList(50, 100));
    assertThat(batches(binding).batchDelete(bytes(keys)))
        .as("half of the keys are not there")
        .isEqualTo(Status.OK);
    keys.forEach(key -> assertThat(Records.statusOfRead(binding, key)).isEqualTo(Status.NOT_FOUND));
  }

  @Test
  default void nothingOfABatchIsKept() throws Exception {
    DB binding = openForBatches();
    List<String> keys = freshKeys(5);
    List<byte[]> names = new ArrayList<>(bytes(keys));
    List<byte[]> values = new ArrayList<>(valuesFor(keys));
    assertThat(batches(binding).batchInsert(names, sources(values))).isEqualTo(Status.OK);
    names.forEach(name -> name[0]++);
    values.forEach(value -> value[0]++);
    names.clear();
    values.clear();
    assertHolds(binding, keys, keys);
  }

  private DB openForBatches() throws Exception {
    assumeTrue(subject().claims(Capability.BATCH), "it does not claim batches");
    return subject().open();
  }

  private static BatchOperations batches(DB binding) {
    return (BatchOperations) binding;
  }

  private static List<ValueBuffer> buffers(int count) {
    List<ValueBuffer> buffers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      buffers.add(new ValueBuffer());
    }
    return buffers;
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
    List<ValueBuffer> values = buffers(asked.size());
    assertThat(batches(binding).batchRead(bytes(asked), values)).isEqualTo(Status.OK);
    for (int i = 0; i < asked.size(); i++) {
      String key = asked.get(i);
      assertThat(values.get(i).isPresent()).as(key).isEqualTo(there.contains(key));
      if (there.contains(key)) {
        assertThat(values.get(i).toByteArray()).as(key).isEqualTo(valueFor(key));
      }
    }
  }
}

package kvrank.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.workload.request.Operation;
import kvrank.workload.value.Value;
import org.junit.jupiter.api.Test;

class CrashWritesTest {

  private static final SortedMap<Operation, Integer> WEIGHTS =
      new TreeMap<>(Map.of(Operation.INSERT, 6, Operation.UPDATE, 3, Operation.DELETE, 1));

  private static CrashWrites writes(long seed, int thread, int threads, long capacity) {
    return new CrashWrites(seed, WEIGHTS, thread, threads, capacity);
  }

  private static List<String> first(int count, CrashWrites writes) {
    List<String> sequence = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      assertThat(writes.next(1)).isTrue();
      sequence.add(writes.operation() + " " + writes.id(0) + " " + writes.version(0));
    }
    return sequence;
  }

  @Test
  void isAFunctionOfSeedAndThread() {
    List<String> sequence = first(5_000, writes(42, 1, 4, 1_000_000));
    assertThat(first(5_000, writes(42, 1, 4, 1_000_000))).isEqualTo(sequence);
    assertThat(first(5_000, writes(43, 1, 4, 1_000_000))).isNotEqualTo(sequence);
    assertThat(first(5_000, writes(42, 2, 4, 1_000_000))).isNotEqualTo(sequence);
  }

  @Test
  void knowsTheStateAfterEveryWrite() {
    CrashWrites writes = writes(7, 2, 3, 1_000_000);
    Map<Long, Long> there = new HashMap<>();
    Set<Long> gone = new HashSet<>();
    Map<Operation, Integer> counts = new HashMap<>();
    for (int i = 0; i < 3_000; i++) {
      assertThat(writes.next(1)).isTrue();
      long id = writes.id(0);
      assertThat(id % 3).isEqualTo(2);
      counts.merge(writes.operation(), 1, Integer::sum);
      switch (writes.operation()) {
        case INSERT -> {
          assertThat(writes.version(0)).isEqualTo(Value.FIRST_VERSION);
          assertThat(there.put(id, writes.version(0))).isNull();
          assertThat(gone).doesNotContain(id);
        }
        case UPDATE ->
            assertThat(there.put(id, writes.version(0))).isEqualTo(writes.version(0) - 1);
        case DELETE -> {
          assertThat(there.remove(id)).isNotNull();
          gone.add(id);
        }
        default -> throw new AssertionError(writes.operation());
      }
      if (i % 100 == 0 || i < 100) {
        Map<Long, Long> said = new HashMap<>();
        for (int own = 0; own < writes.records() + 10; own++) {
          if (writes.state(own) != CrashWrites.ABSENT) {
            said.put(writes.number(own), writes.state(own));
          }
        }
        assertThat(said).isEqualTo(there);
      }
    }
    assertThat(counts.get(Operation.INSERT)).isBetween(1_600, 2_000);
    assertThat(counts.get(Operation.UPDATE)).isBetween(750, 1_050);
    assertThat(counts.get(Operation.DELETE)).isBetween(200, 400);
  }

  @Test
  void leavesRoomBehindItsRecordsAndEndsWhenNoneIsLeft() {
    int capacity = 2 * (CrashWrites.BEYOND + 20);
    CrashWrites writes = writes(42, 1, 2, capacity);
    int count = 0;
    while (writes.next(1)) {
      assertThat(writes.id(0)).isLessThan(40);
      count++;
    }
    assertThat(count).isGreaterThan(40);
    assertThat(writes.records()).isEqualTo(20);
    assertThat(writes.number(writes.records() + CrashWrites.BEYOND - 1)).isLessThan(capacity);
    for (int own = 0; own < 20; own++) {
      assertThat(writes.state(own)).isEqualTo(CrashWrites.ABSENT);
    }
  }

  /** An engine without updates or deletes is crashed with what it has. */
  @Test
  void insertsAloneEndWhenNoKeyIsLeft() {
    for (Map<Operation, Integer> some :
        List.of(Map.of(Operation.INSERT, 6), Map.of(Operation.INSERT, 6, Operation.DELETE, 1))) {
      CrashWrites writes = new CrashWrites(42, new TreeMap<>(some), 0, 1, CrashWrites.BEYOND + 20);
      while (writes.next(1)) {
        assertThat(some).containsKey(writes.operation());
      }
      assertThat(writes.records()).isEqualTo(20);
    }
  }

  @Test
  void theRecordsOfARequestDiffer() {
    CrashWrites writes = writes(7, 0, 1, 1_000_000);
    CrashWrites skipped = writes(7, 0, 1, 1_000_000);
    Map<Long, Long> there = new HashMap<>();
    Set<Operation> full = new HashSet<>();
    long count = 0;
    for (int i = 0; i < 500; i++) {
      assertThat(writes.next(8)).isTrue();
      count += writes.size();
      Set<Long> ids = new HashSet<>();
      for (int j = 0; j < writes.size(); j++) {
        ids.add(writes.id(j));
        if (writes.operation() == Operation.DELETE) {
          assertThat(there.remove(writes.id(j))).isNotNull();
        } else {
          there.put(writes.id(j), writes.version(j));
        }
      }
      assertThat(ids).hasSize(writes.size());
      if (writes.size() == 8) {
        full.add(writes.operation());
      }
    }
    assertThat(full)
        .containsExactlyInAnyOrder(Operation.INSERT, Operation.UPDATE, Operation.DELETE);
    skipped.skip(count, 8);
    for (int own = 0; own < writes.records(); own++) {
      assertThat(skipped.state(own)).isEqualTo(writes.state(own));
      assertThat(writes.state(own)).isEqualTo(there.getOrDefault((long) own, CrashWrites.ABSENT));
    }
  }

  @Test
  void refusesTooFewKeysAndOtherOperations() {
    assertThatThrownBy(() -> writes(42, 0, 8, 100))
        .hasMessage("100 keys are too few for the crash test of 8 threads; use longer keys");
    SortedMap<Operation, Integer> reads =
        new TreeMap<>(Map.of(Operation.INSERT, 1, Operation.READ, 1));
    assertThatThrownBy(() -> new CrashWrites(42, reads, 0, 1, 1_000)).hasMessageContaining("READ");
  }
}

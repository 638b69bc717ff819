package kvrank.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BalancedOrderTest {

  @Test
  void balancesPositionsAndPredecessors() {
    for (int size = 0; size <= 13; size++) {
      for (long seed = 0; seed < 3; seed++) {
        BalancedOrder order = BalancedOrder.draw(size, seed);
        int rows = size % 2 == 0 ? Math.max(2, size) : 2 * size;
        Map<List<Integer>, Integer> positions = new HashMap<>();
        Map<List<Integer>, Integer> successions = new HashMap<>();
        for (int repetition = 1; repetition <= rows; repetition++) {
          List<Integer> row = order.of(repetition);
          for (int i = 0; i < size; i++) {
            positions.merge(List.of(i, row.get(i)), 1, Integer::sum);
            if (i > 0) {
              successions.merge(List.of(row.get(i - 1), row.get(i)), 1, Integer::sum);
            }
          }
        }
        assertThat(positions).as("%d things", size).hasSize(size * size);
        assertThat(positions.values()).isSubsetOf(rows / Math.max(1, size));
        assertThat(successions).hasSize(Math.max(0, size * (size - 1)));
        assertThat(successions.values().stream().distinct()).hasSizeLessThan(2);
      }
    }
  }

  /** Else a machine that is slow in every second repetition would slow the same one each time. */
  @Test
  void twoThingsDoNotTakeTurnsPeriodically() {
    BalancedOrder order = BalancedOrder.draw(2, 1);
    Set<List<Integer>> odd = new HashSet<>();
    for (int repetition = 1; repetition <= 20; repetition += 2) {
      odd.add(order.of(repetition));
      assertThat(order.of(repetition)).isNotEqualTo(order.of(repetition + 1));
    }
    assertThat(odd).hasSize(2);
  }
}

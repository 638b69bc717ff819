package kvrank.stats.infer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class EqualPairsTest {

  @Test
  void allPairsMayBeEqualAtFirst() {
    assertThat(new EqualPairs(12).most()).isEqualTo(66);
    assertThat(new EqualPairs(2).most()).isEqualTo(1);
    assertThat(new EqualPairs(40).most()).isEqualTo(780);
  }

  /** If the first of four differs from the second, three can be equal; tables by Shaffer, 1986. */
  @Test
  void equalityIsTransitive() {
    EqualPairs four = new EqualPairs(4);
    four.differ(0, 1);
    assertThat(four.left()).isEqualTo(5);
    assertThat(four.most()).isEqualTo(3);
    four.differ(2, 3);
    assertThat(four.most()).isEqualTo(2);
    four.differ(0, 2);
    four.differ(1, 3);
    assertThat(four.most()).isEqualTo(2);
    four.differ(0, 3);
    assertThat(four.most()).isEqualTo(1);
    four.differ(1, 2);
    assertThat(four.most()).isZero();
  }

  @Test
  void isTheLargestOfAllPartitions() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 300; i++) {
      int engines = 2 + i % 6;
      EqualPairs equal = new EqualPairs(engines);
      boolean[][] differ = new boolean[engines][engines];
      for (int a = 0; a < engines; a++) {
        for (int b = a + 1; b < engines; b++) {
          if (random.nextBoolean()) {
            equal.differ(a, b);
            differ[a][b] = true;
          }
        }
      }
      assertThat(equal.most()).isEqualTo(most(differ, new int[engines], 0));
    }
  }

  /** Tries every assignment of engines to groups. */
  private static int most(boolean[][] differ, int[] groups, int next) {
    if (next == groups.length) {
      int pairs = 0;
      for (int a = 0; a < next; a++) {
        for (int b = a + 1; b < next; b++) {
          if (groups[a] == groups[b]) {
            if (differ[a][b]) {
              return 0;
            }
            pairs++;
          }
        }
      }
      return pairs;
    }
    int most = 0;
    for (int group = 0; group <= next; group++) {
      groups[next] = group;
      most = Math.max(most, most(differ, groups, next + 1));
    }
    return most;
  }
}

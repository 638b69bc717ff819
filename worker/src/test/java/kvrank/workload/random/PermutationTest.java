package kvrank.workload.random;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.BitSet;
import kvrank.workload.key.ChiSquared;
import org.junit.jupiter.api.Test;

class PermutationTest {

  @Test
  void isABijectionForEverySize() {
    for (int size = 1; size <= 600; size++) {
      assertBijection(size, size * 31L);
    }
    for (int size : new int[] {1023, 1024, 1025, 4097, 65_537, 100_000}) {
      assertBijection(size, 5);
    }
  }

  private static void assertBijection(int size, long key) {
    Permutation permutation = new Permutation(size, key);
    BitSet seen = new BitSet(size);
    for (int i = 0; i < size; i++) {
      long image = permutation.of(i);
      assertThat(image).isBetween(0L, size - 1L);
      assertThat(permutation.inverse(image)).isEqualTo(i);
      seen.set((int) image);
    }
    assertThat(seen.cardinality()).as("images of %s", size).isEqualTo(size);
  }

  @Test
  void staysInsideOfHugeRanges() {
    long size = 3_000_000_000_000L;
    Permutation permutation = new Permutation(size, 11);
    for (long i = 0; i < 1000; i++) {
      long image = permutation.of(size - 1 - i);
      assertThat(image).isBetween(0L, size - 1);
      assertThat(permutation.inverse(image)).isEqualTo(size - 1 - i);
    }
  }

  @Test
  void scattersNeighbours() {
    int size = 100_000;
    for (long key = 0; key < 20; key++) {
      Permutation permutation = new Permutation(size, key);
      int sections = 10;
      long[] counts = new long[sections];
      int near = 0;
      for (int i = 0; i < 1000; i++) {
        counts[(int) (permutation.of(i) * sections / size)]++;
        near += Math.abs(permutation.of(i) - permutation.of(i + 1)) < size / 100 ? 1 : 0;
      }
      double[] even = new double[sections];
      Arrays.fill(even, 1.0 / sections);
      assertThat(ChiSquared.deviation(counts, even)).as("key %s", key).isLessThan(4);
      // By chance, two of a hundred are that near.
      assertThat(near).isLessThan(60);
    }
  }

  @Test
  void anotherKeyGivesAnotherOrder() {
    Permutation one = new Permutation(1000, 1);
    Permutation other = new Permutation(1000, 2);
    int equal = 0;
    for (int i = 0; i < 1000; i++) {
      equal += one.of(i) == other.of(i) ? 1 : 0;
    }
    assertThat(equal).isLessThan(20);
  }
}

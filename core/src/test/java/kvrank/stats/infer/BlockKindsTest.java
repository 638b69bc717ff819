package kvrank.stats.infer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.math3.linear.MatrixUtils;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.linear.SingularValueDecomposition;
import org.junit.jupiter.api.Test;

/** Compares matrices of kinds with the same matrices entry by entry, on random tables. */
class BlockKindsTest {

  private static final double EXACT = 1e-9;

  private final Random random = new Random(7);

  private static RealMatrix entries(BlockKinds.Matrix matrix, int blocks) {
    RealMatrix entries = MatrixUtils.createRealMatrix(blocks, blocks);
    for (int column = 0; column < blocks; column++) {
      double[] unit = new double[blocks];
      unit[column] = 1;
      entries.setColumn(column, matrix.operate(unit));
    }
    return entries;
  }

  /** Returns the matrix that takes the mean of the blocks {@code kept} from them. */
  private static RealMatrix centring(boolean[] kept) {
    double count = IntStream.range(0, kept.length).filter(b -> kept[b]).count();
    RealMatrix entries = MatrixUtils.createRealMatrix(kept.length, kept.length);
    for (int b = 0; b < kept.length; b++) {
      for (int other = 0; other < kept.length; other++) {
        double identity = b == other ? 1 : 0;
        entries.setEntry(b, other, kept[b] && kept[other] ? identity - 1 / count : 0);
      }
    }
    return entries;
  }

  private static void assertClose(BlockKinds.Matrix matrix, RealMatrix expected) {
    int blocks = expected.getRowDimension();
    assertThat(entries(matrix, blocks).subtract(expected).getNorm())
        .isLessThan(EXACT * (1 + expected.getNorm()));
    assertThat(matrix.trace()).isCloseTo(expected.getTrace(), within(EXACT));
    double squares = Math.pow(expected.getFrobeniusNorm(), 2);
    assertThat(matrix.squares()).isCloseTo(squares, within(EXACT * (1 + squares)));
  }

  private void compare(int engines, int blocks, double gaps) {
    List<double[]> rows =
        Stream.generate(() -> random.doubles(blocks).map(u -> u < gaps ? Double.NaN : u).toArray())
            .limit(engines)
            .toList();
    BlockKinds kinds = new BlockKinds(rows, blocks);
    List<RealMatrix> centrings =
        rows.stream().map(row -> centring(present(blocks, b -> !Double.isNaN(row[b])))).toList();
    BlockKinds.Matrix normal = kinds.ones();
    RealMatrix expected = MatrixUtils.createRealMatrix(blocks, blocks).scalarAdd(1);
    for (int e = 0; e < engines; e++) {
      double weight = random.nextDouble();
      normal = normal.plus(weight, kinds.identity().centred(e));
      expected = expected.add(centrings.get(e).scalarMultiply(weight));
    }
    assertClose(normal, expected);
    BlockKinds.Matrix inverse = normal.inverse();
    RealMatrix expectedInverse = new SingularValueDecomposition(expected).getSolver().getInverse();
    assertClose(inverse, expectedInverse);
    RealMatrix shared =
        centring(
            present(blocks, b -> rows.stream().filter(row -> !Double.isNaN(row[b])).count() > 1));
    for (int e = 0; e < engines; e++) {
      BlockKinds.Matrix minus = inverse.centred(e).transpose();
      RealMatrix expectedMinus = expectedInverse.multiply(centrings.get(e));
      assertClose(minus.centredShared(), shared.multiply(expectedMinus));
      for (int k = 0; k < engines; k++) {
        assertClose(
            kinds.identity().centred(e).plus(-2, minus.centred(k)),
            centrings.get(e).subtract(centrings.get(k).multiply(expectedMinus).scalarMultiply(2)));
      }
    }
  }

  private static boolean[] present(int blocks, IntPredicate kept) {
    boolean[] present = new boolean[blocks];
    for (int b = 0; b < blocks; b++) {
      present[b] = kept.test(b);
    }
    return present;
  }

  @Test
  void kindsStandForTheirBlocks() {
    for (int table = 0; table < 50; table++) {
      int blocks = 3 + random.nextInt(10);
      compare(2 + random.nextInt(4), blocks, 0);
      compare(2 + random.nextInt(4), blocks, 0.1);
      compare(2 + random.nextInt(4), blocks, 0.4);
    }
  }
}

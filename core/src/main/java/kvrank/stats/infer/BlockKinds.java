package kvrank.stats.infer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.DecompositionSolver;
import org.apache.commons.math3.linear.LUDecomposition;
import org.apache.commons.math3.linear.MatrixUtils;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.linear.SingularValueDecomposition;

/**
 * The blocks of a table by kind: blocks are of one kind if the same rows have values in them. So a
 * table without gaps has one kind, and work with a {@link Matrix} grows with the kinds instead of
 * the blocks.
 */
final class BlockKinds {

  private static final double SINGULAR = 1e-9;

  private final int[] kinds; // by block
  private final List<boolean[]> present = new ArrayList<>(); // by kind and row
  private final double[] sizes; // by kind

  /** Creates the kinds of {@code blocks} in {@code rows}, which have NaN for no value. */
  BlockKinds(List<double[]> rows, int blocks) {
    kinds = new int[blocks];
    for (int b = 0; b < blocks; b++) {
      boolean[] of = new boolean[rows.size()];
      for (int row = 0; row < of.length; row++) {
        of[row] = !Double.isNaN(rows.get(row)[b]);
      }
      int kind = 0;
      while (kind < present.size() && !Arrays.equals(present.get(kind), of)) {
        kind++;
      }
      if (kind == present.size()) {
        present.add(of);
      }
      kinds[b] = kind;
    }
    sizes = new double[present.size()];
    for (int kind : kinds) {
      sizes[kind]++;
    }
  }

  /** Returns the matrix that leaves everything as it is. */
  Matrix identity() {
    double[] within = new double[sizes.length];
    Arrays.fill(within, 1);
    return new Matrix(within, MatrixUtils.createRealIdentityMatrix(sizes.length));
  }

  /** Returns the matrix of zeros. */
  Matrix zero() {
    return new Matrix(
        new double[sizes.length], new Array2DRowRealMatrix(sizes.length, sizes.length));
  }

  /** Returns the matrix of ones. */
  Matrix ones() {
    double[] roots = Arrays.stream(sizes).map(Math::sqrt).toArray();
    return new Matrix(
        new double[sizes.length],
        MatrixUtils.createRealVector(roots).outerProduct(MatrixUtils.createRealVector(roots)));
  }

  /** Returns the inverse, or the pseudoinverse if {@code matrix} is singular. */
  static RealMatrix inverse(RealMatrix matrix) {
    DecompositionSolver regular = new LUDecomposition(matrix, SINGULAR).getSolver();
    if (regular.isNonSingular()) {
      return regular.getInverse();
    }
    // Its own solver takes what rounding leaves of 0 for a value.
    SingularValueDecomposition singular = new SingularValueDecomposition(matrix);
    double[] inverse =
        Arrays.stream(singular.getSingularValues())
            .map(value -> value > SINGULAR ? 1 / value : 0)
            .toArray();
    return singular
        .getV()
        .multiply(MatrixUtils.createRealDiagonalMatrix(inverse))
        .multiply(singular.getUT());
  }

  /**
   * A matrix of blocks by blocks to which blocks of one kind are alike. It multiplies what differs
   * between blocks of one kind by a number, and mixes only the sums of kinds.
   */
  final class Matrix {

    private final double[] within; // by kind
    private final RealMatrix sums; // by kind, of sums divided by the root of the size

    private Matrix(double[] within, RealMatrix sums) {
      this.within = within;
      this.sums = sums;
    }

    Matrix plus(double factor, Matrix other) {
      double[] sum = within.clone();
      for (int kind = 0; kind < sum.length; kind++) {
        sum[kind] += factor * other.within[kind];
      }
      return new Matrix(sum, sums.add(other.sums.scalarMultiply(factor)));
    }

    Matrix transpose() {
      return new Matrix(within, sums.transpose());
    }

    /** Returns this without the mean, in each column, of the blocks of {@code row}; 0 beside. */
    Matrix centred(int row) {
      return centred(of -> of[row]);
    }

    /** Returns the same for the blocks that rows share. */
    Matrix centredShared() {
      return centred(of -> IntStream.range(0, of.length).filter(row -> of[row]).count() > 1);
    }

    private Matrix centred(Predicate<boolean[]> kept) {
      double[] own = new double[sizes.length];
      double[] roots = new double[sizes.length];
      double count = 0;
      for (int kind = 0; kind < sizes.length; kind++) {
        if (kept.test(present.get(kind))) {
          own[kind] = within[kind];
          roots[kind] = Math.sqrt(sizes[kind]);
          count += sizes[kind];
        }
      }
      double[] totals = sums.preMultiply(roots);
      RealMatrix centred = new Array2DRowRealMatrix(sizes.length, sizes.length);
      for (int kind = 0; kind < sizes.length; kind++) {
        for (int column = 0; column < sizes.length && roots[kind] > 0; column++) {
          double mean = roots[kind] * totals[column] / count;
          centred.setEntry(kind, column, sums.getEntry(kind, column) - mean);
        }
      }
      return new Matrix(own, centred);
    }

    /** Returns the inverse, or the pseudoinverse if there is none. */
    Matrix inverse() {
      double[] inverse = Arrays.stream(within).map(value -> value == 0 ? 0 : 1 / value).toArray();
      return new Matrix(inverse, BlockKinds.inverse(sums));
    }

    double trace() {
      double trace = sums.getTrace();
      for (int kind = 0; kind < sizes.length; kind++) {
        trace += (sizes[kind] - 1) * within[kind];
      }
      return trace;
    }

    /** Returns the sum of the squared entries. */
    double squares() {
      double norm = sums.getFrobeniusNorm();
      double squares = norm * norm;
      for (int kind = 0; kind < sizes.length; kind++) {
        squares += (sizes[kind] - 1) * within[kind] * within[kind];
      }
      return squares;
    }

    /** Returns the product with {@code values}, which are by block. */
    double[] operate(double[] values) {
      double[] totals = new double[sizes.length];
      for (int b = 0; b < values.length; b++) {
        totals[kinds[b]] += values[b] / Math.sqrt(sizes[kinds[b]]);
      }
      double[] mixed = sums.operate(totals);
      double[] product = new double[values.length];
      for (int b = 0; b < values.length; b++) {
        int kind = kinds[b];
        double root = Math.sqrt(sizes[kind]);
        product[b] = within[kind] * (values[b] - totals[kind] / root) + mixed[kind] / root;
      }
      return product;
    }
  }
}

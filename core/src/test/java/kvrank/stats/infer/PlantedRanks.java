package kvrank.stats.infer;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import kvrank.metric.Direction;
import kvrank.stats.Tables;

/**
 * Twelve engines of a run of {@code scenarios/quick.yaml} on an ordinary machine with two cores:
 * their throughput, and how much their runs differ.
 */
public final class PlantedRanks {

  private static final double[] THROUGHPUT = {
    3361, 992, 946, 667, 308, 268, 213, 138, 87, 82, 35.5, 505
  };

  /** The standard deviations of the logarithms. */
  private static final double[] DEVIATION = {
    0.42, 0.19, 0.25, 0.18, 1.0, 0.15, 0.20, 0.20, 0.23, 0.38, 0.08, 0.25
  };

  private static final double CALM = 0.4;

  private PlantedRanks() {}

  /** The noise of one table. */
  static final class Drawn {

    /** By engine and block. */
    final double[][] logs;

    /** The standard deviation of the runs of each engine. */
    final double[] deviations;

    Drawn(double[][] logs, double[] deviations) {
      this.logs = logs;
      this.deviations = deviations;
    }
  }

  /** Where tables of twelve engines come from. */
  @FunctionalInterface
  public interface Source {
    Drawn draw(int blocks, RandomGenerator random);
  }

  /** The noise of the example. */
  public static Source example() {
    return (blocks, random) -> {
      double[][] table = Noise.normal(1).draw(DEVIATION.length, blocks, random);
      for (int e = 0; e < table.length; e++) {
        for (int b = 0; b < blocks; b++) {
          table[e][b] *= DEVIATION[e];
        }
      }
      return new Drawn(table, DEVIATION);
    };
  }

  /** The noise of the example, for tables of twelve engines. */
  public static Noise noise() {
    return (engines, blocks, random) -> example().draw(blocks, random).logs;
  }

  /** The logarithms of the throughput in the example. */
  public static double[] effects() {
    return Arrays.stream(THROUGHPUT).map(Math::log).toArray();
  }

  /** The noise of the board's executions, for at most five blocks. */
  public static Source recorded() {
    RecordedTables tables = new RecordedTables(THROUGHPUT.length);
    return tables::draw;
  }

  /**
   * Shares of pairs that are separated.
   *
   * @param far of those that differ by 3x or more
   * @param calm of those by 3x or more whose runs vary by less than 40 %
   * @param near of those by 2x to 3x
   * @param width the mean width of a rank range
   * @param interval the median width of a ratio's interval, relative to Welch's at the same level
   */
  public record Found(double far, double calm, double near, double width, double interval) {}

  /** Draws tables of all twelve engines. */
  public static Found found(Source source, int blocks, int tables, RandomGenerator random) {
    int engines = THROUGHPUT.length;
    double[] effects = effects();
    double[][] counts = new double[3][2];
    double width = 0;
    double[] relative = new double[tables];
    for (int i = 0; i < tables; i++) {
      Drawn drawn = source.draw(blocks, random);
      double[][] logs = drawn.logs;
      for (int e = 0; e < engines; e++) {
        double[] row = logs[e];
        double effect = effects[e];
        Arrays.setAll(row, b -> row[b] + effect);
      }
      PairwiseComparisons found = PairwiseComparisons.of(Tables.ofLogs(logs));
      for (int a = 0; a < engines; a++) {
        RankRange range =
            RankRange.of(
                Tables.engine(a),
                found.table().engines(),
                (one, other) -> found.better(one, other, Direction.HIGHER));
        width += range.worst() - range.best() + 1.0;
        for (int b = a + 1; b < engines; b++) {
          double ratio = Math.exp(Math.abs(effects[a] - effects[b]));
          boolean apart = found.verdict(Tables.engine(a), Tables.engine(b)).separated();
          if (ratio >= 3) {
            count(counts[0], apart);
            if (drawn.deviations[a] < CALM && drawn.deviations[b] < CALM) {
              count(counts[1], apart);
            }
          } else if (ratio >= 2) {
            count(counts[2], apart);
          }
        }
      }
      PairVerdict verdict = found.verdict(Tables.engine(i % 11), Tables.engine(11));
      double welch =
          BlockAnalysis.independent(List.of(logs[i % 11]), List.of(logs[11]))
              .halfWidth(verdict.level());
      relative[i] = verdict.inference().orElseThrow().halfWidth(verdict.level()) / welch;
    }
    Arrays.sort(relative);
    return new Found(
        counts[0][0] / counts[0][1],
        counts[1][0] / counts[1][1],
        counts[2][0] / counts[2][1],
        width / engines / tables,
        relative[tables / 2]);
  }

  private static void count(double[] of, boolean apart) {
    of[0] += apart ? 1 : 0;
    of[1]++;
  }
}

package kvrank.stats.infer;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import kvrank.stats.Tables;
import org.apache.commons.math3.analysis.solvers.BrentSolver;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.special.Gamma;
import org.apache.commons.math3.stat.StatUtils;
import org.apache.commons.math3.stat.ranking.NaturalRanking;

/** Analyses of complete tables that were tried, and what they find and separate falsely. */
public final class TriedAnalyses {

  private static final double LEVEL = PairwiseComparisons.TABLES;

  private static final int PERMUTATIONS = 399;

  private static final double MOST_DEGREES = 1e4;

  /** The studentised range over √2 at 5 %, by the number of engines. */
  private static final Map<Integer, Double> RANGES = Map.of(5, 2.728, 8, 3.031, 12, 3.268);

  private TriedAnalyses() {}

  /** Decides which pairs of rows differ; those with the first row come first. */
  @FunctionalInterface
  public interface Analysis {
    boolean[] separated(double[][] logs);
  }

  private interface Test {
    double p(double[][] logs, int one, int other);
  }

  /** All analyses, kvrank's first. */
  public static Map<String, Analysis> all() {
    Map<String, Analysis> all = new LinkedHashMap<>();
    all.put("kvrank's", TriedAnalyses::ofKvrank);
    all.put("Welch's tests", holm(TriedAnalyses::welch));
    all.put("paired t-tests", holm(TriedAnalyses::paired));
    all.put("one noise for all engines", holm(TriedAnalyses::ofOneNoise));
    all.put("moderated variances", holm((logs, i, j) -> moderated(logs, i, j, false)));
    all.put("… not below an engine's own", holm((logs, i, j) -> moderated(logs, i, j, true)));
    all.put("permutations in blocks", TriedAnalyses::permuted);
    all.put("mean ranks (Nemenyi)", TriedAnalyses::ofRanks);
    return all;
  }

  /** The share of tables of equal engines, or of groups of equal ones, that separate any two. */
  public static double separated(
      Analysis analysis,
      Noise noise,
      double[] effects,
      int blocks,
      int tables,
      RandomGenerator random) {
    int separated = 0;
    int engines = effects.length;
    for (int i = 0; i < tables; i++) {
      boolean[] found = analysis.separated(noise.plus(effects).draw(engines, blocks, random));
      List<int[]> pairs = pairs(engines);
      separated +=
          IntStream.range(0, found.length)
                  .anyMatch(p -> found[p] && effects[pairs.get(p)[0]] == effects[pairs.get(p)[1]])
              ? 1
              : 0;
    }
    return (double) separated / tables;
  }

  /** The share of differences of {@code least} or more, in logarithms, that are separated. */
  public static double found(
      Analysis analysis,
      Noise noise,
      double[] effects,
      double least,
      int blocks,
      int tables,
      RandomGenerator random) {
    int found = 0;
    int all = 0;
    List<int[]> pairs = pairs(effects.length);
    for (int i = 0; i < tables; i++) {
      double[][] logs = noise.plus(effects).draw(effects.length, blocks, random);
      boolean[] separated = analysis.separated(logs);
      for (int p = 0; p < separated.length; p++) {
        if (Math.abs(effects[pairs.get(p)[0]] - effects[pairs.get(p)[1]]) >= least) {
          found += separated[p] ? 1 : 0;
          all++;
        }
      }
    }
    return (double) found / all;
  }

  private static List<int[]> pairs(int engines) {
    return IntStream.range(0, engines)
        .boxed()
        .flatMap(i -> IntStream.range(i + 1, engines).mapToObj(j -> new int[] {i, j}))
        .toList();
  }

  private static boolean[] ofKvrank(double[][] logs) {
    PairwiseComparisons found = PairwiseComparisons.of(Tables.ofLogs(logs));
    List<int[]> pairs = pairs(logs.length);
    boolean[] separated = new boolean[pairs.size()];
    for (int p = 0; p < separated.length; p++) {
      int[] pair = pairs.get(p);
      separated[p] = found.verdict(Tables.engine(pair[0]), Tables.engine(pair[1])).separated();
    }
    return separated;
  }

  private static Analysis holm(Test test) {
    return logs -> {
      double[] p =
          pairs(logs.length).stream().mapToDouble(pair -> test.p(logs, pair[0], pair[1])).toArray();
      double[] corrected = MultipleTesting.holm(p);
      boolean[] separated = new boolean[p.length];
      for (int i = 0; i < p.length; i++) {
        separated[i] = corrected[i] <= LEVEL;
      }
      return separated;
    };
  }

  private static double p(double difference, double variance, double degrees) {
    double t = Math.abs(difference) / Math.sqrt(variance);
    return 2 * new TDistribution(null, degrees).cumulativeProbability(-t);
  }

  private static double difference(double[][] logs, int i, int j) {
    return StatUtils.mean(logs[i]) - StatUtils.mean(logs[j]);
  }

  private static double welch(double[][] logs, int i, int j) {
    double n = logs[i].length;
    double one = StatUtils.variance(logs[i]) / n;
    double other = StatUtils.variance(logs[j]) / n;
    double degrees = PairInference.satterthwaite(one, n - 1, other, n - 1);
    return p(difference(logs, i, j), one + other, degrees);
  }

  private static double paired(double[][] logs, int i, int j) {
    int n = logs[i].length;
    double[] differences = new double[n];
    Arrays.setAll(differences, b -> logs[i][b] - logs[j][b]);
    return p(StatUtils.mean(differences), StatUtils.variance(differences) / n, n - 1);
  }

  /** The residuals of engines and blocks of all engines together (analysis of variance). */
  private static double ofOneNoise(double[][] logs, int i, int j) {
    int m = logs.length;
    int n = logs[0].length;
    double[] blocks = new double[n];
    Arrays.setAll(blocks, b -> Arrays.stream(logs).mapToDouble(row -> row[b]).sum() / m);
    double all = StatUtils.mean(blocks);
    double squares = 0;
    for (double[] row : logs) {
      double mean = StatUtils.mean(row);
      for (int b = 0; b < n; b++) {
        double residual = row[b] - mean - blocks[b] + all;
        squares += residual * residual;
      }
    }
    double degrees = (m - 1.0) * (n - 1);
    return p(difference(logs, i, j), 2 * squares / degrees / n, degrees);
  }

  /** The variances of G. K. Smyth (2004), without any belief about how alike engines are. */
  private static double moderated(double[][] logs, int i, int j, boolean atLeastOwn) {
    int n = logs[0].length;
    double half = (n - 1) / 2.0;
    double[] own = Arrays.stream(logs).mapToDouble(StatUtils::variance).toArray();
    double[] unbiased =
        Arrays.stream(own).map(v -> Math.log(v) - Gamma.digamma(half) + Math.log(half)).toArray();
    double spread = StatUtils.variance(unbiased) - Gamma.trigamma(half);
    double added =
        spread <= Gamma.trigamma(MOST_DEGREES / 2)
            ? MOST_DEGREES
            : 2 * new BrentSolver(1e-9).solve(200, x -> Gamma.trigamma(x) - spread, 1e-3, 1e4);
    double typical =
        Math.exp(StatUtils.mean(unbiased) + Gamma.digamma(added / 2) - Math.log(added / 2));
    double degrees = n - 1 + added;
    double one = (added * typical + (n - 1) * own[i]) / degrees;
    double other = (added * typical + (n - 1) * own[j]) / degrees;
    if (atLeastOwn) {
      one = Math.max(one, own[i]);
      other = Math.max(other, own[j]);
    }
    double both = PairInference.satterthwaite(one / n, degrees, other / n, degrees);
    return p(difference(logs, i, j), (one + other) / n, both);
  }

  /** Differences beyond the largest one of most tables in which blocks have engines at random. */
  private static boolean[] permuted(double[][] logs) {
    RandomGenerator random = new SplittableRandom(Arrays.deepHashCode(logs));
    int m = logs.length;
    double[] largest = new double[PERMUTATIONS];
    for (int k = 0; k < PERMUTATIONS; k++) {
      double[] sums = new double[m];
      for (int b = 0; b < logs[0].length; b++) {
        int[] order = IntStream.range(0, m).toArray();
        for (int e = m - 1; e > 0; e--) {
          int other = random.nextInt(e + 1);
          int moved = order[e];
          order[e] = order[other];
          order[other] = moved;
        }
        for (int e = 0; e < m; e++) {
          sums[e] += logs[order[e]][b];
        }
      }
      largest[k] = StatUtils.max(sums) - StatUtils.min(sums);
    }
    Arrays.sort(largest);
    double critical =
        largest[(int) Math.ceil((1 - LEVEL) * (PERMUTATIONS + 1)) - 1] / logs[0].length;
    return beyond(logs.length, (i, j) -> Math.abs(difference(logs, i, j)) > critical);
  }

  /** The test of P. B. Nemenyi (1963) after M. Friedman's, at 5 %. */
  private static boolean[] ofRanks(double[][] logs) {
    int m = logs.length;
    int n = logs[0].length;
    double[] ranks = new double[m];
    for (int b = 0; b < n; b++) {
      int block = b;
      double[] of =
          new NaturalRanking().rank(Arrays.stream(logs).mapToDouble(row -> row[block]).toArray());
      for (int e = 0; e < m; e++) {
        ranks[e] += of[e] / n;
      }
    }
    double critical = RANGES.get(m) * Math.sqrt(m * (m + 1) / (6.0 * n));
    return beyond(m, (i, j) -> Math.abs(ranks[i] - ranks[j]) >= critical);
  }

  private interface Beyond {
    boolean of(int one, int other);
  }

  private static boolean[] beyond(int engines, Beyond test) {
    List<int[]> pairs = pairs(engines);
    boolean[] separated = new boolean[pairs.size()];
    for (int p = 0; p < separated.length; p++) {
      separated[p] = test.of(pairs.get(p)[0], pairs.get(p)[1]);
    }
    return separated;
  }
}

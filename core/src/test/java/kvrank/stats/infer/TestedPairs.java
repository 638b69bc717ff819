package kvrank.stats.infer;

import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import kvrank.stats.Tables;

/**
 * Prints tables and the tests of their first two engines, a line each, for {@code
 * .ci/check-statistics.py}: the logarithms (engines by {@code ;}, blocks by {@code ,}, nan for
 * none), then the weight and the p-value of each test.
 */
final class TestedPairs {

  private TestedPairs() {}

  public static void main(String[] args) {
    SplittableRandom random = new SplittableRandom(20261122);
    for (int i = 0; i < 200; i++) {
      int engines = 2 + i % 5;
      int blocks = 3 + i % 9;
      double[][] logs =
          Noise.normal(0.03).unequal(2, 3).wandering(0.05).draw(engines, blocks, random);
      if (engines > 2 && blocks > 4) {
        logs[i % engines][0] = Double.NaN;
        logs[(i + 1) % engines][blocks - 1] = Double.NaN;
      }
      PairInference test =
          new BlockAnalysis(Tables.ofLogs(logs), BlockModel.COINCIDENCE).pair(0, 1).orElseThrow();
      System.out.println(
          Arrays.stream(logs)
                  .map(
                      row ->
                          Arrays.stream(row)
                              .mapToObj(log -> Double.isNaN(log) ? "nan" : Double.toString(log))
                              .collect(Collectors.joining(",")))
                  .collect(Collectors.joining(";"))
              + " "
              + test.contrasts().stream()
                  .map(
                      each ->
                          String.format(
                              Locale.ROOT, "%s:%.12g", each.weight(), each.p(test.difference())))
                  .collect(Collectors.joining(" ")));
    }
  }
}

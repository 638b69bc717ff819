package kvrank.report.section;

import java.util.ArrayList;
import java.util.List;
import kvrank.report.block.Block;
import kvrank.report.block.Blocks;
import kvrank.report.block.Columns;
import kvrank.report.block.Quantities;
import kvrank.report.block.Table;
import kvrank.report.ranking.Labels;
import kvrank.results.Durability.Verdict;
import kvrank.stats.AcrossWorkloads;
import kvrank.stats.AcrossWorkloads.Pair;
import kvrank.stats.AcrossWorkloads.Row;
import kvrank.stats.RankingIndex;
import kvrank.stats.infer.Friedman;

/** The section "Across workloads": engines compared over several workloads, with tests. */
public final class AcrossReport {

  private AcrossReport() {}

  /**
   * Returns the section, if {@code brief} without the table of pairs; empty if nothing is
   * comparable.
   */
  public static List<Block> of(RankingIndex index, boolean brief) {
    Blocks blocks = new Blocks();
    for (AcrossWorkloads across : index.across()) {
      if (across.workloads().size() >= 2 && across.rows().size() >= 2) {
        if (blocks.list().isEmpty()) {
          blocks
              .heading(2, "Across workloads")
              .text(
                  "Throughput as a ratio to the best engine of each workload. A workload counts"
                      + " once, with any number of factor points.");
        }
        if (!across.place().isEmpty()) {
          blocks.heading(3, Labels.settings(across.place()));
        }
        section(blocks, index, across, brief);
      }
    }
    return blocks.list();
  }

  private static void section(
      Blocks blocks, RankingIndex index, AcrossWorkloads across, boolean brief) {
    boolean enough = across.workloads().size() >= across.workloadsNeeded();
    List<String> items = new ArrayList<>();
    String workloads = String.join(", ", across.workloads());
    int size = across.workloads().size();
    items.add("%d engines, %d workloads (%s).".formatted(across.rows().size(), size, workloads));
    across
        .friedman()
        .filter(test -> Double.isFinite(test.f()))
        .ifPresent(test -> items.add(gate(test)));
    if (enough) {
      items.add(pairs(across));
    }
    if (!across.leftOut().isEmpty()) {
      items.add("Left out: " + String.join("; ", across.leftOut()) + ".");
    }
    blocks
        .add(
            new Columns<>(across.rows())
                .left("engine", Row::engine)
                .right("geometric mean of ratios", row -> Quantities.ratio(row.ratio()))
                .right("mean rank", row -> Quantities.fixed(row.meanRank(), 2))
                .right("best in", row -> "%d of %d".formatted(row.best(), size))
                .left("durability", row -> doubt(index, across, row.engine()))
                .table()
                .compact())
        .items(items);
    if (!brief && enough) {
      blocks.add(pairTable(across));
    }
  }

  /** Returns a label if durability is not proven in one of the workloads, else nothing. */
  private static String doubt(RankingIndex index, AcrossWorkloads across, String engine) {
    return index.phaseGroups().stream()
            .filter(phaseGroup -> across.workloads().contains(phaseGroup.phase()))
            .filter(
                phaseGroup ->
                    phaseGroup.factors().entrySet().containsAll(across.place().entrySet()))
            .anyMatch(phaseGroup -> index.doubted(phaseGroup, engine))
        ? Verdict.NOT_PROVEN.label()
        : "";
  }

  private static String gate(Friedman test) {
    return "Friedman's test: χ² = %s, F = %s, %s: %s."
        .formatted(
            Quantities.fixed(test.chiSquared(), 2),
            Quantities.fixed(test.f(), 2),
            p(test.p()) + (test.exact() ? " (exact)" : " (approximate)"),
            test.p() <= AcrossWorkloads.ALPHA
                ? "the engines are not all equal"
                : "these workloads show no difference between the engines");
  }

  private static String p(double p) {
    String text = Quantities.probability(p);
    return text.startsWith("<") ? "p < " + text.substring(1) : "p = " + text;
  }

  /** Returns the result of the pairwise tests in one sentence. */
  private static String pairs(AcrossWorkloads across) {
    if (!across.gateOpen()) {
      return "No verdict on pairs, because Friedman's test finds no difference.";
    }
    List<String> found = new ArrayList<>();
    for (Pair pair : across.pairs()) {
      if (across.separated(pair)) {
        found.add(better(pair) + " than " + (firstIsBetter(pair) ? pair.second() : pair.first()));
      }
    }
    return found.isEmpty()
        ? "Wilcoxon's test with Holm's correction separates no pair of engines."
        : "By Wilcoxon's test with Holm's correction: " + String.join(", ", found) + ".";
  }

  private static boolean firstIsBetter(Pair pair) {
    return pair.test().plus() > pair.test().minus();
  }

  private static String better(Pair pair) {
    return (firstIsBetter(pair) ? pair.first() : pair.second()) + " is better";
  }

  private static Table pairTable(AcrossWorkloads across) {
    return new Columns<>(across.pairs())
        .left("engine", Pair::first)
        .left("against", Pair::second)
        .right("better in", pair -> "%d of %d".formatted(pair.wins(), pair.test().pairs()))
        .right("W+", pair -> rankSum(pair.test().plus()))
        .right("W−", pair -> rankSum(pair.test().minus()))
        .right("p", pair -> Quantities.probability(pair.test().p()))
        .right("p, Holm", pair -> Quantities.probability(pair.p()))
        .left("verdict", pair -> across.separated(pair) ? better(pair) : "not separated")
        .table(across::separated);
  }

  private static String rankSum(double sum) {
    return Quantities.fixed(sum, sum == Math.rint(sum) ? 0 : 1);
  }
}

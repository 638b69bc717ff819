package kvrank.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import kvrank.stats.AcrossWorkloads;
import kvrank.stats.AcrossWorkloads.Pair;
import kvrank.stats.AcrossWorkloads.Row;
import kvrank.stats.Friedman;
import kvrank.stats.RankingIndex;

/** The section "Across workloads": which engine is better in general, and whether that holds. */
final class AcrossReport {

  private AcrossReport() {}

  /**
   * The section; nothing where there is nothing to compare.
   *
   * @param brief whether the tests of pairs are left out
   */
  static List<Block> of(RankingIndex index, boolean brief) {
    List<Block> blocks = new ArrayList<>();
    for (AcrossWorkloads across : index.across()) {
      if (comparable(across)) {
        if (blocks.isEmpty()) {
          blocks.add(new Block.Heading(2, "Across workloads"));
          blocks.add(
              new Block.Text(
                  "Throughput as a ratio to the best engine of each workload, which counts once"
                      + " however many factor points it was measured at."));
        }
        if (!across.place().isEmpty()) {
          blocks.add(new Block.Heading(3, place(across)));
        }
        blocks.addAll(section(across, brief));
      }
    }
    return blocks;
  }

  private static List<Block> section(AcrossWorkloads across, boolean brief) {
    List<Block> blocks = new ArrayList<>();
    blocks.add(new Block.Grid(means(across)));
    List<String> items = new ArrayList<>();
    items.add(size(across));
    across
        .friedman()
        .filter(test -> Double.isFinite(test.f()))
        .ifPresent(test -> items.add(gate(test)));
    if (across.workloads().size() >= across.workloadsNeeded()) {
      items.add(pairs(across));
    }
    if (!across.leftOut().isEmpty()) {
      items.add("Left out: " + String.join("; ", across.leftOut()) + ".");
    }
    blocks.add(new Block.Items(items));
    if (!brief && across.workloads().size() >= across.workloadsNeeded()) {
      blocks.add(new Block.Grid(pairTable(across)));
    }
    return blocks;
  }

  private static boolean comparable(AcrossWorkloads across) {
    return across.workloads().size() >= 2 && across.rows().size() >= 2;
  }

  private static String place(AcrossWorkloads across) {
    return across.place().entrySet().stream()
        .map(entry -> entry.getKey() + "=" + entry.getValue())
        .collect(Collectors.joining(", "));
  }

  private static String size(AcrossWorkloads across) {
    return "%d engines, %d workloads (%s)."
        .formatted(
            across.rows().size(), across.workloads().size(), String.join(", ", across.workloads()));
  }

  private static Table means(AcrossWorkloads across) {
    List<Column<Row>> columns =
        List.of(
            Column.left("engine", Row::engine),
            Column.right("geometric mean of ratios", row -> Quantities.ratio(row.ratio())),
            Column.right("mean rank", row -> Quantities.fixed(row.meanRank(), 2)),
            Column.right(
                "best in", row -> "%d of %d".formatted(row.best(), across.workloads().size())));
    return Table.of(columns, across.rows(), row -> false);
  }

  private static String gate(Friedman test) {
    return "Friedman's test: χ² = %s, F = %s, %s: %s."
        .formatted(
            Quantities.fixed(test.chiSquared(), 2),
            Quantities.fixed(test.f(), 2),
            p(test.p()) + (test.exact() ? " (exact)" : " (approximate)"),
            test.p() <= AcrossWorkloads.ALPHA
                ? "the engines are not all equal"
                : "over these workloads the engines cannot be told apart");
  }

  private static String p(double p) {
    String text = Quantities.probability(p);
    return text.startsWith("<") ? "p < " + text.substring(1) : "p = " + text;
  }

  /** What the pairwise tests say in one sentence. */
  private static String pairs(AcrossWorkloads across) {
    if (!across.gateOpen()) {
      return "No verdict on two engines, as Friedman's test finds no difference.";
    }
    Optional<String> found =
        across.pairs().stream()
            .filter(across::separated)
            .map(pair -> better(pair) + " than " + worse(pair))
            .reduce((one, other) -> one + ", " + other);
    return found
        .map(text -> "By Wilcoxon's test with Holm's correction: " + text + ".")
        .orElse("Wilcoxon's test with Holm's correction separates no two engines.");
  }

  private static boolean firstIsBetter(Pair pair) {
    return pair.test().plus() > pair.test().minus();
  }

  private static String better(Pair pair) {
    return (firstIsBetter(pair) ? pair.first() : pair.second()) + " is better";
  }

  private static String worse(Pair pair) {
    return firstIsBetter(pair) ? pair.second() : pair.first();
  }

  private static Table pairTable(AcrossWorkloads across) {
    List<Column<Pair>> columns =
        List.of(
            Column.left("engine", Pair::first),
            Column.left("against", Pair::second),
            Column.right(
                "better in", pair -> "%d of %d".formatted(pair.wins(), pair.test().pairs())),
            Column.right("W+", pair -> rankSum(pair.test().plus())),
            Column.right("W−", pair -> rankSum(pair.test().minus())),
            Column.right("p", pair -> Quantities.probability(pair.test().p())),
            Column.right("p, Holm", pair -> Quantities.probability(pair.p())),
            Column.left(
                "verdict", pair -> across.separated(pair) ? better(pair) : "not separated"));
    return Table.of(columns, across.pairs(), across::separated);
  }

  private static String rankSum(double sum) {
    return Quantities.fixed(sum, sum == Math.rint(sum) ? 0 : 1);
  }
}

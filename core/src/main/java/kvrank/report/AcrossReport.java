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

  private static final String TITLE = "Across workloads";

  private AcrossReport() {}

  /** Everything that is known. */
  static List<Block> full(RankingIndex board) {
    List<Block> blocks = new ArrayList<>();
    for (AcrossWorkloads across : AcrossWorkloads.of(board.rankings())) {
      if (blocks.isEmpty()) {
        blocks.add(new Block.Heading(2, TITLE));
        blocks.add(
            new Block.Text(
                "Throughput as a ratio to the best engine of each workload. A workload counts once,"
                    + " however many factor points it was measured at."));
      }
      if (!across.place().isEmpty()) {
        blocks.add(new Block.Heading(3, place(across)));
      }
      blocks.add(new Block.Text(size(across)));
      if (comparable(across)) {
        blocks.add(new Block.Grid(means(across)));
        List<String> verdicts = new ArrayList<>();
        across.friedman().ifPresent(test -> verdicts.add(gate(test)));
        verdicts.add(pairs(across));
        blocks.add(new Block.Items(verdicts));
        blocks.add(new Block.Grid(pairTable(across)));
      }
      if (!across.leftOut().isEmpty()) {
        blocks.add(new Block.Text("Left out here:"));
        blocks.add(new Block.Items(across.leftOut()));
      }
    }
    return blocks;
  }

  /** The means and what can be said of them. */
  static List<Block> brief(RankingIndex board) {
    List<Block> blocks = new ArrayList<>();
    for (AcrossWorkloads across : AcrossWorkloads.of(board.rankings())) {
      if (comparable(across)) {
        String place = across.place().isEmpty() ? "" : " at " + place(across);
        blocks.add(new Block.Heading(2, TITLE + place));
        blocks.add(new Block.Grid(means(across)));
        List<String> items = new ArrayList<>();
        items.add(size(across));
        across.friedman().filter(test -> !across.gateOpen()).ifPresent(t -> items.add(gate(t)));
        if (across.gateOpen()) {
          items.add(pairs(across));
        }
        if (!across.leftOut().isEmpty()) {
          items.add("left out: " + String.join("; ", across.leftOut()));
        }
        blocks.add(new Block.Items(items));
      }
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
    int engines = across.rows().size();
    int workloads = across.workloads().size();
    String size =
        "%d %s, %d %s%s"
            .formatted(
                engines,
                engines == 1 ? "engine" : "engines",
                workloads,
                workloads == 1 ? "workload" : "workloads",
                workloads == 0 ? "" : " (" + String.join(", ", across.workloads()) + ")");
    return comparable(across)
        ? size + "."
        : size + " with a value of every engine: there is nothing to compare across workloads.";
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
            Double.isInfinite(test.f()) ? "∞" : Quantities.fixed(test.f(), 2),
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
    int needed = across.workloadsNeeded();
    if (across.workloads().size() < needed) {
      return "No verdict on two engines: Wilcoxon's exact test of %d %s needs at least %d workloads."
          .formatted(across.pairs().size(), across.pairs().size() == 1 ? "pair" : "pairs", needed);
    }
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
    boolean carried = across.workloads().size() >= across.workloadsNeeded();
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
                "verdict",
                pair ->
                    across.separated(pair)
                        ? better(pair)
                        : carried ? "not separated" : "too few workloads"));
    return Table.of(columns, across.pairs(), across::separated);
  }

  private static String rankSum(double sum) {
    return Quantities.fixed(sum, sum == Math.rint(sum) ? 0 : 1);
  }
}

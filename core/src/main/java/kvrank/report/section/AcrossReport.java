package kvrank.report.section;

import java.util.ArrayList;
import java.util.List;
import kvrank.report.block.Block;
import kvrank.report.block.Blocks;
import kvrank.report.block.Columns;
import kvrank.report.block.Quantities;
import kvrank.report.ranking.Labels;
import kvrank.report.ranking.RankingText;
import kvrank.results.Durability.Verdict;
import kvrank.stats.AcrossWorkloads;
import kvrank.stats.AcrossWorkloads.Row;
import kvrank.stats.RankingIndex;

/** The section "Across workloads": which engine is better in general, and whether that holds. */
public final class AcrossReport {

  private AcrossReport() {}

  /** Returns the section; nothing if there are not two engines to compare over two workloads. */
  public static List<Block> of(RankingIndex index) {
    Blocks blocks = new Blocks();
    for (AcrossWorkloads across : index.across()) {
      if (across.rows().size() >= 2) {
        if (blocks.list().isEmpty()) {
          blocks.heading(2, "Across workloads");
        }
        if (!across.place().isEmpty()) {
          blocks.heading(3, Labels.settings(across.place()));
        }
        section(blocks, index, across);
      }
    }
    return blocks.list();
  }

  private static void section(Blocks blocks, RankingIndex index, AcrossWorkloads across) {
    List<String> items = new ArrayList<>();
    int size = across.workloads().size();
    items.add(
        "Geometric means of %s over %d workloads (%s), one for each repetition."
            .formatted(across.metric().title(), size, String.join(", ", across.workloads())));
    if (across.undecided()) {
      items.add("No two engines are separated.");
    }
    if (!across.leftOut().isEmpty()) {
      items.add("Left out: " + String.join("; ", across.leftOut()) + ".");
    }
    blocks
        .add(
            new Columns<>(across.rows())
                .right("rank", row -> across.undecided() ? "" : row.ranks().toString())
                .left("engine", Row::engine)
                .right("ratio", row -> Quantities.ratio(row.ratio().value()))
                .right("ratio interval", row -> RankingText.interval(row.ratio()))
                .right("mean rank", row -> Quantities.fixed(row.meanRank(), 2))
                .right("best in", row -> "%d of %d".formatted(row.best(), size))
                .left("durability", row -> doubt(index, across, row.engine()))
                .table()
                .compact())
        .items(items);
  }

  /** That durability is not proven in one of the workloads, or nothing. */
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
}

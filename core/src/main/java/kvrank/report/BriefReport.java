package kvrank.report;

import java.util.ArrayList;
import java.util.List;
import kvrank.stats.Group;
import kvrank.stats.RankingIndex;

/** What fits a terminal: the answers first, one compact table per comparison group. */
final class BriefReport {

  private static final int UNREADABLE_SHOWN = 5;
  private static final int UNPROVEN_SHOWN = 8;

  /** More tables than these are left to the files if the scenario has tables of its own. */
  private static final int MOST_GROUPS = 12;

  private static final String LEGEND =
      "throughput: OK records/s, the median of the repetitions; 95% interval: of the median, none"
          + " with n=1 or n=2, where \"?\" marks a rank by the value alone; of best: ratio to the best; tied: the interval of the ratio to the best of"
          + " the rank includes 1; latency is per request.";

  private final RankingIndex board;
  private final Exclusions exclusions;
  private final Notes notes;
  private final RankingTables tables;

  BriefReport(RankingIndex board) {
    this.board = board;
    this.exclusions = new Exclusions(board);
    this.notes = new Notes(board);
    this.tables = new RankingTables(board, notes);
  }

  List<Block> blocks() {
    List<Block> blocks = new ArrayList<>(Preamble.of(board, UNREADABLE_SHOWN));
    section(blocks, "Answers", Answers.of(board));
    blocks.addAll(DurabilityNotes.warning(board, UNPROVEN_SHOWN));
    blocks.addAll(ExpectationReport.blocks(board.results()));
    List<Block> reference = TableReport.blocks(board, exclusions, TableFrame.Ties.BELOW);
    boolean each = reference.isEmpty() || board.wholes().size() <= MOST_GROUPS;
    if (!each) {
      blocks.add(
          new Block.Text(
              "The rankings of the %d comparison groups are in rankings.md and report.html."
                  .formatted(board.wholes().size())));
    }
    for (Group whole : board.wholes()) {
      if (!each && exclusions.below(whole).isEmpty()) {
        continue;
      }
      blocks.add(new Block.Heading(2, title(whole)));
      if (board.throughput(whole).standings().isEmpty()) {
        blocks.add(new Block.Text("No engine can be ranked here."));
      } else {
        blocks.add(new Block.Grid(tables.brief(whole)));
      }
      List<String> below = exclusions.below(whole);
      if (!below.isEmpty()) {
        blocks.add(new Block.Items(below));
      }
    }
    List<Block> killTest = CrashReport.brief(board, notes);
    if (!killTest.isEmpty()) {
      blocks.add(new Block.Heading(2, CrashReport.TITLE));
      blocks.addAll(killTest);
    }
    blocks.addAll(AcrossReport.brief(board));
    blocks.addAll(reference);
    section(blocks, "Left out of every table", exclusions.everywhere());
    section(blocks, "Notes", notes.list());
    blocks.add(new Block.Text(LEGEND));
    return blocks;
  }

  private static String title(Group whole) {
    return whole.phase() + (whole.point().isEmpty() ? "" : " at " + whole.point());
  }

  private static void section(List<Block> blocks, String title, List<String> items) {
    if (!items.isEmpty()) {
      blocks.add(new Block.Heading(2, title));
      blocks.add(new Block.Items(items));
    }
  }
}

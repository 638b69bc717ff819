package kvrank.report.block;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import kvrank.report.chart.Chart;

/** A piece of a report, independent of its output format. */
public sealed interface Block
    permits Block.Heading,
        Block.Text,
        Block.Warning,
        Block.Items,
        Block.Figure,
        Block.Panel,
        Block.Listing,
        Block.Folded,
        Table {

  /** A heading; level 1 is the report's title, level 2 a section. */
  record Heading(int level, String text) implements Block {}

  record Text(Role role, String text) implements Block {}

  /** The role of a paragraph: the question, the answer, how to read the answer, or other text. */
  enum Role {
    QUESTION,
    ANSWER,
    REMARK,
    OTHER
  }

  /** A warning that a reader must not overlook, with details. */
  record Warning(String text, List<String> details) implements Block {}

  /** A list; {@code facts} are background that few readers need. */
  record Items(List<String> items, boolean facts) implements Block {}

  /** A chart, only for formats with charts; empty if it has nothing to show. */
  record Figure(Supplier<Optional<Chart>> chart) implements Block {}

  /** A table beside a chart of its rows, in the same order. */
  record Panel(Figure figure, Table table) implements Block {}

  /** Preformatted text. */
  record Listing(String text) implements Block {}

  /** Blocks that a reader opens on demand, if the format can fold. */
  record Folded(String title, List<Block> blocks) implements Block {}
}

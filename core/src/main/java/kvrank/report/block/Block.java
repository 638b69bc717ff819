package kvrank.report.block;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import kvrank.report.chart.Chart;

/** A piece of a report, before it takes the form of a file or a terminal. */
public sealed interface Block
    permits Block.Heading,
        Block.Text,
        Block.Warning,
        Block.Items,
        Block.Figure,
        Block.Listing,
        Block.Folded,
        Table {

  /** A heading: level 1 is the report's title, level 2 begins a section. */
  record Heading(int level, String text) implements Block {}

  record Text(Role role, String text) implements Block {}

  /** What a paragraph is: what somebody asked, the answer in a sentence or two, or neither. */
  enum Role {
    QUESTION,
    ANSWER,
    OTHER
  }

  /** Something that a reader must not overlook, with its details. */
  record Warning(String text, List<String> details) implements Block {}

  /** A list; of circumstances, for a reader who wants to know them, if these are {@code facts}. */
  record Items(List<String> items, boolean facts) implements Block {}

  /** A chart, drawn only where charts are; empty if it has nothing to show. */
  record Figure(Supplier<Optional<Chart>> chart) implements Block {}

  /** Text as a file has it. */
  record Listing(String text) implements Block {}

  /** What is opened on demand where that can be done. */
  record Folded(String title, List<Block> blocks) implements Block {}
}

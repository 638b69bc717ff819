package kvrank.report;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import kvrank.report.chart.Chart;

/** A piece of a report, before it takes the form of a file or a terminal. */
public sealed interface Block
    permits Block.Heading,
        Block.Text,
        Block.Question,
        Block.Answer,
        Block.Warning,
        Block.Items,
        Block.Facts,
        Block.Figure,
        Block.Listing,
        Block.Folded,
        Table {

  /**
   * A heading.
   *
   * @param level from 1, the report's title; level 2 begins a section
   */
  record Heading(int level, String text) implements Block {}

  /** A paragraph. */
  record Text(String text) implements Block {}

  /** What somebody asked. */
  record Question(String text) implements Block {}

  /** The answer to it, in a sentence or two. */
  record Answer(String text) implements Block {}

  /** Something that a reader must not overlook, with its details. */
  record Warning(String text, List<String> details) implements Block {}

  /** A list. */
  record Items(List<String> items) implements Block {}

  /** Circumstances, a line each, for a reader who wants to know them. */
  record Facts(List<String> lines) implements Block {}

  /** A chart, drawn only where charts are; empty if it has nothing to show. */
  record Figure(Supplier<Optional<Chart>> chart) implements Block {}

  /** Text as a file has it. */
  record Listing(String text) implements Block {}

  /** What is opened on demand where that can be done. */
  record Folded(String title, List<Block> blocks) implements Block {}
}

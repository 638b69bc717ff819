package kvrank.report;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import kvrank.report.chart.Chart;

/** A piece of a report, before it takes the form of a file or a terminal. */
public sealed interface Block {

  /**
   * A heading.
   *
   * @param level from 1, the report's title; level 2 begins a section
   */
  record Heading(int level, String text) implements Block {
    public Heading {
      requireNonNull(text, "text is null");
    }
  }

  /** A paragraph. */
  record Text(String text) implements Block {
    public Text {
      requireNonNull(text, "text is null");
    }
  }

  /** What somebody asked. */
  record Question(String text) implements Block {
    public Question {
      requireNonNull(text, "text is null");
    }
  }

  /** The answer to it, in a sentence or two. */
  record Answer(String text) implements Block {
    public Answer {
      requireNonNull(text, "text is null");
    }
  }

  /** Something that a reader must not overlook, with its details. */
  record Warning(String text, List<String> details) implements Block {
    public Warning {
      requireNonNull(text, "text is null");
      details = List.copyOf(details);
    }
  }

  /** A list. */
  record Items(List<String> items) implements Block {
    public Items {
      items = List.copyOf(items);
    }
  }

  /** Circumstances, a line each, for a reader who wants to know them. */
  record Facts(List<String> lines) implements Block {
    public Facts {
      lines = List.copyOf(lines);
    }
  }

  /** A table. */
  record Grid(Table table) implements Block {
    public Grid {
      requireNonNull(table, "table is null");
    }
  }

  /** A chart, drawn only where charts are; empty if it has nothing to show. */
  record Figure(Supplier<Optional<Chart>> chart) implements Block {
    public Figure {
      requireNonNull(chart, "chart is null");
    }
  }

  /** Text as a file has it. */
  record Listing(String text) implements Block {
    public Listing {
      requireNonNull(text, "text is null");
    }
  }

  /** What is opened on demand where that can be done. */
  record Folded(String title, List<Block> blocks) implements Block {
    public Folded {
      requireNonNull(title, "title is null");
      blocks = List.copyOf(blocks);
    }
  }
}

package kvrank.report;

import static java.util.Objects.requireNonNull;

import java.util.List;

/** A piece of a report, before it takes the form of a file or a terminal. */
public sealed interface Block {

  /**
   * A heading.
   *
   * @param level from 1, the report's title
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

  /** A table. */
  record Grid(Table table) implements Block {
    public Grid {
      requireNonNull(table, "table is null");
    }
  }

  /** A table that is opened on demand where that can be done. */
  record Folded(String title, Table table) implements Block {
    public Folded {
      requireNonNull(title, "title is null");
      requireNonNull(table, "table is null");
    }
  }
}

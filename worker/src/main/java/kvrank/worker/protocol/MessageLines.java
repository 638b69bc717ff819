package kvrank.worker.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Splits messages, as Slurm's {@code srun --label} cuts lines at 1,024 bytes. Every piece except
 * the last ends with a backslash, which no message does.
 */
public final class MessageLines {

  private static final int LONGEST = 960;
  private static final String MORE = "\\";

  private final StringBuilder begun = new StringBuilder();

  public static List<String> split(String message) {
    List<String> pieces = new ArrayList<>();
    int from = 0;
    for (; message.length() - from > LONGEST; from += LONGEST) {
      pieces.add(message.substring(from, from + LONGEST) + MORE);
    }
    pieces.add(message.substring(from));
    return pieces;
  }

  /** Returns the message that ends with {@code piece}; empty if more pieces follow. */
  public Optional<String> join(String piece) {
    if (piece.endsWith(MORE)) {
      begun.append(piece, 0, piece.length() - MORE.length());
      return Optional.empty();
    }
    String message = begun.append(piece).toString();
    begun.setLength(0);
    return Optional.of(message);
  }
}

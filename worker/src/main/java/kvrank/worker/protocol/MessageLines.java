package kvrank.worker.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Messages in pieces, as Slurm's {@code srun --label} cuts lines at 1,024 bytes. A piece that is
 * not the last ends with a backslash, which no message does.
 */
public final class MessageLines {

  private static final int LONGEST = 960;
  private static final String MORE = "\\";

  private final StringBuilder begun = new StringBuilder();

  /** Returns the pieces of {@code message}, in order. */
  public static List<String> split(String message) {
    List<String> pieces = new ArrayList<>();
    int from = 0;
    for (; message.length() - from > LONGEST; from += LONGEST) {
      pieces.add(message.substring(from, from + LONGEST) + MORE);
    }
    pieces.add(message.substring(from));
    return pieces;
  }

  /** Returns the message of which {@code piece} is the last; empty if more will come. */
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

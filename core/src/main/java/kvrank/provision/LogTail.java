package kvrank.provision;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** The end of a server's log, for messages. */
final class LogTail {

  private static final int LINES = 20;
  private static final int BYTES = 16 * 1024;

  private final Path log;

  LogTail(Path log) {
    this.log = log;
  }

  /** Returns the last lines. */
  List<String> lines() {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      long start = Math.max(0, file.length() - BYTES);
      byte[] end = new byte[(int) (file.length() - start)];
      file.seek(start);
      file.readFully(end);
      List<String> lines = new String(end, StandardCharsets.UTF_8).lines().toList();
      return lines.subList(Math.max(0, lines.size() - LINES), lines.size());
    } catch (IOException e) {
      return List.of();
    }
  }

  /** Returns a sentence that introduces the lines, and the lines, each indented. */
  String text() {
    List<String> lines = lines();
    if (lines.isEmpty()) {
      return "Its log (" + log + ") is empty.";
    }
    return "The end of its log (" + log + "):\n  " + String.join("\n  ", lines);
  }
}

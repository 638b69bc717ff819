package kvrank.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** What a worker and its binding printed. */
record WorkerLog(Path file) {

  private static final int LINES = 10;

  /** How the runtimes of Go and Rust begin to say why they end the process. */
  private static final Pattern CAUSE =
      Pattern.compile("(panic|fatal error): .*|thread '.*' panicked.*");

  /** Returns the end of it, for a message: from the cause on, if native code left one. */
  String tail() {
    List<String> lines;
    try {
      lines = Files.readAllLines(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "; its log cannot be read: " + e.getMessage();
    }
    if (lines.isEmpty()) {
      return "";
    }
    int start = Math.max(0, lines.size() - LINES);
    for (int i = lines.size() - 1; i >= 0; i--) {
      if (CAUSE.matcher(lines.get(i)).matches()) {
        start = Math.min(start, i);
        break;
      }
    }
    List<String> tail = lines.subList(start, Math.min(lines.size(), start + LINES));
    return "; the end of " + file.getFileName() + ":\n  " + String.join("\n  ", tail);
  }
}

package kvrank.run.worker;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvrank.input.Reason;

/** The output of a worker and its binding, and the JVM's crash file. */
record WorkerLog(Path file) {

  private static final int TAIL_LINES = 10;
  private static final int MOST_BYTES = 1 << 20;

  /** How the runtimes of Go and Rust report the reason for ending the process. */
  private static final Pattern CAUSE =
      Pattern.compile("(panic|fatal error): .*|thread '.*' panicked.*");

  /** The reason and the code location in a JVM's crash file. */
  private static final Pattern CRASH =
      Pattern.compile(
          "(?s)# +([^\n]+?)(?: at pc=[^\n]*)?, pid=.*?# Problematic frame:\n# ([^\n]*)");

  /** Returns the JVM's crash file, about native code. */
  Path crashFile() {
    return file.resolveSibling("hs_err-" + file.getFileName());
  }

  /** Returns the known reason for the worker's end, for a message. */
  String ending() {
    return crash().orElseGet(this::tail);
  }

  /** Returns the location of a native crash, for a message, if the JVM reported one. */
  Optional<String> crash() {
    try (InputStream in = Files.newInputStream(crashFile())) {
      Matcher crash = CRASH.matcher(new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8));
      return crash.find()
          ? Optional.of(
              ": %s in %s; see %s"
                  .formatted(crash.group(1), crash.group(2).replaceAll(" +", " "), crashFile()))
          : Optional.empty();
    } catch (IOException none) {
      return Optional.empty();
    }
  }

  /** Returns the end of the log, for a message: from the reason on, if native code left one. */
  String tail() {
    List<String> lines;
    try (FileChannel channel = FileChannel.open(file)) {
      channel.position(Math.max(0, channel.size() - MOST_BYTES));
      InputStream in = Channels.newInputStream(channel);
      lines = new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      return "; its log cannot be read: " + Reason.of(e);
    }
    if (lines.isEmpty()) {
      return "";
    }
    int cause = lines.size() - 1;
    while (cause >= 0 && !CAUSE.matcher(lines.get(cause)).matches()) {
      cause--;
    }
    int last = Math.max(0, lines.size() - TAIL_LINES);
    int start = cause < 0 ? last : Math.min(cause, last);
    List<String> tail = lines.subList(start, Math.min(lines.size(), start + TAIL_LINES));
    return "; the end of " + file.getFileName() + ":\n  " + String.join("\n  ", tail);
  }
}

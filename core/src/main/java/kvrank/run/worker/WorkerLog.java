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

/**
 * What a worker and its binding print, and what a JVM leaves beside it when native code crashes.
 */
record WorkerLog(Path file) {

  private static final int TAIL_LINES = 10;

  /** As much of a log is read as anybody has said something of use in. */
  private static final int MOST_BYTES = 1 << 20;

  /** How the runtimes of Go and Rust begin to say why they end the process. */
  private static final Pattern CAUSE =
      Pattern.compile("(panic|fatal error): .*|thread '.*' panicked.*");

  /** What a JVM says, when native code crashes it, of the reason and of whose code it was. */
  private static final Pattern CRASH =
      Pattern.compile(
          "(?s)# +([^\n]+?)(?: at pc=[^\n]*)?, pid=.*?# Problematic frame:\n# ([^\n]*)");

  /** Returns where the JVM writes how native code crashed it. */
  Path crashFile() {
    return file.resolveSibling("hs_err-" + file.getFileName());
  }

  /** Returns, for a message, what is known of why the worker ended. */
  String ending() {
    return crash().orElseGet(this::tail);
  }

  /** Returns where native code crashed, for a message, if the JVM left that. */
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

  /** Returns the end of the log, for a message: from the cause on, if native code left one. */
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

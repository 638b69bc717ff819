package kvrank.machine;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Files of {@code /proc} and {@code /sys}. */
public final class SystemFile {

  private SystemFile() {}

  /** Returns the text of a file without surrounding whitespace, if it has any. */
  public static Optional<String> text(Path file) {
    // Not a channel, because an interrupt of the reading thread would close it.
    try (InputStream in = new FileInputStream(file.toFile())) {
      return Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8).strip())
          .filter(text -> !text.isEmpty());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Returns the folders of the threads of a process with this folder; none if it has ended. */
  static List<Path> threads(Path process) {
    Path tasks = process.resolve("task");
    String[] names = tasks.toFile().list();
    return names == null ? List.of() : Stream.of(names).map(tasks::resolve).toList();
  }

  /** Returns the first group of the first line that starts with {@code regex}, if there is one. */
  static Optional<String> find(String text, String regex) {
    Matcher line = Pattern.compile("(?m)^" + regex).matcher(text);
    return line.find() ? Optional.of(line.group(1)) : Optional.empty();
  }

  /** Returns the number after {@code label} at the start of a line, if there is one. */
  static OptionalLong number(String text, String label) {
    return find(text, label + ":?\\s+(\\d+)").stream().mapToLong(Long::parseLong).findFirst();
  }
}

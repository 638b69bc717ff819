package kvrank.machine;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Files of {@code /proc} and {@code /sys}. */
final class SystemFile {

  private SystemFile() {}

  /** Returns the text of a file, without the blanks around it, if it has any. */
  static Optional<String> text(Path file) {
    // Not a channel, which an interrupt of the reading thread would close.
    try (InputStream in = new FileInputStream(file.toFile())) {
      return Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8).strip())
          .filter(text -> !text.isEmpty());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Returns the number behind {@code label} and a colon, which begin a line, if there is one. */
  static OptionalLong number(String text, String label) {
    Matcher line = Pattern.compile("(?m)^" + label + ":\\s*(\\d+)").matcher(text);
    return line.find() ? OptionalLong.of(Long.parseLong(line.group(1))) : OptionalLong.empty();
  }
}

package kvrank.input;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A user name or a password, by its place. It is read when needed and not kept.
 *
 * @param name an environment variable, the path of a file, or the text itself
 */
public record Secret(Source source, String name) {

  public enum Source {
    ENV,
    FILE,
    /** In the scenario; only for user names. */
    TEXT
  }

  /**
   * Returns the text.
   *
   * @throws IOException with a message that leaves out an unknown name: it may be the password
   */
  public String read() throws IOException {
    String text =
        switch (source) {
          case ENV ->
              Optional.ofNullable(System.getenv(name))
                  .orElseThrow(() -> new IOException("no environment variable has this name"));
          case FILE -> file().replaceFirst("^\uFEFF", "").replaceFirst("\\R$", "");
          case TEXT -> name;
        };
    if (text.isEmpty() || text.indexOf('\0') >= 0) {
      throw new IOException("'%s' is empty or contains a zero byte".formatted(name));
    }
    return text;
  }

  private String file() throws IOException {
    try {
      return InputFile.text(Path.of(name), 1);
    } catch (NoSuchFileException e) {
      throw new IOException("no file with this name next to the scenario", e);
    } catch (IOException e) {
      throw new IOException("the file '%s' cannot be read: %s".formatted(name, Reason.of(e)), e);
    }
  }
}

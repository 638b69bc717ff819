package kvrank.input;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A user or a password, by where it stands; what it is, is read when it is needed and kept nowhere.
 *
 * @param name the name of a variable of the environment, the path of a file, or the text itself
 */
public record Secret(Source source, String name) {

  public enum Source {
    ENV,
    FILE,
    /** In the scenario, as the name of a user may. */
    TEXT
  }

  /**
   * Returns the text.
   *
   * @throws IOException with a sentence, without a name that nothing has, which may be the password
   */
  public String read() throws IOException {
    String text =
        switch (source) {
          case ENV ->
              Optional.ofNullable(System.getenv(name))
                  .orElseThrow(
                      () -> new IOException("the environment has no variable of that name"));
          case FILE -> file().replaceFirst("^\uFEFF", "").replaceFirst("\\R$", "");
          case TEXT -> name;
        };
    if (text.isEmpty() || text.indexOf('\0') >= 0) {
      throw new IOException("'%s' is empty or holds a zero byte".formatted(name));
    }
    return text;
  }

  private String file() throws IOException {
    try {
      return InputFile.text(Path.of(name), 1);
    } catch (NoSuchFileException e) {
      throw new IOException("there is no file of that name beside the scenario", e);
    } catch (IOException e) {
      throw new IOException("the file '%s' cannot be read: %s".formatted(name, Reason.of(e)), e);
    }
  }
}

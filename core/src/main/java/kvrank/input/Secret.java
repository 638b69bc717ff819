package kvrank.input;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * A user name or a password, by its place. It is read when needed and not kept.
 *
 * @param name an environment variable, the path of a file, or the text itself
 */
public record Secret(Source source, String name) {

  /** The start of the names of variables that any scenario may use. */
  private static final String PREFIX = "KVRANK_";

  private static final int MOST_CHARACTERS = 4096;

  private static final String PRIVATE_KEY = "PRIVATE KEY-----";

  public enum Source {
    ENV,
    FILE,
    /** A file of the certificates of authorities, which are public and sent to no one. */
    AUTHORITIES,
    /** A file with the certificate or the private key of a client, which prove who it is. */
    PEM,
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
          case FILE -> oneLine(file().replaceFirst("^\uFEFF", "").replaceFirst("\\R$", ""));
          case AUTHORITIES, PEM -> file();
          case TEXT -> name;
        };
    // Certificates are public.
    boolean pem = source == Source.AUTHORITIES || source == Source.PEM;
    if (source == Source.FILE || (pem && text.contains(PRIVATE_KEY))) {
      TrustedPath.requirePrivate(Path.of(name));
    }
    if (text.isEmpty() || text.indexOf('\0') >= 0) {
      throw new IOException("'%s' is empty or contains a zero byte".formatted(name));
    }
    return text;
  }

  /**
   * Throws unless a scenario in {@code folder} may log in with this: a variable {@code KVRANK_…}, a
   * file that is really in that folder and not hidden, or one of {@code allowed}. The scenario may
   * be a stranger's and in the home folder, with other programs' passwords below it.
   */
  void requireAllowed(Path folder, Set<String> allowed) throws IOException {
    if (source == Source.ENV && !name.startsWith(PREFIX) && !allowed.contains(name)) {
      throw new IOException(
          "a scenario may use only variables %s…; rename it, or allow this name with --allow-secret"
              .formatted(PREFIX));
    }
    boolean file = source == Source.FILE || source == Source.PEM;
    if (file && Files.exists(Path.of(name))) {
      Path real = Path.of(name).toRealPath();
      boolean named = false;
      for (String each : allowed) {
        named |= Files.exists(Path.of(each)) && Path.of(each).toRealPath().equals(real);
      }
      boolean inside = real.getParent().equals(folder.toRealPath());
      if (!named && (!inside || real.getFileName().toString().startsWith("."))) {
        throw new IOException(
            "the file '%s' is %s; move it, or add --allow-secret %1$s"
                .formatted(name, inside ? "hidden" : "not in the scenario's folder"));
      }
    }
  }

  private String oneLine(String text) throws IOException {
    String problem =
        text.contains("-----BEGIN")
            ? "holds a key"
            : text.lines().count() > 1
                ? "has several lines"
                : text.length() > MOST_CHARACTERS ? "is longer than 4 KiB" : "";
    if (!problem.isEmpty()) {
      throw new IOException("the file '%s' %s; a password is one line".formatted(name, problem));
    }
    return text;
  }

  private String file() throws IOException {
    try {
      if (!Files.exists(Path.of(name))) {
        throw new NoSuchFileException(name);
      }
      TrustedPath.requireExisting(Path.of(name));
      return InputFile.text(Path.of(name), 1);
    } catch (NoSuchFileException e) {
      throw new IOException("no file with this name next to the scenario", e);
    } catch (IOException e) {
      throw new IOException("the file '%s' cannot be read: %s".formatted(name, Reason.of(e)), e);
    }
  }
}

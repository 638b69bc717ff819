package kvrank.provision.host;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Shell scripts that kvrank brings along. */
public final class Script {

  private Script() {}

  /** Returns the text of the script {@code name} beside the class {@code user}. */
  public static String text(Class<?> user, String name) {
    try (InputStream in = requireNonNull(user.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

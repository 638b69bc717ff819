package kvrank.machine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The size of a folder on its device, in allocated blocks, as {@code du} counts them. */
public final class Footprint {

  private static final int PATIENCE_SECONDS = 60;

  private Footprint() {}

  /** Returns the bytes; empty if {@code du} fails. */
  public static OptionalLong of(Path folder) throws InterruptedException {
    Process du;
    try {
      // A running engine creates and removes files: du's messages about these do not matter.
      du =
          new ProcessBuilder("du", "-sk", folder.toString())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
    } catch (IOException e) {
      return OptionalLong.empty();
    }
    try {
      if (!du.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        return OptionalLong.empty();
      }
      // A line, which a pipe holds.
      String output = new String(du.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      String kibibytes = output.split("\\s", 2)[0];
      return kibibytes.matches("\\d+")
          ? OptionalLong.of(Long.parseLong(kibibytes) * 1024)
          : OptionalLong.empty();
    } catch (IOException e) {
      return OptionalLong.empty();
    } finally {
      du.destroyForcibly();
    }
  }

  /** Returns whether there is a file with content in {@code folder}, which itself takes space. */
  public static boolean hasFiles(Path folder) throws IOException {
    try (Stream<Path> files =
        Files.find(
            folder,
            Integer.MAX_VALUE,
            (path, attributes) -> attributes.isRegularFile() && attributes.size() > 0)) {
      return files.findAny().isPresent();
    } catch (UncheckedIOException e) {
      // A running engine removed a file meanwhile.
      return true;
    }
  }
}

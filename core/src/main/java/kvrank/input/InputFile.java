package kvrank.input;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;

/**
 * Reads regular files up to a size; devices and pipes, which may be endless, are refused. Reading
 * has a time limit: another user may put a pipe there after the check.
 */
public final class InputFile {

  /** For opening a file, and in addition for each MiB. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** What the decoder puts for invalid bytes; rare in valid text. */
  private static final char REPLACEMENT = '\uFFFD';

  private InputFile() {}

  /**
   * Returns the text of a regular file of at most {@code mebibytes} MiB.
   *
   * @throws NoSuchFileException if it does not exist
   * @throws CharacterCodingException if it is not UTF-8
   * @throws IOException if it is not a regular file, is larger or cannot be read
   */
  public static String text(Path file, int mebibytes) throws IOException {
    requireRegular(file);
    return read(file, mebibytes, PATIENCE);
  }

  /** As {@link #text}, but does not follow {@code file} if it is a link. */
  public static String textOfNoLink(Path file, int mebibytes) throws IOException {
    requireRegular(file, LinkOption.NOFOLLOW_LINKS);
    return read(file, mebibytes, PATIENCE, LinkOption.NOFOLLOW_LINKS);
  }

  /** Opens a regular file of any size; throws as {@link #text}. */
  public static InputStream open(Path file, LinkOption... links) throws IOException {
    requireRegular(file, links);
    return Readers.within(PATIENCE, file, () -> Files.newInputStream(file, links));
  }

  private static void requireRegular(Path file, LinkOption... links) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class, links);
    if (!attributes.isRegularFile()) {
      throw new IOException(
          attributes.isDirectory()
              ? "it is a folder"
              : attributes.isSymbolicLink()
                  ? "it is a link, which is not followed; put the file itself there"
                  : "it is a pipe, socket or device; replace it with a regular file");
    }
  }

  static String read(Path file, int mebibytes, Duration patience, LinkOption... links)
      throws IOException {
    int limit = mebibytes << 20;
    byte[] bytes =
        Readers.within(
            patience.plusSeconds(mebibytes),
            file,
            () -> {
              try (InputStream in = Files.newInputStream(file, links)) {
                return in.readNBytes(limit + 1);
              }
            });
    if (bytes.length > limit) {
      throw new IOException("it is larger than %d MiB".formatted(mebibytes));
    }
    String decoded = new String(bytes, StandardCharsets.UTF_8);
    if (decoded.indexOf(REPLACEMENT) < 0) {
      return decoded;
    }
    CharBuffer text = CharBuffer.allocate(bytes.length);
    CoderResult result =
        StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes), text, true);
    if (result.isError()) {
      throw new NotTextException(text.flip().toString());
    }
    return text.flip().toString();
  }

  static final class NotTextException extends CharacterCodingException {

    private static final long serialVersionUID = 1L;

    /** The text before the first invalid byte. */
    private final String before;

    private NotTextException(String before) {
      this.before = before;
    }

    String before() {
      return before;
    }
  }
}

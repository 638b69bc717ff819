package kvrank.input;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** Reads files that anybody may have put there: no device or pipe, which may have no end. */
public final class InputFile {

  /** What stands for bytes that are no text, and is seldom there otherwise. */
  private static final char REPLACEMENT = '\uFFFD';

  private InputFile() {}

  /**
   * Returns the text of a regular file of at most so many MiB.
   *
   * @throws NoSuchFileException if it does not exist
   * @throws CharacterCodingException if it is not in UTF-8
   * @throws IOException if it is something else, larger or cannot be read
   */
  public static String text(Path file, int mebibytes) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
    if (!attributes.isRegularFile()) {
      throw new IOException(attributes.isDirectory() ? "it is a folder" : "it is no regular file");
    }
    int most = mebibytes << 20;
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = attributes.size() > most ? new byte[0] : in.readNBytes(most + 1);
      if (attributes.size() > most || bytes.length > most) {
        throw new IOException("it is larger than %d MiB".formatted(mebibytes));
      }
      String quick = new String(bytes, StandardCharsets.UTF_8);
      if (quick.indexOf(REPLACEMENT) < 0) {
        return quick;
      }
      CharBuffer text = CharBuffer.allocate(bytes.length);
      CoderResult result =
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes), text, true);
      if (result.isError()) {
        throw new NotTextException(text.flip().toString());
      }
      return text.flip().toString();
    }
  }

  static final class NotTextException extends CharacterCodingException {

    private static final long serialVersionUID = 1L;

    /** What stands before the first byte that is not. */
    private final String before;

    private NotTextException(String before) {
      this.before = before;
    }

    String before() {
      return before;
    }
  }
}

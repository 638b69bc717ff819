package kvrank.machine;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A file of {@code /proc} or {@code /sys} that stays open and is read anew from its beginning, into
 * one buffer and without a string: a sample must cost next to nothing. Not a channel, which an
 * interrupt of the reading thread would close.
 */
final class SystemFile implements Closeable {

  private static final int LARGEST = 8192;

  private final RandomAccessFile file;
  private final byte[] content = new byte[LARGEST];
  private int length;

  SystemFile(Path path) throws IOException {
    this.file = new RandomAccessFile(path.toFile(), "r");
  }

  /** Returns the text of a file that is read once, without the blanks around it, if it has any. */
  static Optional<String> text(Path file) {
    try {
      return Optional.of(Files.readString(file).strip()).filter(text -> !text.isEmpty());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * Reads the file; what the other methods tell is what it holds now.
   *
   * @throws IOException if it is gone, for example as the process has ended
   */
  void read() throws IOException {
    file.seek(0);
    length = Math.max(0, file.read(content));
    if (length == 0) {
      throw new IOException("it is empty");
    }
  }

  /** Returns where the text after the last {@code mark} begins; 0 without one. */
  int afterLast(char mark) {
    int position = length;
    while (position > 0 && content[position - 1] != mark) {
      position--;
    }
    return position;
  }

  /**
   * Returns the number after {@code label}, which begins a line.
   *
   * @throws IOException if there is none
   */
  long numberOf(String label) throws IOException {
    byte[] wanted = label.getBytes(StandardCharsets.ISO_8859_1);
    for (int start = 0; start < length; start = nextLine(start)) {
      if (begins(start, wanted)) {
        return field(start + wanted.length, 0);
      }
    }
    throw new IOException("it has no " + label);
  }

  /**
   * Returns a number among fields that are separated by blanks.
   *
   * @param from where the first of them begins
   * @param index which one, from 0
   * @throws IOException if there are fewer, or it is no number
   */
  long field(int from, int index) throws IOException {
    int position = blanks(from);
    for (int skipped = 0; skipped < index; skipped++) {
      while (position < length && content[position] > ' ') {
        position++;
      }
      position = blanks(position);
    }
    boolean negative = position < length && content[position] == '-';
    int first = negative ? position + 1 : position;
    int end = first;
    long number = 0;
    while (end < length && content[end] >= '0' && content[end] <= '9') {
      number = number * 10 + content[end++] - '0';
    }
    if (end == first) {
      throw new IOException("it has no number where one was expected");
    }
    return negative ? -number : number;
  }

  private int blanks(int from) {
    int position = from;
    while (position < length && content[position] <= ' ') {
      position++;
    }
    return position;
  }

  private int nextLine(int start) {
    int position = start;
    while (position < length && content[position] != '\n') {
      position++;
    }
    return position + 1;
  }

  private boolean begins(int start, byte[] wanted) {
    if (start + wanted.length > length) {
      return false;
    }
    for (int i = 0; i < wanted.length; i++) {
      if (content[start + i] != wanted[i]) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}

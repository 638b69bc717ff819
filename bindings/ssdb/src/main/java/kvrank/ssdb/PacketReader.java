package kvrank.ssdb;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/** Packets from SSDB, however the network cut them. */
final class PacketReader {

  private static final int LONGEST_LENGTH = 9;

  private final InputStream in;
  private final byte[] buffer = new byte[1 << 13];
  private int position;
  private int end;

  PacketReader(InputStream in) {
    this.in = in;
  }

  /**
   * The blocks of the next packet; at least one.
   *
   * @throws IOException if the stream ends, or holds something else than SSDB's protocol
   */
  List<byte[]> next() throws IOException {
    List<byte[]> blocks = new ArrayList<>(3);
    while (true) {
      int length = length();
      if (length >= 0) {
        blocks.add(bytes(length));
        if (read() != '\n') {
          throw new IOException("not SSDB's protocol: a block is longer than it says");
        }
      } else if (!blocks.isEmpty()) {
        return blocks;
      }
    }
  }

  /** The length that the next line says, or -1 if the line is empty. */
  private int length() throws IOException {
    int length = 0;
    for (int digits = 0; digits <= LONGEST_LENGTH; digits++) {
      int next = read();
      if (next == '\n') {
        return digits == 0 ? -1 : length;
      }
      if (next < '0' || next > '9') {
        throw new IOException("not SSDB's protocol: a length with the byte " + next);
      }
      length = 10 * length + (next - '0');
    }
    throw new IOException("not SSDB's protocol: a length of more than 9 digits");
  }

  private byte[] bytes(int length) throws IOException {
    byte[] bytes = new byte[length];
    int buffered = Math.min(length, end - position);
    System.arraycopy(buffer, position, bytes, 0, buffered);
    position += buffered;
    if (in.readNBytes(bytes, buffered, length - buffered) < length - buffered) {
      throw new EOFException("the server closed the connection");
    }
    return bytes;
  }

  private int read() throws IOException {
    if (position == end) {
      end = in.read(buffer);
      position = 0;
      if (end <= 0) {
        end = 0;
        throw new EOFException("the server closed the connection");
      }
    }
    return buffer[position++];
  }
}

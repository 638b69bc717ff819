package kvrank.ssdb;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * Packets on their way to SSDB: blocks of {@code <length>\n<bytes>\n} and an empty line. All that
 * is buffered leaves in one write, since SSDB answers a split one after 44 ms.
 */
final class PacketWriter {

  private final OutputStream out;
  private byte[] buffer = new byte[1 << 12];
  private int size;

  PacketWriter(OutputStream out) {
    this.out = out;
  }

  /** Adds a packet to the buffer. */
  void add(byte[]... blocks) {
    for (byte[] block : blocks) {
      byte[] length = Integer.toString(block.length).getBytes(US_ASCII);
      reserve(length.length + block.length + 2);
      append(length);
      buffer[size++] = '\n';
      append(block);
      buffer[size++] = '\n';
    }
    reserve(1);
    buffer[size++] = '\n';
  }

  /** Writes what is buffered. */
  void flush() throws IOException {
    if (size == 0) {
      return;
    }
    out.write(buffer, 0, size);
    size = 0;
  }

  private void append(byte[] bytes) {
    System.arraycopy(bytes, 0, buffer, size, bytes.length);
    size += bytes.length;
  }

  private void reserve(int more) {
    if (buffer.length - size < more) {
      buffer = Arrays.copyOf(buffer, Math.max(2 * buffer.length, Math.addExact(size, more)));
    }
  }
}

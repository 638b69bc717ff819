package kvrank.binding.net;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/**
 * Blocking streams over a channel, blocking or not.
 *
 * @param waiting what happens if a channel that does not block is not ready
 */
record ChannelStreams(SocketChannel channel, Waiting waiting) {

  /** Waits until the channel is ready for an operation of {@link SelectionKey}. */
  @FunctionalInterface
  interface Waiting {
    void until(int operation) throws IOException;
  }

  InputStream input() {
    return new Input();
  }

  OutputStream output() {
    return new Output();
  }

  private final class Input extends InputStream {

    @Override
    public int read() throws IOException {
      byte[] single = new byte[1];
      return read(single, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(single[0]);
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, length);
      int count = channel.read(buffer);
      while (count == 0 && length > 0) {
        waiting.until(SelectionKey.OP_READ);
        count = channel.read(buffer);
      }
      return count;
    }
  }

  private final class Output extends OutputStream {

    @Override
    public void write(int single) throws IOException {
      write(new byte[] {(byte) single}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, length);
      while (buffer.hasRemaining()) {
        if (channel.write(buffer) == 0) {
          waiting.until(SelectionKey.OP_WRITE);
        }
      }
    }
  }
}

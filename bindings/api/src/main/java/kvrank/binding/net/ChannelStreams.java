package kvrank.binding.net;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Arrays;

/**
 * Blocking streams over a channel, blocking or not. For one thread.
 *
 * <p>While a write to a channel that does not block waits, bytes that arrive are kept for the next
 * read: the other end may not read on before it has sent its answers.
 */
final class ChannelStreams {

  private static final byte[] NONE = {};

  private static final int PIECE = 1 << 16;

  private final SocketChannel channel;
  private final Waiting waiting;

  /** What arrived during writes, from {@link #begin} to {@link #end}. */
  private byte[] arrived = NONE;

  private int begin;
  private int end;

  /**
   * @param waiting what happens if a channel that does not block is not ready
   */
  ChannelStreams(SocketChannel channel, Waiting waiting) {
    this.channel = channel;
    this.waiting = waiting;
  }

  /** Waits until the channel is ready for one of the operations of {@link SelectionKey}. */
  @FunctionalInterface
  interface Waiting {
    void until(int operations) throws IOException;
  }

  InputStream input() {
    return new Input();
  }

  OutputStream output() {
    return new Output();
  }

  /** Returns whether there are bytes that arrived during a write. */
  boolean kept() {
    return begin < end;
  }

  /** Keeps what has arrived; returns whether anything has. */
  private boolean keep() throws IOException {
    if (arrived.length - end < PIECE) {
      arrived = Arrays.copyOf(arrived, 2 * arrived.length + PIECE);
    }
    int count = channel.read(ByteBuffer.wrap(arrived, end, PIECE));
    if (count < 0) {
      throw new EOFException("the server closed the connection");
    }
    end += count;
    return count > 0;
  }

  private int take(byte[] bytes, int offset, int length) {
    int count = Math.min(length, end - begin);
    System.arraycopy(arrived, begin, bytes, offset, count);
    begin += count;
    if (begin == end) {
      arrived = NONE;
      begin = 0;
      end = 0;
    }
    return count;
  }

  private final class Input extends InputStream {

    @Override
    public int read() throws IOException {
      byte[] single = new byte[1];
      return read(single, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(single[0]);
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      if (kept()) {
        return take(bytes, offset, length);
      }
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
      for (int to = offset + length; buffer.position() < to; ) {
        buffer.limit(Math.min(to, buffer.position() + PIECE));
        if (channel.write(buffer) == 0 && !keep()) {
          waiting.until(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        }
      }
    }
  }
}

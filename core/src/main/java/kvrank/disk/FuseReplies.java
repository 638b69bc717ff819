package kvrank.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;

/**
 * Answers to {@link FuseRequest}s: each is a {@code fuse_out_header} and what the operation
 * returns. Not thread-safe.
 */
final class FuseReplies {

  /** Error numbers of Linux. */
  static final int NO_ENTRY = 2;

  static final int INPUT_OUTPUT = 5;
  static final int NOT_IMPLEMENTED = 38;
  static final int PROTOCOL = 71;

  /** The largest read or write. */
  static final int LARGEST = 1 << 20;

  static final long ROOT = 1;

  private static final int HEADER = 16;
  private static final int MAJOR = 7;

  /** The version of which this class has the structures; the kernel uses the lower one. */
  private static final int MINOR = 38;

  private static final int ASYNC_READ = 1;
  private static final int BIG_WRITES = 1 << 5;
  private static final int ASYNC_DIO = 1 << 15;
  private static final int MAX_PAGES = 1 << 22;

  /** In a reply to an open: the kernel does not cache the file. */
  private static final int DIRECT_IO = 1;

  private static final int FOLDER_MODE = 0040700;
  private static final int FILE_MODE = 0100600;

  /** Names and attributes never change, so that the kernel may cache them. */
  private static final long VALID_SECONDS = 1_000_000;

  private final WritableByteChannel kernel;
  private final ByteBuffer reply =
      ByteBuffer.allocateDirect(HEADER + LARGEST).order(ByteOrder.nativeOrder());

  FuseReplies(WritableByteChannel kernel) {
    this.kernel = kernel;
  }

  /** Returns a buffer for what a request returns, to be filled and {@link #send sent}. */
  ByteBuffer begin() {
    return reply.clear().position(HEADER);
  }

  /** Sends the buffer of {@link #begin} up to its position. */
  void send(long unique) {
    send(unique, 0);
  }

  void error(long unique, int number) {
    begin();
    send(unique, -number);
  }

  private void send(long unique, int error) {
    reply.flip();
    reply.putInt(0, reply.limit()).putInt(4, error).putLong(8, unique);
    try {
      kernel.write(reply);
    } catch (IOException e) {
      // The kernel gave up the request, or the connection, which the next read shows.
    }
  }

  /** Answers an INIT with a {@code fuse_init_out}. */
  void init(FuseRequest request) {
    if (request.major() < MAJOR) {
      error(request.unique(), PROTOCOL);
      return;
    }
    ByteBuffer out = begin().putInt(MAJOR).putInt(MINOR);
    if (request.major() == MAJOR) {
      out.putInt(request.readAhead());
      out.putInt(request.flags() & (ASYNC_READ | BIG_WRITES | ASYNC_DIO | MAX_PAGES));
      out.putShort((short) 64).putShort((short) 48); // max_background, congestion_threshold
      out.putInt(LARGEST).putInt(1); // max_write, time_gran
      out.putShort((short) (LARGEST / 4096)).putShort((short) 0); // max_pages, map_alignment
      out.put(new byte[32]);
    } else {
      out.put(new byte[56]); // the kernel repeats its request in our version
    }
    send(request.unique());
  }

  /** Answers a LOOKUP with a {@code fuse_entry_out}. */
  void entry(long unique, long node, long size) {
    ByteBuffer out = begin().putLong(node).putLong(0).putLong(VALID_SECONDS).putLong(VALID_SECONDS);
    attributes(out.putInt(0).putInt(0), node, size);
    send(unique);
  }

  /** Answers a GETATTR or SETATTR with a {@code fuse_attr_out}. */
  void attributes(long unique, long node, long size) {
    attributes(begin().putLong(VALID_SECONDS).putInt(0).putInt(0), node, size);
    send(unique);
  }

  /** Appends a {@code fuse_attr}. */
  private static void attributes(ByteBuffer out, long node, long size) {
    boolean root = node == ROOT;
    out.putLong(node).putLong(root ? 0 : size).putLong(root ? 0 : size / 512);
    out.put(new byte[36]); // three times
    out.putInt(root ? FOLDER_MODE : FILE_MODE).putInt(1); // mode, nlink
    out.put(new byte[12]); // uid, gid, rdev
    out.putInt(4096).putInt(0); // blksize, flags
  }

  /** Answers an OPEN with a {@code fuse_open_out}. */
  void opened(long unique) {
    begin().putLong(0).putInt(DIRECT_IO).putInt(0);
    send(unique);
  }

  /** Answers a WRITE with a {@code fuse_write_out}. */
  void written(long unique, int size) {
    begin().putInt(size).putInt(0);
    send(unique);
  }

  void done(long unique) {
    begin();
    send(unique);
  }
}

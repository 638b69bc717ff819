package kvrank.disk;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;

/**
 * A request of the kernel to a file system in user space: a {@code fuse_in_header}, then what the
 * operation needs. The layout is from Linux: {@code include/uapi/linux/fuse.h}, version 7.
 *
 * @param bytes the request, from 0 to the limit, in the machine's byte order
 */
record FuseRequest(ByteBuffer bytes) {

  static final int LOOKUP = 1;
  static final int FORGET = 2;
  static final int GETATTR = 3;
  static final int SETATTR = 4;
  static final int OPEN = 14;
  static final int READ = 15;
  static final int WRITE = 16;
  static final int RELEASE = 18;
  static final int FSYNC = 20;
  static final int INIT = 26;
  static final int INTERRUPT = 36;
  static final int DESTROY = 38;
  static final int BATCH_FORGET = 42;

  /** The size of a {@code fuse_in_header}. */
  static final int HEADER = 40;

  /** The size of a header and a {@code fuse_write_in}. */
  static final int WRITE_HEADER = HEADER + 40;

  int operation() {
    return bytes.getInt(4);
  }

  long unique() {
    return bytes.getLong(8);
  }

  long node() {
    return bytes.getLong(16);
  }

  /** Of a {@link #LOOKUP}. */
  String name() {
    byte[] name = new byte[bytes.limit() - HEADER - 1];
    bytes.get(HEADER, name);
    return new String(name, UTF_8);
  }

  /** Of a {@link #READ} or {@link #WRITE}. */
  long offset() {
    return bytes.getLong(HEADER + 8);
  }

  /** Of a {@link #READ} or {@link #WRITE}, in bytes. */
  int size() {
    return bytes.getInt(HEADER + 16);
  }

  /** What a {@link #WRITE} writes. */
  ByteBuffer data() {
    return bytes.slice(WRITE_HEADER, size());
  }

  /** The kernel's version, of an {@link #INIT}. */
  int major() {
    return bytes.getInt(HEADER);
  }

  int minor() {
    return bytes.getInt(HEADER + 4);
  }

  int readAhead() {
    return bytes.getInt(HEADER + 8);
  }

  int flags() {
    return bytes.getInt(HEADER + 12);
  }
}

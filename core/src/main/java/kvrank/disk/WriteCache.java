package kvrank.disk;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A disk with a volatile write cache. Its image, a sparse file, is what survives a loss of power;
 * writes that were not flushed are in a second file, the spool. Both are unlinked while they are
 * open, so that nothing remains of them after any end of this process. Not thread-safe.
 *
 * <p>The spool is used as a ring, and has the unflushed writes in their order. As in a real disk,
 * the oldest go to the image if the cache is full.
 */
final class WriteCache implements Closeable {

  static final int PAGE = 4096;

  private static final Set<StandardOpenOption> TEMPORARY =
      Set.of(
          StandardOpenOption.CREATE_NEW,
          StandardOpenOption.READ,
          StandardOpenOption.WRITE,
          StandardOpenOption.SPARSE,
          StandardOpenOption.DELETE_ON_CLOSE);

  /**
   * An unflushed write.
   *
   * @param place of its first page in the spool; pages that it fills partly are there as a whole
   */
  private record Write(long number, long offset, int length, long place) {

    long page() {
      return offset / PAGE;
    }

    long end() {
      return offset + length;
    }
  }

  /** The writes that a loss of power would lose. */
  record Unflushed(long writes, long bytes) {}

  /** The sectors of unflushed writes, and how many of them a loss of power left on the disk. */
  record Recovered(Unflushed unflushed, long sectors, long kept) {}

  private final long size;
  private final long capacity;
  private final FileChannel image;
  private final FileChannel spool;
  private final ArrayDeque<Write> log = new ArrayDeque<>();

  /** The newest unflushed write of a page, by the page's number. */
  private final Map<Long, Write> newest = new HashMap<>();

  private final ByteBuffer transfer;
  private long number;
  private long bytes;

  /** Where the next write goes in the spool, as if that had no end. */
  private long head;

  /**
   * Creates an empty disk in two new files of {@code folder}.
   *
   * @param size in bytes, a multiple of 4096
   * @param capacity of the cache, in bytes
   * @param largestWrite in bytes, at most a quarter of the capacity
   */
  WriteCache(Path folder, long size, long capacity, int largestWrite) throws IOException {
    this.size = size;
    this.capacity = capacity;
    transfer = ByteBuffer.allocateDirect(largestWrite + 2 * PAGE);
    image = FileChannel.open(folder.resolve("image"), TEMPORARY);
    spool = FileChannel.open(folder.resolve("spool"), TEMPORARY);
  }

  /** Returns the number of the last write. */
  long written() {
    return number;
  }

  Unflushed unflushed() {
    return new Unflushed(log.size(), bytes);
  }

  /** Fills {@code into} with what the disk has from {@code offset} on, flushed or not. */
  void read(long offset, ByteBuffer into) throws IOException {
    int start = into.position();
    int length = into.remaining();
    requireInside(offset, length);
    long page = offset / PAGE;
    while (page * PAGE < offset + length) {
      Write write = newest.get(page);
      long from = Math.max(offset, page * PAGE);
      do {
        page++;
      } while (page * PAGE < offset + length && Objects.equals(newest.get(page), write));
      into.limit(start + (int) Math.min(length, page * PAGE - offset));
      if (write == null) {
        readImage(from, into);
      } else {
        readSpool(write.place + from - write.page() * PAGE, into);
      }
    }
  }

  /** Takes {@code data} into the cache. After a failure, it is as if the write had not been. */
  void write(long offset, ByteBuffer data) throws IOException {
    int length = data.remaining();
    requireInside(offset, length);
    if (length == 0) {
      return;
    }
    long first = offset / PAGE * PAGE;
    int whole = (int) ((offset + length + PAGE - 1) / PAGE * PAGE - first);
    ByteBuffer pages = data;
    long place = reserve(whole);
    if (whole > length) {
      pages = transfer.clear().limit(whole);
      read(first, pages);
      pages.position((int) (offset - first));
      pages.put(data);
      pages.rewind();
    }
    write(spool, pages, place % capacity);
    head = place + whole;
    Write write = new Write(++number, offset, length, place);
    log.add(write);
    bytes += length;
    for (long page = write.page(); page * PAGE < write.end(); page++) {
      newest.put(page, write);
    }
  }

  /** Returns a place in the spool that does not wrap around its end. */
  private long reserve(int length) throws IOException {
    if (log.isEmpty()) {
      head = 0;
    }
    long place = head;
    if (place % capacity + length > capacity) {
      place += capacity - place % capacity;
    }
    while (!log.isEmpty() && place + length - log.peek().place > capacity) {
      destage();
    }
    return place;
  }

  /**
   * Makes writes durable, the oldest first, and returns whether all up to a number are.
   *
   * @param upTo what {@link #written} was when the flush was issued
   * @param most after about this many bytes it returns
   */
  boolean flush(long upTo, long most) throws IOException {
    long rest = most;
    while (!log.isEmpty() && log.peek().number <= upTo) {
      if (rest <= 0) {
        return false;
      }
      rest -= log.peek().length;
      destage();
    }
    return true;
  }

  /** Moves the oldest write to the image. */
  private void destage() throws IOException {
    Write write = log.peek();
    write(image, data(write), write.offset);
    log.remove();
    bytes -= write.length;
    for (long page = write.page(); page * PAGE < write.end(); page++) {
      newest.remove(page, write);
    }
  }

  /**
   * Loses the power: drops the unflushed writes, or keeps half of their sectors, each in its turn.
   *
   * @param half whether half are kept, drawn from {@code seed}
   */
  Recovered recover(boolean half, long seed, int sectorBytes) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    long sectors = 0;
    long kept = 0;
    for (Write write : log) {
      ByteBuffer data = half ? data(write) : transfer;
      long start = write.offset;
      while (start < write.end()) {
        long end = Math.min(write.end(), (start / sectorBytes + 1) * sectorBytes);
        sectors++;
        if (half && random.nextBoolean()) {
          kept++;
          int first = (int) (start - write.page() * PAGE);
          write(image, data.slice(first, (int) (end - start)), start);
        }
        start = end;
      }
    }
    Recovered recovered = new Recovered(unflushed(), sectors, kept);
    log.clear();
    newest.clear();
    bytes = 0;
    return recovered;
  }

  /** Returns the bytes of a write, in a buffer that starts with its first page. */
  private ByteBuffer data(Write write) throws IOException {
    int first = (int) (write.offset - write.page() * PAGE);
    ByteBuffer data = transfer.clear().limit(first + write.length);
    readSpool(write.place, data);
    return data.position(first);
  }

  private void readImage(long offset, ByteBuffer into) throws IOException {
    long at = offset;
    while (into.hasRemaining()) {
      int read = image.read(into, at);
      if (read < 0) {
        break;
      }
      at += read;
    }
    while (into.hasRemaining()) {
      into.put((byte) 0);
    }
  }

  private void readSpool(long place, ByteBuffer into) throws IOException {
    long at = place % capacity;
    while (into.hasRemaining()) {
      int read = spool.read(into, at);
      if (read < 0) {
        throw new EOFException("the file with unflushed writes was truncated");
      }
      at += read;
    }
  }

  private static void write(FileChannel file, ByteBuffer data, long offset) throws IOException {
    long at = offset;
    while (data.hasRemaining()) {
      at += file.write(data, at);
    }
  }

  private void requireInside(long offset, int length) throws IOException {
    if (offset < 0 || offset + length > size) {
      throw new IOException("%d bytes at %d are outside the disk".formatted(length, offset));
    }
  }

  @Override
  public void close() throws IOException {
    image.close();
    spool.close();
  }
}

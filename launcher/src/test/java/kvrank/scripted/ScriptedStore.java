package kvrank.scripted;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * A log-structured store whose work is known to the byte: each full buffer becomes a table, and a
 * thread copies each table once, a block at a time, when the store was not used for a second. A
 * read from a table reads two pages, past the page cache if the file system allows it. For one
 * client, and new keys only.
 */
final class ScriptedStore implements AutoCloseable {

  static final int BUFFER_BYTES = 1 << 20;
  static final int CACHE_BYTES = 4 << 20;

  private static final int BLOCK_BYTES = 64 << 10;
  private static final int PAGE_BYTES = 4 << 10;
  private static final long PAUSE_MILLIS = 10;
  private static final long REST_NANOS = 1_000_000_000;

  /** Where a record is: in the buffer, or in a table. */
  private record Place(Path table, long position, int length) {}

  private final Path directory;
  private final Map<ByteBuffer, byte[]> buffer = new TreeMap<>();
  private final Map<ByteBuffer, Place> places = new HashMap<>();
  private final Queue<Path> uncompacted = new ArrayDeque<>();
  private final Thread compactor = new Thread(this::compact, "compactor");
  private final boolean direct;
  private final ByteBuffer pages =
      ByteBuffer.allocateDirect(3 * PAGE_BYTES).alignedSlice(PAGE_BYTES).limit(2 * PAGE_BYTES);
  private long usedNanos = System.nanoTime();
  private int buffered;
  private long flushes;
  private long pendingBytes;
  private long readBytes;
  private long writtenBytes;
  private boolean closed;

  ScriptedStore(Path directory) throws IOException {
    this.directory = directory;
    FileStore files = Files.getFileStore(directory);
    this.direct = files.getBlockSize() == PAGE_BYTES && !files.type().equals("tmpfs");
    try (var tables = Files.newDirectoryStream(directory, "*.table")) {
      for (Path table : tables) {
        read(table);
      }
    }
    compactor.start();
  }

  synchronized void put(byte[] key, byte[] value) throws IOException {
    usedNanos = System.nanoTime();
    buffer.put(ByteBuffer.wrap(key.clone()), value);
    buffered += key.length + value.length;
    if (buffered >= BUFFER_BYTES) {
      flush();
    }
  }

  /** Returns whether reads bypass the page cache. */
  boolean direct() {
    return direct;
  }

  synchronized byte[] get(byte[] key) throws IOException {
    usedNanos = System.nanoTime();
    byte[] value = buffer.get(ByteBuffer.wrap(key));
    Place place = places.get(ByteBuffer.wrap(key));
    if (value != null || place == null) {
      return value;
    }
    long from = place.position / PAGE_BYTES * PAGE_BYTES;
    Set<OpenOption> how =
        direct
            ? Set.of(StandardOpenOption.READ, ExtendedOpenOption.DIRECT)
            : Set.of(StandardOpenOption.READ);
    try (FileChannel table = FileChannel.open(place.table, how)) {
      readBytes += table.read(pages.rewind(), from);
    }
    byte[] read = new byte[place.length];
    pages.get((int) (place.position - from), read);
    return read;
  }

  synchronized long flushes() {
    return flushes;
  }

  /** Returns the bytes that requests read from tables since it was opened. */
  synchronized long readBytes() {
    return readBytes;
  }

  /** Returns the bytes of tables and of their copies since it was opened. */
  synchronized long writtenBytes() {
    return writtenBytes;
  }

  synchronized long pendingBytes() {
    return pendingBytes;
  }

  private void flush() throws IOException {
    Path table = directory.resolve(System.nanoTime() + ".table");
    ByteBuffer bytes = ByteBuffer.allocate(buffered + 8 * buffer.size());
    buffer.forEach(
        (key, value) -> {
          bytes.putInt(key.remaining()).putInt(value.length).put(key.duplicate());
          places.put(key, new Place(table, bytes.position(), value.length));
          bytes.put(value);
        });
    Files.write(table, bytes.array());
    writtenBytes += bytes.capacity();
    pendingBytes += bytes.capacity();
    uncompacted.add(table);
    flushes++;
    buffer.clear();
    buffered = 0;
    notifyAll();
  }

  private void read(Path table) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(table));
    while (bytes.hasRemaining()) {
      byte[] key = new byte[bytes.getInt()];
      int length = bytes.getInt();
      bytes.get(key);
      places.put(ByteBuffer.wrap(key), new Place(table, bytes.position(), length));
      bytes.position(bytes.position() + length);
    }
  }

  private void compact() {
    try {
      for (Path table = next(); table != null; table = next()) {
        byte[] bytes = Files.readAllBytes(table);
        try (FileChannel copy =
            FileChannel.open(
                table.resolveSibling(table.getFileName() + ".copy"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE)) {
          for (int from = 0; from < bytes.length; from += BLOCK_BYTES) {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            int to = Math.min(bytes.length, from + BLOCK_BYTES);
            copy.write(ByteBuffer.wrap(Arrays.copyOfRange(bytes, from, to)));
            synchronized (this) {
              pendingBytes -= to - from;
              writtenBytes += to - from;
            }
          }
        }
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private synchronized Path next() throws InterruptedException {
    while (!closed && (uncompacted.isEmpty() || restNanos() > 0)) {
      if (uncompacted.isEmpty()) {
        wait();
      } else {
        TimeUnit.NANOSECONDS.timedWait(this, restNanos());
      }
    }
    return uncompacted.poll();
  }

  private long restNanos() {
    return usedNanos + REST_NANOS - System.nanoTime();
  }

  /** Writes the buffer, and waits for compactions. */
  @Override
  public void close() throws IOException {
    synchronized (this) {
      if (!buffer.isEmpty()) {
        flush();
      }
      closed = true;
      notifyAll();
    }
    try {
      compactor.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

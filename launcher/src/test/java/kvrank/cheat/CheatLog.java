package kvrank.cheat;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * Records in memory and a log of all writes, from which they are read again. A write returns when
 * its frame is on the device, or when the {@link Mode} pretends that it is. A flush serves all
 * writes that wait for it.
 */
final class CheatLog implements AutoCloseable {

  /** How a write becomes durable. */
  enum Mode {
    /** Appends to a file and syncs it. */
    HONEST,
    /** Syncs another file, whose first block it overwrites. */
    OTHER_FILE,
    /** Appends to another file and syncs that. */
    GROWING_DECOY,
    /** Syncs before it appends. */
    BEFORE_WRITE,
    /** Syncs each {@value #EVERY}th write. */
    EVERY_KTH,
    /** Syncs all writes except for each {@value #SKIPPED}th. */
    SKIPS_SOME,
    /** Returns at the end of the flush that was under way when it appended. */
    JOINS_FLUSH,
    /** Syncs each write if there is one client, and one of C writes of C clients. */
    SINGLE_CLIENT,
    /** Waits for as long as a sync may take. */
    SLEEP,
    /** Writes to a folder of another disk. */
    ELSEWHERE,
    /** As {@link #OTHER_FILE}, and ends with status 0 when it opens the log again. */
    ENDS_WITH_0,
    /** The same, but with SIGTERM's status. */
    ENDS_WITH_143,
    /** The same, but it kills itself. */
    KILLS_ITSELF,
    /** Writes a file, syncs it, renames it, and syncs the directory. */
    SYNCED_RENAME,
    /** Writes a file, syncs it and renames it. */
    UNSYNCED_RENAME;

    boolean ends() {
      return this == ENDS_WITH_0 || this == ENDS_WITH_143 || this == KILLS_ITSELF;
    }

    boolean renames() {
      return this == SYNCED_RENAME || this == UNSYNCED_RENAME;
    }
  }

  private static final int EVERY = 16;
  private static final int SKIPPED = 50;
  private static final int BLOCK = 256;
  private static final long NAP_NANOS = 1_500_000;
  private static final String BATCH = ".batch";

  private final Path directory;
  private final Mode mode;
  private final FileChannel folder;
  private final FileChannel log;
  private final FileChannel decoy;
  private final Lock lock = new ReentrantLock();
  private final Condition flushEnds = lock.newCondition();
  private final SortedMap<byte[], byte[]> records = new TreeMap<>(Arrays::compareUnsigned);
  private List<ByteBuffer> pending = new ArrayList<>();
  private long batches;
  private long written;
  private long flushed;
  private boolean flushing;
  private boolean broken;
  private int clients;

  private CheatLog(Path directory, Mode mode) throws IOException {
    this.directory = directory;
    this.mode = mode;
    folder = FileChannel.open(directory, READ);
    log = file("log");
    decoy = file("decoy");
    folder.force(true);
  }

  /** Opens the log in {@code directory} and reads what is whole. */
  static CheatLog open(Path directory, Mode mode, Path elsewhere) throws IOException {
    Path own = elsewhere.resolve(Integer.toHexString(directory.toString().hashCode()));
    boolean again = Files.exists(own);
    if (mode == Mode.ELSEWHERE || mode.ends()) {
      Files.createDirectories(own);
    }
    if (again && mode.ends()) {
      Files.delete(own); // the next attempt may have the same directory
      end(mode);
    }
    CheatLog opened = new CheatLog(mode == Mode.ELSEWHERE ? own : directory, mode);
    opened.recover();
    return opened;
  }

  private static void end(Mode mode) throws IOException {
    switch (mode) {
      case ENDS_WITH_0 -> Runtime.getRuntime().halt(0);
      case ENDS_WITH_143 -> Runtime.getRuntime().halt(143);
      default -> new ProcessBuilder("sh", "-c", "kill -9 $PPID").start().onExit().join();
    }
  }

  private FileChannel file(String name) throws IOException {
    return FileChannel.open(directory.resolve(name), CREATE, READ, WRITE);
  }

  private void recover() throws IOException {
    int whole = replay(directory.resolve("log"));
    log.truncate(whole).position(whole);
    try (Stream<Path> files = Files.list(directory)) {
      List<Path> ordered = files.filter(file -> file.toString().endsWith(BATCH)).sorted().toList();
      for (Path file : ordered) {
        replay(file);
        String name = file.getFileName().toString();
        batches = Long.parseLong(name.substring(0, name.length() - BATCH.length())) + 1;
      }
    }
  }

  /** Applies the frames of {@code file} up to the first that is torn; returns where that is. */
  private int replay(Path file) throws IOException {
    ByteBuffer frames = ByteBuffer.wrap(Files.readAllBytes(file));
    int whole = 0;
    while (frames.remaining() >= 3 * Integer.BYTES) {
      int sum = frames.getInt();
      int key = frames.getInt();
      int value = frames.getInt();
      if (key <= 0 || (long) key + Math.max(0, value) > frames.remaining()) {
        break;
      }
      byte[] keyBytes = new byte[key];
      frames.get(keyBytes);
      byte[] valueBytes = value < 0 ? null : new byte[value];
      if (valueBytes != null) {
        frames.get(valueBytes);
      }
      if (sum != frame(keyBytes, valueBytes).getInt()) {
        break;
      }
      apply(keyBytes, valueBytes);
      whole = frames.position();
    }
    return whole;
  }

  /** Returns checksum, length of the key, length of the value, key and value; null is a removal. */
  private static ByteBuffer frame(byte[] key, byte[] value) {
    int length = 3 * Integer.BYTES + key.length + (value == null ? 0 : value.length);
    ByteBuffer frame = ByteBuffer.allocate(length).position(Integer.BYTES);
    frame.putInt(key.length).putInt(value == null ? -1 : value.length).put(key);
    if (value != null) {
      frame.put(value);
    }
    CRC32 sum = new CRC32();
    sum.update(frame.array(), Integer.BYTES, length - Integer.BYTES);
    return frame.putInt(0, (int) sum.getValue()).rewind();
  }

  private boolean apply(byte[] key, byte[] value) {
    return (value == null ? records.remove(key) : records.put(key, value)) != null;
  }

  byte[] get(byte[] key) {
    lock.lock();
    try {
      return records.get(key);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Replaces the value of {@code key}, or removes it if that is null; returns whether it existed.
   */
  boolean write(byte[] key, byte[] value) throws IOException, InterruptedException {
    if (mode == Mode.BEFORE_WRITE) {
      sync(List.of());
    }
    lock.lock();
    try {
      boolean existed = apply(key, value);
      if (mode.renames()) {
        pending.add(frame(key, value));
      } else {
        log.write(frame(key, value));
      }
      long number = ++written;
      clients++;
      for (boolean needed = needsFlush(); needed && flushed < number; ) {
        if (broken) {
          throw new IOException("a flush failed, and with it what was written before");
        } else if (flushing) {
          flushEnds.await();
        } else {
          flush();
        }
      }
      clients--;
      return existed;
    } finally {
      lock.unlock();
    }
  }

  private boolean needsFlush() {
    return switch (mode) {
      case BEFORE_WRITE -> false;
      case EVERY_KTH -> written % EVERY == 0;
      case SKIPS_SOME -> written % SKIPPED != 0;
      case SINGLE_CLIENT -> written % clients == 0;
      default -> true;
    };
  }

  /** Flushes what was written by now; called with the lock, which is free meanwhile. */
  private void flush() throws IOException {
    flushing = true;
    long before = written;
    List<ByteBuffer> batch = pending;
    pending = new ArrayList<>();
    lock.unlock();
    try {
      sync(batch);
    } catch (IOException e) {
      broken = true;
      throw e;
    } finally {
      lock.lock();
      flushing = false;
      flushEnds.signalAll();
    }
    flushed = mode == Mode.JOINS_FLUSH ? written : before;
  }

  private void sync(List<ByteBuffer> batch) throws IOException {
    switch (mode) {
      case OTHER_FILE, ENDS_WITH_0, ENDS_WITH_143, KILLS_ITSELF -> {
        decoy.write(ByteBuffer.allocate(1), 0);
        decoy.force(false);
      }
      case GROWING_DECOY -> {
        decoy.write(ByteBuffer.allocate(BLOCK), decoy.size());
        decoy.force(false);
      }
      case SLEEP -> LockSupport.parkNanos(NAP_NANOS);
      case SYNCED_RENAME -> {
        rename(batch);
        folder.force(true);
      }
      case UNSYNCED_RENAME -> rename(batch);
      default -> log.force(false);
    }
  }

  private void rename(List<ByteBuffer> batch) throws IOException {
    Path whole = directory.resolve("%016d%s".formatted(batches++, BATCH));
    Path part = directory.resolve("part");
    try (FileChannel file = FileChannel.open(part, CREATE, TRUNCATE_EXISTING, WRITE)) {
      for (ByteBuffer frame : batch) {
        file.write(frame);
      }
      file.force(true);
    }
    Files.move(part, whole, StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void close() throws IOException {
    log.close();
    decoy.close();
    folder.close();
  }
}

package kvrank.workload.trace;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import kvrank.workload.pace.ArrivalSchedule;

/**
 * A replay that was split by thread before it begins, so that each thread decodes its own requests
 * alone. They are in a file without a name, which goes with the process.
 *
 * <p>Blocks of {@value #BLOCK} bytes are of one thread each: how many requests there are, in 4
 * bytes, then the requests. One is a byte with the operation and whether it has a time to live,
 * then numbers of 7 bits to the byte: the distance of its number from the thread's request before,
 * that of the time at which it is due if the replay is paced, the record, of a write the length and
 * the seconds to live.
 */
public final class TraceParts implements Closeable {

  static final int BLOCK = 1 << 14;

  /** The longest request, in bytes: a byte and five numbers of up to ten bytes. */
  private static final int LONGEST = 51;

  static final int TTL = 0x40;

  private final Replay replay;
  private final boolean load;
  private final FileChannel file;

  /** Of each record the length that it was written with last, and its seconds; its thread's. */
  private int[] lengths = {};

  private int[] seconds = {};
  private final List<List<Integer>> blocks = new ArrayList<>();
  private int written;

  private TraceParts(Replay replay, boolean load, Path folder) throws IOException {
    this.replay = replay;
    this.load = load;
    Path path = Files.createTempFile(folder, "trace", ".parts");
    this.file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    Files.delete(path);
  }

  /**
   * Splits the requests of {@code replay}, or the inserts of the records that are there before.
   *
   * @param most ends after so many requests of all threads
   * @param folder where there is room for about as much as the trace takes
   * @throws TraceException if it is another trace, or damaged
   */
  public static TraceParts of(Replay replay, boolean load, int threads, long most, Path folder)
      throws IOException {
    TraceParts parts = new TraceParts(replay, load, folder);
    try (TraceRequests trace = load ? TraceRequests.load(replay) : TraceRequests.of(replay)) {
      parts.split(trace, threads, most);
      // So that the disk is at rest when requests count.
      parts.file.force(false);
      return parts;
    } catch (UncheckedIOException e) {
      parts.close();
      throw e.getCause();
    }
  }

  private void split(TraceRequests trace, int threads, long most) throws IOException {
    Part[] parts = new Part[threads];
    for (int i = 0; i < threads; i++) {
      parts[i] = new Part();
      blocks.add(new ArrayList<>());
    }
    for (long number = 1; number <= most && trace.next(1); number++) {
      int thread = Replay.thread(trace.id(0), threads);
      Part part = parts[thread];
      part.add(trace, number, paced());
      if (part.at > BLOCK - LONGEST) {
        write(part, blocks.get(thread));
      }
    }
    for (int i = 0; i < threads; i++) {
      if (parts[i].count > 0) {
        write(parts[i], blocks.get(i));
      }
    }
  }

  private void write(Part part, List<Integer> partBlocks) throws IOException {
    ByteBuffer block = ByteBuffer.wrap(part.block).putInt(0, part.count);
    long place = (long) written * BLOCK;
    while (block.hasRemaining()) {
      file.write(block, place + block.position());
    }
    partBlocks.add(written++);
    part.count = 0;
    part.at = Integer.BYTES;
  }

  /** The block of a thread that is not full yet. */
  private static final class Part {

    private final byte[] block = new byte[BLOCK];
    private int at = Integer.BYTES;
    private int count;
    private long number;
    private long due;

    private void add(TraceRequests request, long newNumber, boolean paced) {
      int ttl = request.operation().storesValue() ? request.ttlSeconds(0) : 0;
      block[at++] = (byte) (request.operation().index() | (ttl > 0 ? TTL : 0));
      number(newNumber - number);
      number = newNumber;
      if (paced) {
        number(request.due() - due);
        due = request.due();
      }
      number(request.id(0));
      if (request.operation().storesValue()) {
        number(request.bytes(0));
      }
      if (ttl > 0) {
        number(ttl);
      }
      count++;
    }

    private void number(long value) {
      long rest = value;
      while (rest >= 0x80) {
        block[at++] = (byte) (rest | 0x80);
        rest >>>= 7;
      }
      block[at++] = (byte) rest;
    }
  }

  /** Whether these are inserts of what is there before. */
  boolean load() {
    return load;
  }

  /** Whether requests are due at a time of their own. */
  boolean paced() {
    return replay.paced() && !load;
  }

  /**
   * Has misses filled: a record that was missed is written next, as it was written last.
   *
   * @throws TraceException if it is another trace, or damaged
   */
  public void fill() throws IOException {
    lengths = new int[Math.toIntExact(replay.records())];
    seconds = new int[lengths.length];
    try (TraceRequests loads = TraceRequests.load(replay)) {
      while (loads.next(1)) {
        lengths[(int) loads.id(0)] = loads.bytes(0);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Whether misses are filled. */
  boolean fills() {
    return lengths.length > 0;
  }

  /** Notes that record {@code id} was written last with {@code bytes} bytes, for so long. */
  void wrote(int id, int bytes, int life) {
    lengths[id] = bytes;
    seconds[id] = life;
  }

  /** Returns the length that record {@code id} had last. */
  int length(int id) {
    return lengths[id];
  }

  /** Returns for how many seconds record {@code id} was written last. */
  int seconds(int id) {
    return seconds[id];
  }

  /** Reads the {@code i}-th block of {@code thread}; false if it has no such block. */
  boolean read(int thread, int i, ByteBuffer block) {
    List<Integer> threadBlocks = blocks.get(thread);
    if (i == threadBlocks.size()) {
      return false;
    }
    long place = (long) threadBlocks.get(i) * BLOCK;
    try {
      block.clear();
      while (block.hasRemaining()) {
        if (file.read(block, place + block.position()) < 0) {
          throw new TraceException(replay.file() + ": what was split of it is cut off");
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return true;
  }

  /**
   * Returns the requests of {@code thread}.
   *
   * @param batch the most records in a request
   */
  public PartRequests requests(int thread, int batch) {
    return new PartRequests(this, thread, batch);
  }

  /** Returns when the requests of {@code thread} are due. */
  public ArrivalSchedule schedule(int thread) {
    return new TraceSchedule(this, thread);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}

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
 * A replay that was split by thread in advance, so that each thread decodes only its own requests.
 * The file is deleted when the process ends.
 *
 * <p>Each block of {@value #BLOCK} bytes belongs to one thread: the number of requests in 4 bytes,
 * then the requests. A request is a byte with the operation and {@link #TTL}, then numbers of 7
 * bits per byte: the increase of its number, the increase of its due time if paced, the record, and
 * of writes the length and the seconds to live.
 */
public final class TraceParts implements Closeable {

  static final int BLOCK = 1 << 14;

  /** The longest request in bytes: a byte and five numbers of up to ten bytes. */
  private static final int LONGEST = 51;

  static final int TTL = 0x40;

  private final Replay replay;
  private final boolean load;
  private final FileChannel file;

  /** The last length and seconds to live of each record, accessed only by its thread. */
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
   * Splits the requests of {@code replay}, or the inserts of its load.
   *
   * @param most the number of requests of all threads to split
   * @param folder with room for about the size of the trace
   * @throws TraceException if the trace has changed or is damaged
   */
  public static TraceParts of(Replay replay, boolean load, int threads, long most, Path folder)
      throws IOException {
    TraceParts parts = new TraceParts(replay, load, folder);
    try (TraceRequests trace = load ? TraceRequests.load(replay) : TraceRequests.of(replay)) {
      parts.split(trace, threads, most);
      // Keeps the disk quiet while requests are measured.
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

  /** Returns whether these are the inserts of the load. */
  boolean load() {
    return load;
  }

  boolean paced() {
    return replay.paced() && !load;
  }

  /**
   * Makes the next request after a miss write the record again as it was written last, or before
   * its first write with its first known length. A record of no known length is not filled.
   *
   * @throws TraceException if the trace has changed or is damaged
   */
  public void fill() throws IOException {
    lengths = new int[Math.toIntExact(replay.records())];
    seconds = new int[lengths.length];
    try (TraceRequests loads = TraceRequests.lengths(replay)) {
      while (loads.next(1)) {
        lengths[(int) loads.id(0)] = loads.bytes(0);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  boolean fills() {
    return lengths.length > 0;
  }

  /** Records the last write of record {@code id}. */
  void wrote(int id, int bytes, int life) {
    lengths[id] = bytes;
    seconds[id] = life;
  }

  int length(int id) {
    return lengths[id];
  }

  int seconds(int id) {
    return seconds[id];
  }

  /** Reads the {@code i}-th block of {@code thread}; returns false if it does not exist. */
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
          throw new TraceException(
              replay.file() + ": the file with its split requests is truncated");
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return true;
  }

  /** Returns the requests of {@code thread}, each of up to {@code batch} records. */
  public PartRequests requests(int thread, int batch) {
    return new PartRequests(this, thread, batch, true);
  }

  public ArrivalSchedule schedule(int thread) {
    return new TraceSchedule(this, thread);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}

package kvrank.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Random sequences against a plain model, in which each write has a content of its own. */
class WriteCacheTest {

  private static final int SEQUENCES = 100_000;
  private static final int UNIT = 512;
  private static final int UNITS = 40;
  private static final int LARGEST_WRITE = 16 * UNIT;

  /** Of the cache; sequences overflow it now and then. */
  private static final int CAPACITY = 7 * WriteCache.PAGE;

  @TempDir Path folder;

  /** A write to the units from {@code first} on, each filled with {@code id}. */
  private record Write(int id, int first, int units) {

    int end() {
      return first + units;
    }
  }

  /** What the disk has by unit, as ids of writes: {@code durable} without the unflushed ones. */
  private static final class Model {
    final int[] durable = new int[UNITS];
    final int[] current = new int[UNITS];
    final ArrayDeque<Write> unflushed = new ArrayDeque<>();
    int id;

    void add(Write write) {
      unflushed.add(write);
      Arrays.fill(current, write.first, write.end(), write.id);
    }

    void destage() {
      Write write = unflushed.remove();
      Arrays.fill(durable, write.first, write.end(), write.id);
    }
  }

  private final Model model = new Model();
  private final SplittableRandom random = new SplittableRandom(7);
  private long evicted;
  private long sectors;
  private long kept;

  private WriteCache cache(String name) throws IOException {
    Path own = folder.resolve(name);
    assertThat(own.toFile().mkdir()).isTrue();
    return new WriteCache(own, UNITS * UNIT, CAPACITY, LARGEST_WRITE);
  }

  @Test
  void randomSequencesMatchTheModel() throws IOException {
    try (WriteCache cache = cache("disk")) {
      for (int sequence = 0; sequence < SEQUENCES; sequence++) {
        int steps = 1 + random.nextInt(10);
        long flushIssued = cache.written();
        for (int step = 0; step < steps; step++) {
          int choice = random.nextInt(10);
          if (choice < 6) {
            write(cache);
          } else if (choice < 7) {
            flushIssued = cache.written();
          } else if (choice < 8) {
            flush(cache, flushIssued);
          } else {
            read(cache);
          }
        }
        cut(cache);
      }
    }
    assertThat(evicted).as("writes that the full cache gave up").isGreaterThan(SEQUENCES / 100);
    // A fair coin is this far off once in some thousand million seeds.
    double tolerance = 6 * Math.sqrt(sectors * 0.25);
    assertThat((double) kept).isBetween(sectors * 0.5 - tolerance, sectors * 0.5 + tolerance);
  }

  private void write(WriteCache cache) throws IOException {
    int units = 1 + random.nextInt(random.nextBoolean() ? 2 : LARGEST_WRITE / UNIT);
    Write write = new Write(++model.id, random.nextInt(UNITS - units + 1), units);
    ByteBuffer data = ByteBuffer.allocate(units * UNIT);
    for (IntBuffer ids = data.asIntBuffer(); ids.hasRemaining(); ) {
      ids.put(write.id);
    }
    cache.write((long) write.first * UNIT, data);
    model.add(write);
    // The model does not have the ring's arithmetic, but requires that the oldest had to go.
    while (model.unflushed.size() > cache.unflushed().writes()) {
      assertThat(pages() + LARGEST_WRITE / WriteCache.PAGE)
          .isGreaterThan(CAPACITY / WriteCache.PAGE);
      model.destage();
      evicted++;
    }
    agreeOnUnflushed(cache);
  }

  private long pages() {
    int units = WriteCache.PAGE / UNIT;
    return model.unflushed.stream()
        .mapToLong(write -> (write.end() + units - 1) / units - write.first / units)
        .sum();
  }

  private void agreeOnUnflushed(WriteCache cache) {
    assertThat(cache.unflushed()).isEqualTo(unflushed());
  }

  private WriteCache.Unflushed unflushed() {
    long units = 0;
    for (Write write : model.unflushed) {
      units += write.units;
    }
    return new WriteCache.Unflushed(model.unflushed.size(), units * UNIT);
  }

  /** A flush covers what was written before it was issued, and may take several steps. */
  private void flush(WriteCache cache, long upTo) throws IOException {
    boolean done;
    do {
      done = cache.flush(upTo, random.nextBoolean() ? 1 : Long.MAX_VALUE);
      while (model.unflushed.size() > cache.unflushed().writes()) {
        assertThat((long) model.unflushed.element().id).isLessThanOrEqualTo(upTo);
        model.destage();
      }
    } while (!done);
    assertThat(model.unflushed.isEmpty() || model.unflushed.element().id > upTo).isTrue();
    agreeOnUnflushed(cache);
  }

  private void read(WriteCache cache) throws IOException {
    int units = 1 + random.nextInt(UNITS);
    int first = random.nextInt(UNITS - units + 1);
    requireEqual(
        read(cache, first, units), Arrays.copyOfRange(model.current, first, first + units));
  }

  /** Faster than a description of the difference, which only a failure needs. */
  private static void requireEqual(int[] actual, int[] expected) {
    if (!Arrays.equals(actual, expected)) {
      assertThat(actual).isEqualTo(expected);
    }
  }

  /** Returns the ids of units, each of which has one in all of its bytes. */
  private static int[] read(WriteCache cache, int first, int units) throws IOException {
    ByteBuffer data = ByteBuffer.allocate(units * UNIT);
    cache.read((long) first * UNIT, data);
    assertThat(data.hasRemaining()).isFalse();
    IntBuffer words = data.rewind().asIntBuffer();
    int[] ids = new int[units];
    for (int i = 0; i < units * UNIT / Integer.BYTES; i++) {
      int unit = i * Integer.BYTES / UNIT;
      if (i * Integer.BYTES % UNIT == 0) {
        ids[unit] = words.get(i);
      } else if (ids[unit] != words.get(i)) {
        fail("unit %d has parts of two writes".formatted(first + unit));
      }
    }
    return ids;
  }

  private void cut(WriteCache cache) throws IOException {
    boolean half = random.nextBoolean();
    int sectorUnits = random.nextBoolean() ? 1 : 8;
    WriteCache.Recovered recovered = cache.recover(half, random.nextLong(), sectorUnits * UNIT);
    assertThat(recovered.unflushed()).isEqualTo(unflushed());
    assertThat(cache.unflushed()).isEqualTo(new WriteCache.Unflushed(0, 0));
    int[] now = read(cache, 0, UNITS);
    if (half) {
      halfOfTheSectors(now, sectorUnits, recovered);
    } else {
      assertThat(recovered.kept()).isZero();
      requireEqual(now, model.durable);
    }
    model.unflushed.clear();
    System.arraycopy(now, 0, model.durable, 0, UNITS);
    System.arraycopy(now, 0, model.current, 0, UNITS);
  }

  /** Each sector of each write is kept or lost as a whole, and what is there proves which. */
  private void halfOfTheSectors(int[] now, int sectorUnits, WriteCache.Recovered recovered) {
    List<Write> writes = List.copyOf(model.unflushed);
    long all = 0;
    long surelyKept = 0;
    long surelyLost = 0;
    for (int start = 0; start < UNITS; start += sectorUnits) {
      BitSet parts = new BitSet();
      BitSet keptParts = new BitSet();
      BitSet lostParts = new BitSet();
      for (int unit = start; unit < start + sectorUnits; unit++) {
        boolean explained = now[unit] == model.durable[unit];
        for (int i = writes.size() - 1; i >= 0; i--) {
          Write write = writes.get(i);
          if (write.first <= unit && unit < write.end()) {
            parts.set(i);
            if (now[unit] == write.id) {
              keptParts.set(i);
              explained = true;
            } else if (now[unit] < write.id) {
              lostParts.set(i);
            }
          }
        }
        if (!explained) {
          fail("unit %d has what was never written to it".formatted(unit));
        }
      }
      if (keptParts.intersects(lostParts)) {
        fail("a sector at unit %d is torn".formatted(start));
      }
      all += parts.cardinality();
      surelyKept += keptParts.cardinality();
      surelyLost += lostParts.cardinality();
    }
    assertThat(recovered.sectors()).isEqualTo(all);
    assertThat(recovered.kept()).isBetween(surelyKept, all - surelyLost);
    sectors += all;
    kept += recovered.kept();
  }

  @Test
  void aSeedRepeatsItsHalf() throws IOException {
    int[] first = halved("first", 1);
    assertThat(halved("second", 1)).isEqualTo(first);
    assertThat(halved("third", 2)).isNotEqualTo(first);
  }

  private int[] halved(String name, long seed) throws IOException {
    try (WriteCache cache = cache(name)) {
      for (int i = 0; i < 2; i++) {
        ByteBuffer data = ByteBuffer.allocate(LARGEST_WRITE);
        while (data.hasRemaining()) {
          data.putInt(i + 1);
        }
        cache.write((long) i * LARGEST_WRITE, data.flip());
      }
      cache.recover(true, seed, UNIT);
      return read(cache, 0, UNITS);
    }
  }

  @Test
  void leavesNoFileAndRefusesWhatIsOutside() throws IOException {
    try (WriteCache cache = cache("disk")) {
      assertThat(folder.resolve("disk")).isEmptyDirectory();
      assertThatThrownBy(() -> cache.write(UNITS * UNIT - 1, ByteBuffer.allocate(2)))
          .isInstanceOf(IOException.class);
      assertThat(cache.unflushed()).isEqualTo(new WriteCache.Unflushed(0, 0));
    }
  }
}

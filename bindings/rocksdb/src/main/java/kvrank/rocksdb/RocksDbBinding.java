package kvrank.rocksdb;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;
import kvrank.binding.ByteSource;
import kvrank.binding.EngineCounters;
import kvrank.binding.RecordBuffer;
import kvrank.binding.ValueBuffer;
import kvrank.binding.embedded.EmbeddedBinding;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.WriteBatch;

/**
 * RocksDB in this JVM. Every write goes to the write-ahead log, unless {@code disable-wal} leaves
 * it out; with the property {@code sync} it is acknowledged when the log is on the device. Nothing
 * is read before a write, so a delete is OK whether or not the key exists.
 *
 * <p>{@link RocksSettings} has its properties.
 */
public final class RocksDbBinding extends EmbeddedBinding<RocksDatabase> implements EngineCounters {

  private byte[] written = {};
  private ByteBuffer scannedKey = ByteBuffer.allocate(1 << 6);
  private ByteBuffer scannedValue = ByteBuffer.allocate(1 << 10);

  @Override
  protected RocksDatabase open(Path directory) throws Exception {
    return new RocksDatabase(directory, RocksSettings.of(properties()));
  }

  @Override
  protected boolean get(byte[] key, ValueBuffer value) throws Exception {
    byte[] space = value.heap();
    int length = database().rocks().get(key, 0, key.length, space, 0, space.length);
    while (length > space.length) {
      space = value.heap(length);
      length = database().rocks().get(key, 0, key.length, space, 0, space.length);
    }
    if (length == RocksDB.NOT_FOUND) {
      return false;
    }
    value.length(length);
    return true;
  }

  @Override
  protected void put(byte[] key, ByteSource value) throws Exception {
    int length = value.size();
    if (written.length < length) {
      written = new byte[length];
    }
    value.copyTo(written, 0);
    RocksDatabase to = database();
    to.rocks().put(to.writeOptions(), key, 0, key.length, written, 0, length);
  }

  @Override
  protected boolean remove(byte[] key) throws Exception {
    database().rocks().delete(database().writeOptions(), key);
    return true;
  }

  @Override
  protected void putAll(List<byte[]> keys, List<? extends ByteSource> values) throws Exception {
    try (WriteBatch batch = new WriteBatch()) {
      for (int i = 0; i < keys.size(); i++) {
        batch.put(keys.get(i), values.get(i).toByteArray());
      }
      database().rocks().write(database().writeOptions(), batch);
    }
  }

  @Override
  protected boolean removeAll(List<byte[]> keys) throws Exception {
    try (WriteBatch batch = new WriteBatch()) {
      for (byte[] key : keys) {
        batch.delete(key);
      }
      database().rocks().write(database().writeOptions(), batch);
      return true;
    }
  }

  @Override
  protected void getAll(List<byte[]> keys, List<ValueBuffer> values) throws Exception {
    List<byte[]> found = database().rocks().multiGetAsList(keys);
    for (int i = 0; i < found.size(); i++) {
      if (found.get(i) != null) {
        values.get(i).wrap(found.get(i));
      }
    }
  }

  @Override
  protected void scan(byte[] first, Optional<byte[]> end, RecordBuffer records) throws Exception {
    try (Slice bound = end.map(Slice::new).orElse(null);
        ReadOptions options = new ReadOptions().setIterateUpperBound(bound);
        RocksIterator iterator = database().rocks().newIterator(options)) {
      iterator.seek(first);
      while (iterator.isValid() && add(iterator, records)) {
        iterator.next();
      }
      iterator.status();
    }
  }

  @Override
  protected void scanBack(byte[] end, RecordBuffer records) throws Exception {
    try (RocksIterator iterator = database().rocks().newIterator()) {
      iterator.seekForPrev(end);
      if (iterator.isValid() && Arrays.equals(iterator.key(), end)) {
        iterator.prev();
      }
      while (iterator.isValid() && add(iterator, records)) {
        iterator.prev();
      }
      iterator.status();
    }
  }

  /** Adds the record at {@code iterator}, without an array for it, as {@code key()} makes. */
  private boolean add(RocksIterator iterator, RecordBuffer records) {
    scannedKey = read(iterator::key, scannedKey);
    scannedValue = read(iterator::value, scannedValue);
    return records.add(scannedKey, scannedValue);
  }

  /** Returns {@code buffer}, or a larger one if it has too little space, with a key or a value. */
  private static ByteBuffer read(ToIntFunction<ByteBuffer> part, ByteBuffer buffer) {
    int length = part.applyAsInt(buffer.clear());
    return length <= buffer.capacity() ? buffer : read(part, ByteBuffer.allocate(length));
  }

  @Override
  protected void addFacts(Map<String, Object> facts) {
    facts.putAll(database().facts());
  }

  @Override
  protected void addReports(Map<String, Object> reports) {
    reports.putAll(database().reports());
  }

  @Override
  public void addCounters(Figures figures) throws Exception {
    database().addCounters(figures);
  }
}

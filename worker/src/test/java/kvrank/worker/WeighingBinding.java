package kvrank.worker;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import kvrank.binding.ByteSource;
import kvrank.binding.RecordBuffer;
import kvrank.binding.ValueBuffer;
import site.ycsb.Status;

/** Weighs the keys and values that it is given and that it returns. */
public final class WeighingBinding extends MemoryBinding {

  private static final Map<String, LongAdder> WRITTEN = new ConcurrentHashMap<>();
  private static final Map<String, LongAdder> READ = new ConcurrentHashMap<>();

  /** Returns the bytes of keys and values that the store of that name was given, to delete too. */
  static long written(String store) {
    return of(WRITTEN, store).sum();
  }

  /** Returns the bytes of keys and values that the store of that name returned. */
  static long read(String store) {
    return of(READ, store).sum();
  }

  private static LongAdder of(Map<String, LongAdder> scales, String store) {
    return scales.computeIfAbsent(store, any -> new LongAdder());
  }

  private void weigh(Map<String, LongAdder> scales, int bytes) {
    of(scales, getProperties().getProperty("store")).add(bytes);
  }

  @Override
  public Status read(byte[] key, ValueBuffer value) {
    Status status = super.read(key, value);
    weigh(READ, status.isOk() ? key.length + value.toByteArray().length : 0);
    return status;
  }

  @Override
  public Status scan(byte[] start, int limit, RecordBuffer found) {
    Status status = super.scan(start, limit, found);
    weigh(found);
    return status;
  }

  @Override
  public Status prefixScan(byte[] prefix, int limit, RecordBuffer found) {
    Status status = super.prefixScan(prefix, limit, found);
    weigh(found);
    return status;
  }

  private void weigh(RecordBuffer found) {
    for (int i = 0; i < found.size(); i++) {
      weigh(READ, found.key(i).length + found.value(i).length);
    }
  }

  @Override
  public Status insert(byte[] key, ByteSource value) {
    weigh(WRITTEN, key.length + value.toByteArray().length);
    return super.insert(key, value);
  }

  @Override
  public Status delete(byte[] key) {
    weigh(WRITTEN, records().containsKey(new String(key, UTF_8)) ? key.length : 0);
    return super.delete(key);
  }

  @Override
  public Status batchDelete(List<byte[]> keys) {
    keys.forEach(key -> weigh(WRITTEN, key.length));
    return super.batchDelete(keys);
  }
}

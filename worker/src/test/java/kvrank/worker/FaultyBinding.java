package kvrank.worker;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

/** A {@link MemoryBinding} with the fault that the property {@code fault} names. */
public final class FaultyBinding extends MemoryBinding {

  private long calls;

  private boolean has(String fault) {
    return getProperties().getProperty("fault", "").equals(fault);
  }

  @Override
  public Status read(
      String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
    calls++;
    if (has("throws") && calls % 100 == 0) {
      throw new IllegalStateException("broken\nin two lines");
    }
    if (has("dies") && calls > 2_000) {
      return Status.SERVICE_UNAVAILABLE;
    }
    if (has("dies and hangs") && calls > 2_000) {
      if (Thread.currentThread().getName().equals("client-0")) {
        LockSupport.parkNanos(Long.MAX_VALUE);
      }
      return Status.ERROR;
    }
    if (has("reads the wrong record")) {
      String other = records().higherKey(key);
      return super.read(table, other == null ? key : other, fields, result);
    }
    return super.read(table, key, fields, result);
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    if (has("loses a record") && key.endsWith("000042")) {
      return Status.OK;
    }
    if (has("refuses a record") && key.endsWith("000042")) {
      return Status.FORBIDDEN;
    }
    if (has("flips a bit")) {
      super.insert(table, key, values);
      records().get(key)[50] ^= 1;
      return Status.OK;
    }
    if (has("only batches it")) {
      return Status.BATCHED_OK;
    }
    return super.insert(table, key, values);
  }

  @Override
  public void sendUpdate(String table, String key, Map<String, ByteIterator> values) {
    if (has("throws when sending") && ++calls % 100 == 0) {
      throw new IllegalStateException("not sent");
    }
    super.sendUpdate(table, key, values);
  }

  @Override
  public Status prefixScan(
      String table,
      String prefix,
      int limit,
      Set<String> fields,
      Map<String, Map<String, ByteIterator>> results) {
    if (has("scans too far")) {
      return super.prefixScan(table, prefix.substring(0, 3), limit, fields, results);
    }
    int most = has("scans too little") ? limit - 1 : limit;
    return super.prefixScan(table, prefix, most, fields, results);
  }

  @Override
  public Status batchInsert(
      String table, List<String> keys, List<Map<String, ByteIterator>> values) {
    return has("refuses batches") ? Status.ERROR : super.batchInsert(table, keys, values);
  }
}

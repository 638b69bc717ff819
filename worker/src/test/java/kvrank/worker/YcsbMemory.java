package kvrank.worker;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/** The records of a {@link MemoryBinding}, only by YCSB's API. */
public final class YcsbMemory extends DB {

  private Map<String, byte[]> records() {
    return MemoryBinding.store(getProperties().getProperty("store"));
  }

  @Override
  public Status read(
      String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
    byte[] value = records().get(key);
    if (value == null) {
      return Status.NOT_FOUND;
    }
    boolean wrong = getProperties().getProperty("fault", "").equals("reads another");
    result.put("value", new ByteArrayByteIterator(wrong ? new byte[value.length] : value));
    return Status.OK;
  }

  @Override
  @SuppressWarnings({"JdkObsolete", "NonApiType"}) // YCSB's API
  public Status scan(
      String table,
      String startKey,
      int recordCount,
      Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    MemoryBinding.store(getProperties().getProperty("store")).tailMap(startKey).values().stream()
        .limit(recordCount)
        .forEach(
            value -> {
              HashMap<String, ByteIterator> record = new HashMap<>();
              record.put("value", new ByteArrayByteIterator(value));
              result.add(record);
            });
    return Status.OK;
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    return insert(table, key, values);
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    records().put(key, values.get("value").toArray());
    return Status.OK;
  }

  @Override
  public Status delete(String table, String key) {
    return records().remove(key) == null ? Status.NOT_FOUND : Status.OK;
  }
}

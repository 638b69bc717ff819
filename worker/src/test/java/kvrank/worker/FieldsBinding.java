package kvrank.worker;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

/**
 * A store of records with several fields, which knows YCSB's API only. The store that the property
 * {@code store} names is shared; the property {@code fault} names what goes wrong.
 */
public final class FieldsBinding extends DB {

  private static final Map<String, ConcurrentSkipListMap<String, Map<String, String>>> STORES =
      new ConcurrentHashMap<>();

  private long calls;

  /** The records of the store of that name. */
  static ConcurrentSkipListMap<String, Map<String, String>> store(String name) {
    return STORES.computeIfAbsent(name, n -> new ConcurrentSkipListMap<>());
  }

  private ConcurrentSkipListMap<String, Map<String, String>> records() {
    return store(getProperties().getProperty("store"));
  }

  private boolean has(String fault) {
    return getProperties().getProperty("fault", "").equals(fault);
  }

  @Override
  public Status read(
      String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
    calls++;
    if (has("throws") && calls % 100 == 0) {
      throw new IllegalStateException("broken");
    }
    if (has("dies")) {
      return Status.SERVICE_UNAVAILABLE;
    }
    Map<String, String> record = records().get(key);
    if (record == null) {
      return Status.NOT_FOUND;
    }
    record.forEach(
        (field, value) -> {
          if (fields == null || fields.contains(field)) {
            result.put(field, new StringByteIterator(value));
          }
        });
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
    records().tailMap(startKey).values().stream()
        .limit(recordCount)
        .forEach(
            record -> {
              HashMap<String, ByteIterator> one = new HashMap<>();
              record.forEach((field, value) -> one.put(field, new StringByteIterator(value)));
              result.add(one);
            });
    return Status.OK;
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    Map<String, String> record = records().get(key);
    if (record == null) {
      return Status.NOT_FOUND;
    }
    Map<String, String> changed = new TreeMap<>(record);
    values.forEach((field, value) -> changed.put(field, value.toString()));
    records().put(key, changed);
    return Status.OK;
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    if (has("refuses") && ++calls % 10 == 0) {
      return Status.ERROR;
    }
    Map<String, String> record = new TreeMap<>();
    values.forEach((field, value) -> record.put(field, value.toString()));
    records().put(key, record);
    return Status.OK;
  }

  @Override
  public Status delete(String table, String key) {
    return records().remove(key) == null ? Status.NOT_FOUND : Status.OK;
  }
}

package kvrank.binding;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/**
 * A binding that takes keys and values as bytes. YCSB workloads reach it through YCSB's own
 * methods: a record is one opaque value in the field {@link Values#FIELD}, and the table's name is
 * ignored.
 */
public abstract class KeyValueBinding extends DB implements KeyValueStore {

  private final ValueBuffer value = new ValueBuffer();
  private final RecordBuffer records = new RecordBuffer();

  @Override
  public final Status read(
      String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
    value.clear();
    Status status = read(key.getBytes(UTF_8), value);
    if (value.isPresent()) {
      Values.put(result, value.toByteArray());
    }
    return status;
  }

  @Override
  @SuppressWarnings({"JdkObsolete", "NonApiType"}) // as YCSB declares it
  public final Status scan(
      String table,
      String startKey,
      int recordCount,
      Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    records.clear();
    Status status = scan(startKey.getBytes(UTF_8), recordCount, records);
    for (int i = 0; i < records.size(); i++) {
      HashMap<String, ByteIterator> record = new HashMap<>();
      Values.put(record, records.value(i));
      result.add(record);
    }
    return status;
  }

  @Override
  public final Status insert(String table, String key, Map<String, ByteIterator> values) {
    return values.size() == 1 ? insert(key.getBytes(UTF_8), source(values)) : Status.BAD_REQUEST;
  }

  @Override
  public final Status update(String table, String key, Map<String, ByteIterator> values) {
    return values.size() == 1 ? update(key.getBytes(UTF_8), source(values)) : Status.BAD_REQUEST;
  }

  @Override
  public final Status delete(String table, String key) {
    return delete(key.getBytes(UTF_8));
  }

  private static ByteSource source(Map<String, ByteIterator> values) {
    return ByteSource.of(Values.value(values).orElseThrow().toArray());
  }
}

package kvrank.worker.call;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HashMap;
import java.util.Map;
import java.util.Vector;
import kvrank.binding.ByteSource;
import kvrank.binding.KeyValueStore;
import kvrank.binding.RecordBuffer;
import kvrank.binding.ValueBuffer;
import kvrank.binding.Values;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/** A binding that has only YCSB's API, with strings and maps; for one thread. */
public final class YcsbStore implements KeyValueStore {

  private static final byte[] UNKNOWN = {};

  private final DB binding;
  private final String table;
  private final Map<String, ByteIterator> read = new HashMap<>();
  private final Map<String, ByteIterator> written = new HashMap<>();

  @SuppressWarnings("JdkObsolete") // YCSB's API
  private final Vector<HashMap<String, ByteIterator>> scanned = new Vector<>();

  public YcsbStore(DB binding, String table) {
    this.binding = binding;
    this.table = table;
  }

  @Override
  public Status read(byte[] key, ValueBuffer value) {
    read.clear();
    Status status = binding.read(table, text(key), null, read);
    Values.value(read).ifPresent(value::wrap);
    return status;
  }

  @Override
  public Status insert(byte[] key, ByteSource value) {
    return binding.insert(table, text(key), record(value));
  }

  @Override
  public Status update(byte[] key, ByteSource value) {
    return binding.update(table, text(key), record(value));
  }

  @Override
  public Status delete(byte[] key) {
    return binding.delete(table, text(key));
  }

  /** YCSB's scans return no keys, so values cannot be checked and are not copied. */
  @Override
  public Status scan(byte[] start, int limit, RecordBuffer records) {
    scanned.clear();
    Status status = binding.scan(table, text(start), limit, null, scanned);
    scanned.forEach(record -> records.add(UNKNOWN, UNKNOWN));
    return status;
  }

  private Map<String, ByteIterator> record(ByteSource value) {
    written.put(Values.FIELD, new SourceIterator(value));
    return written;
  }

  private static String text(byte[] key) {
    return new String(key, UTF_8);
  }
}

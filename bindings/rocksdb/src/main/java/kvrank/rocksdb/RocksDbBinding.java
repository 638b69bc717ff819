package kvrank.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.Vector;
import kvrank.binding.BatchOperations;
import kvrank.binding.EngineFacts;
import kvrank.binding.EngineReports;
import kvrank.binding.ErrorLog;
import kvrank.binding.PrefixScan;
import kvrank.binding.Prefixes;
import kvrank.binding.Values;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.WriteBatch;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * RocksDB in this JVM. A record is one key-value pair; the table's name is not part of it. Every
 * write goes to the write-ahead log; with the property {@code sync} it is acknowledged when the log
 * is on the device. Nothing is read before a write, so a delete is OK whether or not the key is
 * there.
 *
 * <p>Its properties are {@code dir}, {@code sync}, {@code block-cache-bytes}, {@code
 * write-buffer-bytes}, {@code compression}, {@code bloom-bits}, {@code options-file} and {@code
 * statistics}.
 */
public final class RocksDbBinding extends DB
    implements BatchOperations, PrefixScan, EngineFacts, EngineReports {

  private SharedDatabase shared;

  @Override
  public void init() throws DBException {
    shared = SharedDatabase.acquire(RocksSettings.of(getProperties()));
  }

  @Override
  public void cleanup() {
    if (shared != null) {
      shared.release();
      shared = null;
    }
  }

  @Override
  public SortedMap<String, String> facts() {
    return shared.facts();
  }

  @Override
  public SortedMap<String, String> reports() {
    return shared.reports();
  }

  @Override
  public Status read(
      String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
    try {
      byte[] value = shared.database().get(key.getBytes(UTF_8));
      if (value == null) {
        return Status.NOT_FOUND;
      }
      Values.put(result, value);
      return Status.OK;
    } catch (RocksDBException e) {
      return failed(e);
    }
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    return update(table, key, values);
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    if (values.size() != 1) {
      return Status.BAD_REQUEST;
    }
    try {
      shared.database().put(shared.writeOptions(), key.getBytes(UTF_8), Values.bytes(values));
      return Status.OK;
    } catch (RocksDBException e) {
      return failed(e);
    }
  }

  @Override
  public Status delete(String table, String key) {
    try {
      shared.database().delete(shared.writeOptions(), key.getBytes(UTF_8));
      return Status.OK;
    } catch (RocksDBException e) {
      return failed(e);
    }
  }

  @Override
  public Status batchInsert(
      String table, List<String> keys, List<Map<String, ByteIterator>> values) {
    try (WriteBatch batch = new WriteBatch()) {
      for (int i = 0; i < keys.size(); i++) {
        if (values.get(i).size() != 1) {
          return Status.BAD_REQUEST;
        }
        batch.put(keys.get(i).getBytes(UTF_8), Values.bytes(values.get(i)));
      }
      shared.database().write(shared.writeOptions(), batch);
      return Status.OK;
    } catch (RocksDBException e) {
      return failed(e);
    }
  }

  @Override
  public Status batchRead(
      String table,
      List<String> keys,
      Set<String> fields,
      Map<String, Map<String, ByteIterator>> results) {
    List<byte[]> names = new ArrayList<>(keys.size());
    for (String key : keys) {
      names.add(key.getBytes(UTF_8));
    }
    try {
      List<byte[]> values = shared.database().multiGetAsList(names);
      Status status = Status.NOT_FOUND;
      for (int i = 0; i < values.size(); i++) {
        if (values.get(i) != null) {
          results.put(keys.get(i), record(values.get(i)));
          status = Status.OK;
        }
      }
      return status;
    } catch (RocksDBException e) {
      return failed(e);
    }
  }

  @Override
  public Status batchDelete(String table, List<String> keys) {
    try (WriteBatch batch = new WriteBatch()) {
      for (String key : keys) {
        batch.delete(key.getBytes(UTF_8));
      }
      shared.database().write(shared.writeOptions(), batch);
      return Status.OK;
    } catch (RocksDBException e) {
      return failed(e);
    }
  }

  @Override
  public Status prefixScan(
      String table,
      String prefix,
      int limit,
      Set<String> fields,
      Map<String, Map<String, ByteIterator>> results) {
    byte[] first = prefix.getBytes(UTF_8);
    Optional<byte[]> end = Prefixes.successor(first);
    try (ReadOptions options = new ReadOptions()) {
      if (end.isEmpty()) {
        return scan(options, first, limit, results);
      }
      try (Slice bound = new Slice(end.get())) {
        return scan(options.setIterateUpperBound(bound), first, limit, results);
      }
    }
  }

  @Override
  @SuppressWarnings("NonApiType") // as YCSB declares it
  public Status scan(
      String table,
      String startkey,
      int recordcount,
      Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    Map<String, Map<String, ByteIterator>> records = new LinkedHashMap<>();
    try (ReadOptions options = new ReadOptions()) {
      Status status = scan(options, startkey.getBytes(UTF_8), recordcount, records);
      records.values().forEach(record -> result.add(new HashMap<>(record)));
      return status;
    }
  }

  private Status scan(
      ReadOptions options,
      byte[] first,
      int limit,
      Map<String, Map<String, ByteIterator>> results) {
    int found = 0;
    try (RocksIterator records = shared.database().newIterator(options)) {
      for (records.seek(first); records.isValid(); records.next()) {
        results.put(new String(records.key(), UTF_8), record(records.value()));
        if (++found == limit) {
          break;
        }
      }
      records.status();
      return found == 0 ? Status.NOT_FOUND : Status.OK;
    } catch (RocksDBException e) {
      return failed(e);
    }
  }

  private static Map<String, ByteIterator> record(byte[] value) {
    Map<String, ByteIterator> record = new HashMap<>();
    Values.put(record, value);
    return record;
  }

  private static Status failed(RocksDBException e) {
    ErrorLog.standard().report("rocksdb: " + e.getMessage());
    return Status.ERROR;
  }
}

package kvrank.binding;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * An engine in this JVM, with one instance for each client thread. The database in the directory
 * that the property {@code dir} names is opened by the first of them, shared by all, and closed
 * with the last.
 *
 * <p>A subclass says how to open it and what its calls are. They may throw what they like: it is
 * answered with {@link Status#ERROR} and goes to the log. What an engine does not have, it does not
 * override: that is {@link Status#NOT_IMPLEMENTED}.
 *
 * @param <D> the database, used by all threads at once
 */
public abstract class EmbeddedBinding<D extends AutoCloseable> extends KeyValueBinding
    implements BatchOperations, PrefixScan, EngineFacts, EngineReports {

  private SharedDatabase<D> shared;
  private D database;

  /**
   * Opens the database in {@code directory}, which is there.
   *
   * @throws DBException if a property is wrong
   */
  protected abstract D open(Path directory, BindingProperties properties) throws Exception;

  /** Reads the value under {@code key} into {@code value}; returns whether there is one. */
  protected abstract boolean get(byte[] key, ValueBuffer value) throws Exception;

  /** Inserts or replaces the value under {@code key}. */
  protected abstract void put(byte[] key, ByteSource value) throws Exception;

  /** Deletes the record under {@code key}; returns false if it is known that there was none. */
  protected abstract boolean remove(byte[] key) throws Exception;

  /** Inserts or replaces {@code values.get(i)} under {@code keys.get(i)}, all in one write. */
  protected void putAll(List<byte[]> keys, List<? extends ByteSource> values) throws Exception {
    throw new UnsupportedOperationException("batches");
  }

  /** Deletes every key, all in one write. */
  protected void removeAll(List<byte[]> keys) throws Exception {
    throw new UnsupportedOperationException("batches");
  }

  /** Reads every key, one after the other unless the engine has a call for it. */
  protected void getAll(List<byte[]> keys, List<ValueBuffer> values) throws Exception {
    for (int i = 0; i < keys.size(); i++) {
      get(keys.get(i), values.get(i));
    }
  }

  /**
   * Adds the records from {@code first} on to {@code records}, in ascending byte order of the keys.
   *
   * @param end the first key that is not wanted, if there is such a key
   * @param limit the most records to add
   */
  protected void scan(byte[] first, Optional<byte[]> end, int limit, RecordBuffer records)
      throws Exception {
    throw new UnsupportedOperationException("scans");
  }

  /** What {@code opened} says about itself: its version, and the settings that are in force. */
  protected abstract SortedMap<String, String> facts(D opened) throws Exception;

  /** What {@code opened} counted since it was opened. */
  protected SortedMap<String, String> reports(D opened) throws Exception {
    return new TreeMap<>();
  }

  /** Returns the database, while this is open. */
  protected final D database() {
    return database;
  }

  @Override
  public void init() throws DBException {
    shared = SharedDatabase.acquire(this, new BindingProperties(getProperties()));
    database = shared.database();
  }

  @Override
  public void cleanup() throws DBException {
    SharedDatabase<D> released = shared;
    shared = null;
    database = null;
    if (released != null) {
      released.release();
    }
  }

  @Override
  public final Status read(byte[] key, ValueBuffer value) {
    try {
      return get(key, value) ? Status.OK : Status.NOT_FOUND;
    } catch (Exception e) {
      return failed(e);
    }
  }

  @Override
  public final Status insert(byte[] key, ByteSource value) {
    return update(key, value);
  }

  @Override
  public final Status update(byte[] key, ByteSource value) {
    try {
      put(key, value);
      return Status.OK;
    } catch (Exception e) {
      return failed(e);
    }
  }

  @Override
  public final Status delete(byte[] key) {
    try {
      return remove(key) ? Status.OK : Status.NOT_FOUND;
    } catch (Exception e) {
      return failed(e);
    }
  }

  @Override
  public final Status batchInsert(List<byte[]> keys, List<? extends ByteSource> values) {
    try {
      putAll(keys, values);
      return Status.OK;
    } catch (Exception e) {
      return failed(e);
    }
  }

  @Override
  public final Status batchRead(List<byte[]> keys, List<ValueBuffer> values) {
    try {
      getAll(keys, values);
      for (ValueBuffer value : values) {
        if (value.isPresent()) {
          return Status.OK;
        }
      }
      return Status.NOT_FOUND;
    } catch (Exception e) {
      return failed(e);
    }
  }

  @Override
  public final Status batchDelete(List<byte[]> keys) {
    try {
      removeAll(keys);
      return Status.OK;
    } catch (Exception e) {
      return failed(e);
    }
  }

  @Override
  public final Status scan(byte[] start, int limit, RecordBuffer records) {
    return scanned(start, Optional.empty(), limit, records);
  }

  @Override
  public final Status prefixScan(byte[] prefix, int limit, RecordBuffer records) {
    return scanned(prefix, Prefixes.successor(prefix), limit, records);
  }

  private Status scanned(byte[] first, Optional<byte[]> end, int limit, RecordBuffer records) {
    try {
      scan(first, end, limit, records);
      return records.size() == 0 ? Status.NOT_FOUND : Status.OK;
    } catch (Exception e) {
      return failed(e);
    }
  }

  @Override
  public final SortedMap<String, String> facts() {
    try {
      return facts(database);
    } catch (Exception e) {
      return unknown(e);
    }
  }

  @Override
  public final SortedMap<String, String> reports() {
    try {
      return reports(database);
    } catch (Exception e) {
      return unknown(e);
    }
  }

  private static SortedMap<String, String> unknown(Exception e) {
    return new TreeMap<>(Map.of("unknown", message(e)));
  }

  private Status failed(Exception e) {
    if (e instanceof UnsupportedOperationException) {
      return Status.NOT_IMPLEMENTED;
    }
    ErrorLog.standard().report(getClass().getSimpleName() + ": " + message(e));
    return Status.ERROR;
  }

  /** Returns what {@code e} says, or its class if it says nothing. */
  static String message(Exception e) {
    return e.getMessage() == null ? e.toString() : e.getMessage();
  }
}

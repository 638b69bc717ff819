package kvrank.binding.embedded;

import java.io.File;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import kvrank.binding.BatchOperations;
import kvrank.binding.BindingProperties;
import kvrank.binding.ByteSource;
import kvrank.binding.EngineFacts;
import kvrank.binding.EngineReports;
import kvrank.binding.ErrorLog;
import kvrank.binding.KeyValueBinding;
import kvrank.binding.PrefixScan;
import kvrank.binding.Prefixes;
import kvrank.binding.RecordBuffer;
import kvrank.binding.ValueBuffer;
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
  private BindingProperties properties;

  /**
   * Opens the database in {@code directory}, which is there, as {@link #properties} say.
   *
   * @throws DBException if a property is wrong
   */
  protected abstract D open(Path directory) throws Exception;

  /** Reads the value under {@code key} into {@code value}; returns whether there is one. */
  protected abstract boolean get(byte[] key, ValueBuffer value) throws Exception;

  /** Inserts or replaces the value under {@code key}; a batch of one unless it is overridden. */
  protected void put(byte[] key, ByteSource value) throws Exception {
    putAll(List.of(key), List.of(value));
  }

  /**
   * Deletes the record under {@code key}; a batch of one unless it is overridden.
   *
   * @return false if it is known that there was none
   */
  protected boolean remove(byte[] key) throws Exception {
    return removeAll(List.of(key));
  }

  /** Inserts or replaces {@code values.get(i)} under {@code keys.get(i)}, all in one write. */
  protected void putAll(List<byte[]> keys, List<? extends ByteSource> values) throws Exception {
    throw new UnsupportedOperationException("batches");
  }

  /**
   * Deletes every key, all in one write.
   *
   * @return false if it is known that there was none of them
   */
  protected boolean removeAll(List<byte[]> keys) throws Exception {
    throw new UnsupportedOperationException("batches");
  }

  /** Reads every key, one after the other unless the engine has a call for it. */
  protected void getAll(List<byte[]> keys, List<ValueBuffer> values) throws Exception {
    for (int i = 0; i < keys.size(); i++) {
      get(keys.get(i), values.get(i));
    }
  }

  /**
   * Adds the records from {@code first} on to {@code records}, in ascending byte order of the keys,
   * until it wants no more.
   *
   * @param end the first key that it will not want, if there is such a key; for an engine that is
   *     faster if it knows
   */
  protected void scan(byte[] first, Optional<byte[]> end, RecordBuffer records) throws Exception {
    throw new UnsupportedOperationException("scans");
  }

  /** Begins the work of this thread with a database that is open. */
  protected void opened() throws Exception {}

  /** Ends the work of this thread; called once for each {@link #opened}, while it is still open. */
  protected void closing() throws Exception {}

  /** Adds what the engine says about itself: its version, and the settings that are in force. */
  protected abstract void addFacts(Map<String, Object> facts) throws Exception;

  /** Adds what the engine counted since the database was opened. */
  protected void addReports(Map<String, Object> reports) throws Exception {}

  /** Returns the version of the jar that holds {@code member}, as its manifest says. */
  protected static String versionOf(Class<?> member) throws Exception {
    URI place = member.getProtectionDomain().getCodeSource().getLocation().toURI();
    try (JarFile jar = new JarFile(new File(place))) {
      Attributes told = jar.getManifest().getMainAttributes();
      String version = told.getValue(Attributes.Name.IMPLEMENTATION_VERSION);
      return version == null ? told.getValue("Bundle-Version") : version;
    }
  }

  /** Returns the properties of this engine. */
  protected final BindingProperties properties() {
    return properties;
  }

  /** Returns the database, while this is open. */
  protected final D database() {
    return database;
  }

  @Override
  public final void init() throws DBException {
    properties = new BindingProperties(getProperties());
    shared = SharedDatabase.acquire(this);
    database = shared.database();
    try {
      opened();
    } catch (Exception e) {
      release();
      throw new DBException(getClass().getSimpleName() + ": " + message(e), e);
    }
  }

  @Override
  public final void cleanup() throws DBException {
    if (shared == null) {
      return;
    }
    try {
      closing();
    } catch (Exception e) {
      ErrorLog.standard().report(getClass().getSimpleName() + ": closing: " + message(e));
    } finally {
      release();
    }
  }

  private void release() throws DBException {
    SharedDatabase<D> released = shared;
    shared = null;
    database = null;
    released.release();
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
      records.bound(end, limit);
      if (limit > 0) {
        scan(first, end, records);
      }
      return records.size() == 0 ? Status.NOT_FOUND : Status.OK;
    } catch (Exception e) {
      return failed(e);
    }
  }

  @Override
  public final SortedMap<String, String> facts() {
    return told(this::addFacts);
  }

  @Override
  public final SortedMap<String, String> reports() {
    return told(this::addReports);
  }

  private interface Telling {
    void add(Map<String, Object> facts) throws Exception;
  }

  private static SortedMap<String, String> told(Telling telling) {
    Map<String, Object> facts = new TreeMap<>();
    try {
      telling.add(facts);
    } catch (Exception e) {
      facts.put("unknown", message(e));
    }
    SortedMap<String, String> texts = new TreeMap<>();
    facts.forEach((name, value) -> texts.put(name, value.toString()));
    return texts;
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

package kvrank.binding.embedded;

import java.io.File;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
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
import kvrank.binding.ReverseScan;
import kvrank.binding.ValueBuffer;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * A binding to an engine in this JVM. Each client thread has its own instance. The first one opens
 * the database in the directory of the property {@code dir}, all share it, and the last one closes
 * it.
 *
 * <p>A subclass opens the database and implements {@link #get}, and either {@link #put} and {@link
 * #remove} or {@link #putAll} and {@link #removeAll}. If a method throws, the operation is an
 * {@link Status#ERROR} and the message is logged. A method that is not overridden is {@link
 * Status#NOT_IMPLEMENTED}.
 *
 * @param <D> the database, which all threads use concurrently
 */
public abstract class EmbeddedBinding<D extends AutoCloseable> extends KeyValueBinding
    implements BatchOperations, PrefixScan, ReverseScan, EngineFacts, EngineReports {

  private SharedDatabase<D> shared;
  private D database;
  private BindingProperties properties;

  /**
   * Opens the database in {@code directory}, which exists, with the settings of {@link
   * #properties}.
   *
   * @throws DBException if a property is invalid
   */
  protected abstract D open(Path directory) throws Exception;

  /** Reads the value of {@code key} into {@code value}; returns whether there is one. */
  protected abstract boolean get(byte[] key, ValueBuffer value) throws Exception;

  /** Inserts or replaces the value of {@code key}; by default a batch of one. */
  protected void put(byte[] key, ByteSource value) throws Exception {
    putAll(List.of(key), List.of(value));
  }

  /**
   * Deletes the record of {@code key}; by default a batch of one.
   *
   * @return false if the engine reports that there was none
   */
  protected boolean remove(byte[] key) throws Exception {
    return removeAll(List.of(key));
  }

  /** Inserts or replaces the value of each key, in one write. */
  protected void putAll(List<byte[]> keys, List<? extends ByteSource> values) throws Exception {
    throw new UnsupportedOperationException("batches");
  }

  /**
   * Deletes every key, in one write.
   *
   * @return false if the engine reports that none existed
   */
  protected boolean removeAll(List<byte[]> keys) throws Exception {
    throw new UnsupportedOperationException("batches");
  }

  /** Reads every key; by default one after the other. */
  protected void getAll(List<byte[]> keys, List<ValueBuffer> values) throws Exception {
    for (int i = 0; i < keys.size(); i++) {
      get(keys.get(i), values.get(i));
    }
  }

  /**
   * Adds the records whose keys are {@code first} or greater to {@code records}, in ascending byte
   * order of their keys, until {@link RecordBuffer#add} returns false.
   *
   * @param end the first key beyond the scan, for engines that are faster with a bound; empty if
   *     the scan has no end
   */
  protected void scan(byte[] first, Optional<byte[]> end, RecordBuffer records) throws Exception {
    throw new UnsupportedOperationException("scans");
  }

  /**
   * Adds the records whose keys are smaller than {@code end} to {@code records}, in descending byte
   * order of their keys, until {@link RecordBuffer#add} returns false.
   */
  protected void scanBack(byte[] end, RecordBuffer records) throws Exception {
    throw new UnsupportedOperationException("reverse scans");
  }

  /** Called when the database is open, to make what this thread needs for itself. */
  protected void opened() throws Exception {}

  /** Called before the database is closed, to release what {@link #opened} made. */
  protected void closing() throws Exception {}

  /** Adds {@linkplain EngineFacts#facts facts}: the engine's version and its settings in force. */
  protected abstract void addFacts(Map<String, Object> facts) throws Exception;

  /** Adds {@linkplain EngineReports#reports counters} since the database was opened. */
  protected void addReports(Map<String, Object> reports) throws Exception {}

  /** Returns the version in the manifest of the jar that contains {@code member}. */
  protected static String versionOf(Class<?> member) throws Exception {
    URI location = member.getProtectionDomain().getCodeSource().getLocation().toURI();
    try (JarFile jar = new JarFile(new File(location))) {
      Attributes manifest = jar.getManifest().getMainAttributes();
      String version = manifest.getValue(Attributes.Name.IMPLEMENTATION_VERSION);
      return version == null ? manifest.getValue("Bundle-Version") : version;
    }
  }

  /** Returns the binding's properties. */
  protected final BindingProperties properties() {
    return properties;
  }

  /** Returns the database; null before it is open and after it is closed. */
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
      DBException failure = new DBException(getClass().getSimpleName() + ": " + message(e), e);
      try {
        release();
      } catch (DBException left) {
        failure.addSuppressed(left);
      }
      throw failure;
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
  public final Status reverseScan(byte[] start, int limit, RecordBuffer records) {
    // The smallest key that is greater.
    byte[] end = Arrays.copyOf(start, start.length + 1);
    return scannedBack(Optional.of(end), Optional.empty(), limit, records);
  }

  @Override
  public final Status reversePrefixScan(byte[] prefix, int limit, RecordBuffer records) {
    return scannedBack(Prefixes.successor(prefix), Optional.of(prefix), limit, records);
  }

  private Status scannedBack(
      Optional<byte[]> end, Optional<byte[]> floor, int limit, RecordBuffer records) {
    try {
      records.boundBelow(floor, limit);
      if (limit > 0) {
        scanBack(end.orElseThrow(() -> new UnsupportedOperationException("this prefix")), records);
      }
      return records.size() == 0 ? Status.NOT_FOUND : Status.OK;
    } catch (Exception e) {
      return failed(e);
    }
  }

  @Override
  public final SortedMap<String, String> facts() {
    return collect(this::addFacts);
  }

  @Override
  public final SortedMap<String, String> reports() {
    return collect(this::addReports);
  }

  private interface Source {
    void addTo(Map<String, Object> facts) throws Exception;
  }

  private static SortedMap<String, String> collect(Source source) {
    Map<String, Object> facts = new TreeMap<>();
    try {
      source.addTo(facts);
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

  /** Returns the message of {@code e}, or its class if it has none. */
  static String message(Exception e) {
    return e.getMessage() == null ? e.toString() : e.getMessage();
  }
}

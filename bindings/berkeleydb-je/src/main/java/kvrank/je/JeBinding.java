package kvrank.je;

import com.sleepycat.je.Cursor;
import com.sleepycat.je.CursorConfig;
import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseConfig;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.Durability;
import com.sleepycat.je.Environment;
import com.sleepycat.je.EnvironmentConfig;
import com.sleepycat.je.Get;
import com.sleepycat.je.JEVersion;
import com.sleepycat.je.LockConflictException;
import com.sleepycat.je.OperationStatus;
import com.sleepycat.je.Put;
import com.sleepycat.je.Transaction;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import kvrank.binding.ByteSource;
import kvrank.binding.EmbeddedBinding;
import kvrank.binding.RecordBuffer;
import kvrank.binding.ValueBuffer;

/**
 * Berkeley DB Java Edition in this JVM. A write is a transaction, and so is a batch; with the
 * property {@code sync} its log is on the device when it is acknowledged, without it in the file.
 */
public final class JeBinding extends EmbeddedBinding<JeBinding.Store> {

  record Store(Environment environment, Database records) implements AutoCloseable {

    @Override
    public void close() {
      records.close();
      environment.close();
    }
  }

  private interface Writes {
    boolean in(Transaction transaction);
  }

  @Override
  protected Store open(Path directory) throws Exception {
    EnvironmentConfig config = new EnvironmentConfig();
    config.setAllowCreate(true).setTransactional(true);
    config.setCacheSize(properties().number("cache-bytes", 1, Long.MAX_VALUE));
    config.setDurability(
        properties().flag("sync") ? Durability.COMMIT_SYNC : Durability.COMMIT_WRITE_NO_SYNC);
    Environment environment = new Environment(directory.toFile(), config);
    DatabaseConfig records = new DatabaseConfig().setAllowCreate(true).setTransactional(true);
    return new Store(environment, environment.openDatabase(null, "records", records));
  }

  @Override
  protected boolean get(byte[] key, ValueBuffer value) {
    DatabaseEntry found = new DatabaseEntry();
    boolean there =
        database().records.get(null, new DatabaseEntry(key), found, null)
            == OperationStatus.SUCCESS;
    if (there) {
      value.wrap(found.getData());
    }
    return there;
  }

  @Override
  protected void putAll(List<byte[]> keys, List<? extends ByteSource> values) {
    write(
        transaction -> {
          for (int i = 0; i < keys.size(); i++) {
            var value = new DatabaseEntry(values.get(i).toByteArray());
            var key = new DatabaseEntry(keys.get(i));
            database().records.put(transaction, key, value, Put.OVERWRITE, null);
          }
          return true;
        });
  }

  @Override
  protected boolean removeAll(List<byte[]> keys) {
    return write(
        transaction -> {
          boolean found = false;
          for (byte[] key : keys) {
            found |= database().records.delete(transaction, new DatabaseEntry(key), null) != null;
          }
          return found;
        });
  }

  /** Does {@code writes} again when their locks and those of others wait for each other. */
  private boolean write(Writes writes) {
    while (true) {
      Transaction transaction = database().environment.beginTransaction(null, null);
      try {
        boolean result = writes.in(transaction);
        transaction.commit();
        return result;
      } catch (LockConflictException e) {
        transaction.abort();
      } catch (RuntimeException e) {
        transaction.abort();
        throw e;
      }
    }
  }

  @Override
  protected void scan(byte[] first, Optional<byte[]> end, RecordBuffer found) {
    DatabaseEntry key = new DatabaseEntry(first);
    DatabaseEntry value = new DatabaseEntry();
    try (Cursor cursor = database().records.openCursor(null, CursorConfig.READ_COMMITTED)) {
      Get next = Get.SEARCH_GTE;
      while (cursor.get(key, value, next, null) != null
          && found.add(key.getData(), value.getData())) {
        next = Get.NEXT;
      }
    }
  }

  @Override
  protected void addFacts(Map<String, Object> facts) {
    EnvironmentConfig config = database().environment.getConfig();
    facts.put("version", JEVersion.CURRENT_VERSION);
    facts.put("sync", config.getDurability().getLocalSync() == Durability.SyncPolicy.SYNC);
    facts.put("durability", config.getDurability());
    facts.put("cache-bytes", config.getCacheSize());
  }

  @Override
  protected void addReports(Map<String, Object> reports) {
    var counted = database().environment.getStats(null);
    reports.put("log-fsyncs", counted.getNLogFSyncs());
    reports.put("cache-misses", counted.getNCacheMiss());
    reports.put("cleaner-runs", counted.getNCleanerRuns());
  }
}

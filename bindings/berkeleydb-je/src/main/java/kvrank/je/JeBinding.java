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
import com.sleepycat.je.Put;
import com.sleepycat.je.Transaction;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import kvrank.binding.ByteSource;
import kvrank.binding.RecordBuffer;
import kvrank.binding.ValueBuffer;
import kvrank.binding.embedded.TransactionBinding;

/**
 * Berkeley DB Java Edition in this JVM. A write is a transaction, and so is a batch; with the
 * property {@code sync} its log is on the device when it is acknowledged, without it in the file.
 */
public final class JeBinding extends TransactionBinding<JeBinding.Store, Transaction> {

  record Store(Environment environment, Database records) implements AutoCloseable {

    @Override
    public void close() {
      records.close();
      environment.close();
    }
  }

  @Override
  protected Store open(Path directory) throws Exception {
    EnvironmentConfig config = new EnvironmentConfig();
    config.setAllowCreate(true).setTransactional(true);
    config.setCacheSize(properties().number("cache-bytes", 1, Long.MAX_VALUE));
    config.setDurability(
        properties().flag("sync") ? Durability.COMMIT_SYNC : Durability.COMMIT_WRITE_NO_SYNC);
    // Its 500 ms are not much on a machine that is busy; a deadlock is found without it.
    config.setLockTimeout(30, TimeUnit.SECONDS);
    long millis = properties().number("sync-interval-millis", 0, Integer.MAX_VALUE);
    config.setConfigParam(EnvironmentConfig.LOG_FLUSH_SYNC_INTERVAL, millis + " ms");
    long fsyncTimeout = properties().number("fsync-timeout-millis", 10, Integer.MAX_VALUE);
    config.setConfigParam(EnvironmentConfig.LOG_FSYNC_TIMEOUT, fsyncTimeout + " ms");
    Environment environment = new Environment(directory.toFile(), config);
    DatabaseConfig records = new DatabaseConfig().setAllowCreate(true).setTransactional(true);
    return new Store(environment, environment.openDatabase(null, "records", records));
  }

  @Override
  protected boolean get(byte[] key, ValueBuffer value) {
    DatabaseEntry found = new DatabaseEntry();
    database().records.get(null, new DatabaseEntry(key), found, Get.SEARCH, null);
    return value.wrap(found.getData());
  }

  @Override
  protected void put(Transaction transaction, byte[] key, ByteSource value) {
    var bytes = new DatabaseEntry(value.toByteArray());
    database().records.put(transaction, new DatabaseEntry(key), bytes, Put.OVERWRITE, null);
  }

  @Override
  protected boolean remove(Transaction transaction, byte[] key) {
    return database().records.delete(transaction, new DatabaseEntry(key), null) != null;
  }

  /** Does {@code writes} again when their locks and those of others wait for each other. */
  @Override
  protected boolean write(Writes<Transaction> writes) {
    while (true) {
      Transaction transaction = database().environment.beginTransaction(null, null);
      try {
        boolean result = writes.apply(transaction);
        transaction.commit();
        return result;
      } catch (RuntimeException e) {
        transaction.abort();
        if (!(e instanceof LockConflictException)) {
          throw e;
        }
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
  protected void scanBack(byte[] end, RecordBuffer found) {
    DatabaseEntry key = new DatabaseEntry(end);
    DatabaseEntry value = new DatabaseEntry();
    try (Cursor cursor = database().records.openCursor(null, CursorConfig.READ_COMMITTED)) {
      Get next = cursor.get(key, value, Get.SEARCH_GTE, null) == null ? Get.LAST : Get.PREV;
      while (cursor.get(key, value, next, null) != null
          && found.add(key.getData(), value.getData())) {
        next = Get.PREV;
      }
    }
  }

  @Override
  protected void addFacts(Map<String, Object> facts) {
    EnvironmentConfig config = database().environment.getConfig();
    facts.put("version", JEVersion.CURRENT_VERSION);
    facts.put("sync", config.getDurability().getLocalSync() == Durability.SyncPolicy.SYNC);
    facts.put("durability", config.getDurability());
    String interval = config.getConfigParam(EnvironmentConfig.LOG_FLUSH_SYNC_INTERVAL);
    facts.put("sync-interval", interval);
    facts.put("fsync-timeout", config.getConfigParam(EnvironmentConfig.LOG_FSYNC_TIMEOUT));
    facts.put("cache-bytes", config.getCacheSize());
  }

  @Override
  protected void addReports(Map<String, Object> reports) {
    var counted = database().environment.getStats(null);
    reports.put("log-fsyncs", counted.getNLogFSyncs());
    reports.put("fsync-timeouts", counted.getNFSyncTimeouts());
    reports.put("cache-misses", counted.getNCacheMiss());
    reports.put("cleaner-runs", counted.getNCleanerRuns());
  }
}

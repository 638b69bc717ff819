package kvrank.sqlite;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import kvrank.binding.ByteSource;
import kvrank.binding.RecordBuffer;
import kvrank.binding.ValueBuffer;
import kvrank.binding.embedded.EmbeddedBinding;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.SynchronousMode;
import org.sqlite.SQLiteConfig.TransactionMode;
import org.sqlite.SQLiteDataSource;

/**
 * SQLite in this JVM: one table, clustered by key, with a write-ahead log. Each thread has a
 * connection and prepared statements. A write is a transaction, and so is a batch; with the
 * property {@code synchronous} of {@code full} its log is on the device when it is acknowledged.
 *
 * <p>Threads wait for a lock before they write. SQLite would let them sleep and try again.
 *
 * <p>{@code cache-bytes} is the size of the page caches of all connections together.
 */
public final class SqliteBinding extends EmbeddedBinding<SqliteBinding.Database> {

  private static final int BUSY_MILLIS = 10_000;

  private Connection connection;
  private PreparedStatement begin;
  private PreparedStatement commit;
  private PreparedStatement get;
  private PreparedStatement put;
  private PreparedStatement remove;
  private PreparedStatement scan;
  private PreparedStatement scanBack;

  /** The file, and the connections to it. */
  static final class Database implements AutoCloseable {

    private final Path file;
    private final SQLiteDataSource source;
    private final List<String> pragmas;
    private final long cacheBytes;
    private final List<Connection> connections = new ArrayList<>();

    Database(Path file, SQLiteConfig config, List<String> pragmas, long cacheBytes) {
      this.file = file;
      this.source = new SQLiteDataSource(config);
      source.setUrl("jdbc:sqlite:" + file);
      this.pragmas = pragmas;
      this.cacheBytes = cacheBytes;
    }

    synchronized Connection connect() throws SQLException {
      Connection connection = source.getConnection();
      for (String pragma : pragmas) {
        execute(connection, "PRAGMA " + pragma);
      }
      connections.add(connection);
      for (Connection each : connections) {
        execute(each, "PRAGMA cache_size=-" + cacheBytes / connections.size() / 1024);
      }
      return connection;
    }

    synchronized void disconnect(Connection connection) throws SQLException {
      connections.remove(connection);
      connection.close();
    }

    /** Returns the size of the page caches in force. */
    synchronized long cacheBytes() throws SQLException {
      long bytes = 0;
      for (Connection each : connections) {
        bytes -= 1024 * Long.parseLong(query(each, "PRAGMA cache_size"));
      }
      return bytes;
    }

    /** Does nothing: the last connection to close has moved the log to the database. */
    @Override
    public void close() {}
  }

  @Override
  @SuppressWarnings("try") // a failure of the end does not hide an earlier one
  protected Database open(Path directory) throws Exception {
    String synchronous = properties().choice("synchronous", "full", "normal", "off");
    SQLiteConfig config = new SQLiteConfig();
    config.setSynchronous(SynchronousMode.valueOf(synchronous.toUpperCase(Locale.ROOT)));
    config.setTransactionMode(TransactionMode.IMMEDIATE);
    config.setBusyTimeout(BUSY_MILLIS);
    // In this order: a database with a log keeps the size of its pages.
    List<String> pragmas =
        List.of(
            "page_size=" + properties().number("page-bytes", 512, 65536),
            "journal_mode=WAL",
            "wal_autocheckpoint=" + properties().number("checkpoint-pages", 1, Integer.MAX_VALUE),
            "mmap_size=" + properties().number("mmap-bytes", 0, Long.MAX_VALUE));
    long cache = properties().number("cache-bytes", 0, Long.MAX_VALUE);
    Database database = new Database(directory.resolve("records.db"), config, pragmas, cache);
    Connection first = database.connect();
    try (AutoCloseable end = () -> database.disconnect(first)) {
      execute(
          first,
          "CREATE TABLE IF NOT EXISTS records"
              + " (key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID");
    }
    return database;
  }

  @Override
  protected void opened() throws SQLException {
    connection = database().connect();
    // Unlike those of the driver, which are for writes.
    begin = connection.prepareStatement("BEGIN DEFERRED");
    commit = connection.prepareStatement("COMMIT");
    get = connection.prepareStatement("SELECT value FROM records WHERE key = ?");
    put = connection.prepareStatement("REPLACE INTO records VALUES (?, ?)");
    remove = connection.prepareStatement("DELETE FROM records WHERE key = ?");
    scan =
        connection.prepareStatement("SELECT key, value FROM records WHERE key >= ? ORDER BY key");
    scanBack =
        connection.prepareStatement(
            "SELECT key, value FROM records WHERE key < ? ORDER BY key DESC");
  }

  @Override
  protected void closing() throws SQLException {
    database().disconnect(connection);
  }

  @Override
  protected boolean get(byte[] key, ValueBuffer value) throws SQLException {
    get.setBytes(1, key);
    try (ResultSet row = get.executeQuery()) {
      return row.next() && value.wrap(row.getBytes(1));
    }
  }

  @Override
  @SuppressWarnings("try") // a failure of the end does not hide an earlier one
  protected void getAll(List<byte[]> keys, List<ValueBuffer> values) throws Exception {
    begin.executeUpdate();
    try (AutoCloseable end = commit::executeUpdate) {
      super.getAll(keys, values);
    }
  }

  @Override
  protected void put(byte[] key, ByteSource value) throws SQLException {
    put.setBytes(1, key);
    put.setBytes(2, value.toByteArray());
    synchronized (database()) {
      put.executeUpdate();
    }
  }

  @Override
  protected boolean remove(byte[] key) throws SQLException {
    remove.setBytes(1, key);
    synchronized (database()) {
      return remove.executeUpdate() > 0;
    }
  }

  @Override
  protected void putAll(List<byte[]> keys, List<? extends ByteSource> values) throws SQLException {
    transact(
        () -> {
          for (int i = 0; i < keys.size(); i++) {
            put(keys.get(i), values.get(i));
          }
          return true;
        });
  }

  @Override
  protected boolean removeAll(List<byte[]> keys) throws SQLException {
    return transact(
        () -> {
          boolean found = false;
          for (byte[] key : keys) {
            found |= remove(key);
          }
          return found;
        });
  }

  private interface Writes {
    boolean apply() throws SQLException;
  }

  private boolean transact(Writes writes) throws SQLException {
    synchronized (database()) {
      connection.setAutoCommit(false);
      try {
        boolean found = writes.apply();
        // Commits; commit() would begin another transaction.
        connection.setAutoCommit(true);
        return found;
      } catch (SQLException | RuntimeException e) {
        try {
          if (connection.getAutoCommit()) {
            execute(connection, "ROLLBACK"); // the commit failed
          } else {
            connection.rollback();
            connection.setAutoCommit(true);
          }
        } catch (SQLException ended) {
          e.addSuppressed(ended); // SQLite may have ended the transaction itself
        }
        throw e;
      }
    }
  }

  @Override
  protected void scan(byte[] first, Optional<byte[]> end, RecordBuffer found) throws SQLException {
    addRecords(scan, first, found);
  }

  @Override
  protected void scanBack(byte[] end, RecordBuffer found) throws SQLException {
    addRecords(scanBack, end, found);
  }

  private static void addRecords(PreparedStatement query, byte[] bound, RecordBuffer found)
      throws SQLException {
    query.setBytes(1, bound);
    try (ResultSet row = query.executeQuery()) {
      while (row.next() && found.add(row.getBytes(1), row.getBytes(2))) {}
    }
  }

  @Override
  protected void addFacts(Map<String, Object> facts) throws SQLException {
    int synchronous = Integer.parseInt(query(connection, "PRAGMA synchronous"));
    facts.put("version", query(connection, "SELECT sqlite_version()"));
    facts.put("journal-mode", query(connection, "PRAGMA journal_mode"));
    facts.put("synchronous", List.of("off", "normal", "full", "extra").get(synchronous));
    facts.put("page-bytes", query(connection, "PRAGMA page_size"));
    facts.put("checkpoint-pages", query(connection, "PRAGMA wal_autocheckpoint"));
    facts.put("mmap-bytes", query(connection, "PRAGMA mmap_size"));
    facts.put("block-cache-bytes", database().cacheBytes());
  }

  @Override
  protected void addReports(Map<String, Object> reports) throws Exception {
    reports.put("pages", query(connection, "PRAGMA page_count"));
    reports.put("free-pages", query(connection, "PRAGMA freelist_count"));
    reports.put("log-bytes", Files.size(Path.of(database().file + "-wal")));
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String query(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      return row.next() ? row.getString(1) : "";
    }
  }
}

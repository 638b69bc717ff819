package kvrank.rocksdb;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.ConfigOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.HistogramType;
import org.rocksdb.LRUCache;
import org.rocksdb.OptionsUtil;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksObject;
import org.rocksdb.Statistics;
import org.rocksdb.StatsLevel;
import org.rocksdb.WriteOptions;
import site.ycsb.DBException;

/**
 * An open database, shared by all bindings of this JVM that name its folder, and closed with the
 * last of them: RocksDB lets one process open a database once, and YCSB makes one binding per
 * client thread.
 */
final class SharedDatabase {

  private static final Map<Path, SharedDatabase> OPEN = new HashMap<>();

  private final RocksSettings settings;
  private final Deque<AutoCloseable> resources = new ArrayDeque<>();
  private final RocksDB database;
  private final WriteOptions writeOptions;
  private final Optional<Statistics> statistics;
  private int users;

  private SharedDatabase(RocksSettings settings) throws RocksDBException, IOException {
    this.settings = settings;
    RocksDB.loadLibrary();
    Files.createDirectories(settings.directory());
    try {
      statistics =
          settings.counting()
              ? Optional.of(keep(new Statistics(EnumSet.allOf(HistogramType.class))))
              : Optional.empty();
      DBOptions options = keep(new DBOptions());
      ColumnFamilyOptions table =
          settings.optionsFile().isPresent()
              ? read(settings.optionsFile().get(), options)
              : stated(settings);
      options.setCreateIfMissing(true);
      statistics.ifPresent(
          counted -> {
            counted.setStatsLevel(StatsLevel.EXCEPT_DETAILED_TIMERS);
            options.setStatistics(counted);
          });
      List<ColumnFamilyHandle> handles = new ArrayList<>();
      database =
          keep(
              RocksDB.open(
                  options,
                  settings.directory().toString(),
                  List.of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, table)),
                  handles));
      handles.forEach(resources::push);
      writeOptions = keep(new WriteOptions().setSync(settings.sync()));
    } catch (RocksDBException | RuntimeException e) {
      closeResources();
      throw e;
    }
  }

  /**
   * The database of {@code settings}, opened if it is not yet.
   *
   * @throws DBException if RocksDB cannot open it, or it is open with other settings
   */
  static SharedDatabase acquire(RocksSettings settings) throws DBException {
    synchronized (OPEN) {
      SharedDatabase shared = OPEN.get(settings.directory());
      if (shared == null) {
        try {
          shared = new SharedDatabase(settings);
        } catch (RocksDBException | IOException e) {
          throw new DBException(settings.directory() + ": " + e.getMessage(), e);
        }
        OPEN.put(settings.directory(), shared);
      }
      if (!shared.settings.equals(settings)) {
        throw new DBException(settings.directory() + " is open with other settings");
      }
      shared.users++;
      return shared;
    }
  }

  /** Gives one {@link #acquire} back. */
  void release() {
    synchronized (OPEN) {
      if (--users == 0) {
        OPEN.remove(settings.directory());
        closeResources();
      }
    }
  }

  RocksDB database() {
    return database;
  }

  WriteOptions writeOptions() {
    return writeOptions;
  }

  /** What RocksDB itself says: its version, and the options in force from its OPTIONS file. */
  SortedMap<String, String> facts() {
    SortedMap<String, String> facts = new TreeMap<>();
    facts.put("version", RocksDB.rocksdbVersion().toString());
    facts.put("sync", Boolean.toString(writeOptions.sync()));
    facts.put("disable-wal", Boolean.toString(writeOptions.disableWAL()));
    try {
      facts.put("block-cache-bytes", database.getProperty("rocksdb.block-cache-capacity"));
      facts.putAll(OptionsFile.newest(settings.directory()));
    } catch (RocksDBException | IOException e) {
      facts.put("options", "unknown: " + e.getMessage());
    }
    return facts;
  }

  /** What RocksDB counted since it was opened. */
  SortedMap<String, String> reports() {
    return new RocksReports(database, statistics).facts();
  }

  private ColumnFamilyOptions stated(RocksSettings settings) {
    BlockBasedTableConfig blocks =
        new BlockBasedTableConfig().setBlockCache(keep(new LRUCache(settings.blockCacheBytes())));
    if (settings.bloomBits() > 0) {
      blocks.setFilterPolicy(keep(new BloomFilter(settings.bloomBits())));
    }
    return keep(new ColumnFamilyOptions())
        .setTableFormatConfig(blocks)
        .setWriteBufferSize(settings.writeBufferBytes())
        .setCompressionType(settings.compression());
  }

  private ColumnFamilyOptions read(Path file, DBOptions options) throws RocksDBException {
    List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
    try (ConfigOptions strict = new ConfigOptions().setIgnoreUnknownOptions(false)) {
      OptionsUtil.loadOptionsFromFile(strict, file.toString(), options, descriptors);
    }
    descriptors.forEach(each -> keep(each.getOptions()));
    if (descriptors.size() != 1) {
      throw new RocksDBException(file + " has other column families than the default one");
    }
    return descriptors.get(0).getOptions();
  }

  private <R extends RocksObject> R keep(R resource) {
    resources.push(requireNonNull(resource, "resource is null"));
    return resource;
  }

  /** The database before the options that it uses. */
  private void closeResources() {
    while (!resources.isEmpty()) {
      try {
        resources.pop().close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }
}

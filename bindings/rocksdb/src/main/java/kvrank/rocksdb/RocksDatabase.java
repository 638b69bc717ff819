package kvrank.rocksdb;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.binding.EngineCounters;
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

/** An open database and the options that it uses. */
final class RocksDatabase implements AutoCloseable {

  private final Path directory;
  private final Deque<AutoCloseable> resources = new ArrayDeque<>();
  private final RocksDB rocks;
  private final WriteOptions writeOptions;
  private final Optional<Statistics> statistics;

  RocksDatabase(Path directory, RocksSettings settings) throws RocksDBException {
    this.directory = directory;
    RocksDB.loadLibrary();
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
      rocks =
          keep(
              RocksDB.open(
                  options,
                  directory.toString(),
                  List.of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, table)),
                  handles));
      handles.forEach(resources::push);
      writeOptions =
          keep(new WriteOptions().setSync(settings.sync()).setDisableWAL(settings.disableWal()));
    } catch (RocksDBException | RuntimeException e) {
      close();
      throw e;
    }
  }

  RocksDB rocks() {
    return rocks;
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
      facts.put("block-cache-bytes", rocks.getProperty("rocksdb.block-cache-capacity"));
      facts.putAll(OptionsFile.newest(directory));
      facts.computeIfAbsent("write-buffer-bytes", any -> facts.get("write_buffer_size"));
    } catch (RocksDBException | IOException e) {
      facts.put("options", "unknown: " + e.getMessage());
    }
    return facts;
  }

  /** What RocksDB counted since it was opened. */
  SortedMap<String, String> reports() {
    return new RocksReports(rocks, statistics).facts();
  }

  /** Adds what RocksDB is doing, from properties that it keeps anyway. */
  void addCounters(EngineCounters.Figures figures) throws RocksDBException {
    new RocksReports(rocks, statistics).addTo(figures);
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
        .setCompressionType(settings.compression())
        .setEnableBlobFiles(settings.blobBytes() > 0)
        .setMinBlobSize(settings.blobBytes())
        .setEnableBlobGarbageCollection(true)
        .setBlobCompressionType(settings.compression());
  }

  private ColumnFamilyOptions read(Path file, DBOptions options) throws RocksDBException {
    List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
    try (ConfigOptions strict = new ConfigOptions().setIgnoreUnknownOptions(false)) {
      OptionsUtil.loadOptionsFromFile(strict, file.toString(), options, descriptors);
    }
    descriptors.forEach(each -> keep(each.getOptions()));
    // RocksDB takes no db_paths and cf_paths from a file.
    requireOwnFolder(file, "wal_dir", options.walDir());
    requireOwnFolder(file, "db_log_dir", options.dbLogDir());
    if (descriptors.size() != 1) {
      throw new RocksDBException(file + " has other column families than the default one");
    }
    return descriptors.get(0).getOptions();
  }

  /** Rejects a foreign folder, in which RocksDB would leave, rename and remove files. */
  private void requireOwnFolder(Path file, String option, String value) throws RocksDBException {
    if (!value.isEmpty() && !Path.of(value).equals(directory)) {
      throw new RocksDBException(
          "%s: %s is '%s', and kvrank decides where data are; leave it out"
              .formatted(file, option, value));
    }
  }

  private <R extends RocksObject> R keep(R resource) {
    resources.push(resource);
    return resource;
  }

  /** Closes the database before the options that it uses. */
  @Override
  public void close() {
    while (!resources.isEmpty()) {
      try {
        resources.pop().close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }
}

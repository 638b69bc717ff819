package kvrank.rocksdb;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.binding.EngineCounters;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Statistics;
import org.rocksdb.TickerType;

/**
 * What RocksDB counts of its own work since it was opened. Its properties cost nothing: it keeps
 * them anyway. Hits of the block cache are only in its statistics, which cost time with each read.
 */
final class RocksReports {

  private static final double GIB = 1L << 30;

  private static final List<String> WORK =
      List.of(
          "rocksdb.num-running-flushes",
          "rocksdb.num-running-compactions",
          "rocksdb.mem-table-flush-pending",
          "rocksdb.compaction-pending");

  private static final List<TickerType> WRITTEN_BYTES =
      List.of(
          TickerType.WAL_FILE_BYTES, TickerType.FLUSH_WRITE_BYTES, TickerType.COMPACT_WRITE_BYTES);

  /** Of tables, by requests and by compactions. */
  private static final List<TickerType> READ_BYTES =
      List.of(TickerType.LAST_LEVEL_READ_BYTES, TickerType.NON_LAST_LEVEL_READ_BYTES);

  private static final List<TickerType> READS =
      List.of(TickerType.LAST_LEVEL_READ_COUNT, TickerType.NON_LAST_LEVEL_READ_COUNT);

  private final RocksDB database;
  private final Optional<Statistics> statistics;

  RocksReports(RocksDB database, Optional<Statistics> statistics) {
    this.database = database;
    this.statistics = statistics;
  }

  /**
   * The facts. {@code write-amplification} is what it wrote to its log and to its tables, by
   * flushes and by compactions, by what it was given to write.
   */
  SortedMap<String, String> facts() {
    SortedMap<String, String> facts = new TreeMap<>();
    try {
      Map<String, String> work = database.getMapProperty("rocksdb.dbstats");
      Map<String, String> tables = database.getMapProperty("rocksdb.cfstats");
      double given = number(work, "db.user_bytes_written");
      double log = number(work, "db.wal_bytes_written");
      double written = number(tables, "compaction.Sum.WriteGB") * GIB;
      facts.put("user-bytes-written", whole(given));
      facts.put("wal-bytes-written", whole(log));
      facts.put("wal-syncs", whole(number(work, "db.wal_syncs")));
      facts.put("write-stall-micros", whole(number(work, "db.user_write_stall_micros")));
      facts.put("table-bytes-written", whole(written));
      facts.put("table-bytes-read", whole(number(tables, "compaction.Sum.ReadGB") * GIB));
      facts.put("flushes-and-compactions", whole(number(tables, "compaction.Sum.CompCount")));
      facts.put("write-stops", whole(number(tables, "total-stops")));
      facts.put("write-delays", whole(number(tables, "total-delays")));
      if (given > 0) {
        facts.put(
            "write-amplification", String.format(Locale.ROOT, "%.3f", (log + written) / given));
      }
      facts.put("flushes", whole(number(tables, "compaction.L0.CompCount")));
      facts.put("block-cache-bytes", database.getProperty("rocksdb.block-cache-usage"));
      facts.put("memtable-bytes", database.getProperty("rocksdb.cur-size-all-mem-tables"));
      facts.put("live-data-bytes", database.getProperty("rocksdb.estimate-live-data-size"));
      facts.put("pending-bytes", database.getProperty("rocksdb.estimate-pending-compaction-bytes"));
      facts.put("pending-work", Long.toString(pendingWork()));
    } catch (RocksDBException e) {
      facts.put("properties", "unknown: " + e.getMessage());
    }
    statistics.ifPresent(counted -> add(facts, counted));
    return facts;
  }

  /** Returns flushes and compactions that run, and 1 for each kind that waits. */
  private long pendingWork() throws RocksDBException {
    long work = 0;
    for (String property : WORK) {
      work += database.getLongProperty(property);
    }
    return work;
  }

  /**
   * Adds what explains a stall: waiting flushes and compactions, and the limit on writes; and the
   * traffic of all files, of which RocksDB counts reads only in its statistics.
   */
  void addTo(EngineCounters.Figures figures) throws RocksDBException {
    figures.total(EngineCounters.Figures.STORAGE_WRITTEN, written());
    if (statistics.isPresent()) {
      figures.total(EngineCounters.Figures.STORAGE_READ, ticked(READ_BYTES));
      figures.total("storage-reads", ticked(READS));
    }
    gauge(figures, "pending-compaction-bytes", "rocksdb.estimate-pending-compaction-bytes");
    gauge(figures, "memtable-bytes", "rocksdb.cur-size-all-mem-tables");
    gauge(figures, "running-flushes", "rocksdb.num-running-flushes");
    gauge(figures, "running-compactions", "rocksdb.num-running-compactions");
    gauge(figures, "delayed-write-bytes", "rocksdb.actual-delayed-write-rate");
    gauge(figures, "writes-stopped", "rocksdb.is-write-stopped");
  }

  /** Returns bytes written to the log and to tables; a compaction's only once it has ended. */
  private double written() throws RocksDBException {
    if (statistics.isPresent()) {
      return ticked(WRITTEN_BYTES);
    }
    Map<String, String> tables = database.getMapProperty("rocksdb.cfstats");
    return number(database.getMapProperty("rocksdb.dbstats"), "db.wal_bytes_written")
        + number(tables, "compaction.Sum.WriteGB") * GIB;
  }

  /** Returns the sum of {@code tickers}, which also grow while a compaction runs. */
  private double ticked(List<TickerType> tickers) {
    return tickers.stream().mapToLong(statistics.orElseThrow()::getTickerCount).sum();
  }

  private void gauge(EngineCounters.Figures figures, String name, String property)
      throws RocksDBException {
    figures.gauge(name, (double) database.getLongProperty(property));
  }

  private static void add(SortedMap<String, String> facts, Statistics counted) {
    facts.put("block-cache-hits", count(counted, TickerType.BLOCK_CACHE_HIT));
    facts.put("block-cache-misses", count(counted, TickerType.BLOCK_CACHE_MISS));
    facts.put("bloom-filter-useful", count(counted, TickerType.BLOOM_FILTER_USEFUL));
    facts.put("memtable-hits", count(counted, TickerType.MEMTABLE_HIT));
  }

  private static String count(Statistics counted, TickerType ticker) {
    return Long.toString(counted.getTickerCount(ticker));
  }

  private static double number(Map<String, String> properties, String name) {
    return Double.parseDouble(properties.getOrDefault(name, "0"));
  }

  private static String whole(double number) {
    return Long.toString(Math.round(number));
  }
}

package kvrank.rocksdb;

import java.nio.file.Path;
import java.util.Optional;
import kvrank.binding.BindingProperties;
import org.rocksdb.CompressionType;
import site.ycsb.DBException;

/**
 * The binding's properties beside {@code dir}.
 *
 * @param sync {@code sync}: whether a write is acknowledged after its log is on the device
 * @param disableWal {@code disable-wal}: whether there is no log, and nothing is synced
 * @param blockCacheBytes {@code block-cache-bytes}: the size of the cache of uncompressed blocks
 * @param writeBufferBytes {@code write-buffer-bytes}: the size of one memtable
 * @param compression {@code compression}: of every level
 * @param bloomBits {@code bloom-bits}: per key, 0 for no filter
 * @param blobBytes {@code blob-bytes}: values from this size on are kept in files of their own,
 *     apart from the keys; 0 for none
 * @param optionsFile {@code options-file}: a file in RocksDB's own format instead of the five above
 * @param counting {@code statistics}: whether hits of the block cache are counted, which costs time
 */
record RocksSettings(
    boolean sync,
    boolean disableWal,
    long blockCacheBytes,
    long writeBufferBytes,
    CompressionType compression,
    int bloomBits,
    long blobBytes,
    Optional<Path> optionsFile,
    boolean counting) {

  /** Returns the settings that {@code properties} ask for. */
  static RocksSettings of(BindingProperties properties) throws DBException {
    String file = properties.text("options-file", "");
    return new RocksSettings(
        properties.flag("sync"),
        properties.flag("disable-wal"),
        properties.number("block-cache-bytes", 0, Long.MAX_VALUE),
        properties.number("write-buffer-bytes", 0, Long.MAX_VALUE),
        compression(properties),
        (int) properties.number("bloom-bits", 0, 100),
        properties.number("blob-bytes", 0, Long.MAX_VALUE, 0),
        file.isEmpty() ? Optional.empty() : Optional.of(Path.of(file).toAbsolutePath()),
        properties.choice("statistics", "none", "tickers").equals("tickers"));
  }

  private static CompressionType compression(BindingProperties properties) throws DBException {
    return switch (properties.choice("compression", "none", "snappy", "lz4", "zstd")) {
      case "snappy" -> CompressionType.SNAPPY_COMPRESSION;
      case "lz4" -> CompressionType.LZ4_COMPRESSION;
      case "zstd" -> CompressionType.ZSTD_COMPRESSION;
      default -> CompressionType.NO_COMPRESSION;
    };
  }
}

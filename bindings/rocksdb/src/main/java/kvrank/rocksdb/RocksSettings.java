package kvrank.rocksdb;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import org.rocksdb.CompressionType;
import site.ycsb.DBException;

/**
 * A binding's properties.
 *
 * @param directory {@code dir}: the folder of the database
 * @param sync {@code sync}: whether a write is acknowledged after its log is on the device
 * @param blockCacheBytes {@code block-cache-bytes}: the size of the cache of uncompressed blocks
 * @param writeBufferBytes {@code write-buffer-bytes}: the size of one memtable
 * @param compression {@code compression}: of every level
 * @param bloomBits {@code bloom-bits}: per key, 0 for no filter
 * @param optionsFile {@code options-file}: a file in RocksDB's own format instead of the four above
 * @param counting {@code statistics}: whether hits of the block cache are counted, which costs time
 */
record RocksSettings(
    Path directory,
    boolean sync,
    long blockCacheBytes,
    long writeBufferBytes,
    CompressionType compression,
    int bloomBits,
    Optional<Path> optionsFile,
    boolean counting) {

  private static final Map<String, CompressionType> COMPRESSIONS =
      new TreeMap<>(
          Map.of(
              "none", CompressionType.NO_COMPRESSION,
              "snappy", CompressionType.SNAPPY_COMPRESSION,
              "lz4", CompressionType.LZ4_COMPRESSION,
              "zstd", CompressionType.ZSTD_COMPRESSION));

  RocksSettings {
    requireNonNull(directory, "directory is null");
    requireNonNull(compression, "compression is null");
    requireNonNull(optionsFile, "optionsFile is null");
  }

  /**
   * Reads them.
   *
   * @throws DBException if one is missing or has a value that it cannot have
   */
  static RocksSettings of(Properties properties) throws DBException {
    String file = properties.getProperty("options-file", "");
    return new RocksSettings(
        Path.of(required(properties, "dir")).toAbsolutePath().normalize(),
        flag(properties, "sync"),
        number(properties, "block-cache-bytes", Long.MAX_VALUE),
        number(properties, "write-buffer-bytes", Long.MAX_VALUE),
        compression(properties),
        (int) number(properties, "bloom-bits", 100),
        file.isEmpty() ? Optional.empty() : Optional.of(Path.of(file).toAbsolutePath()),
        counting(properties));
  }

  private static String required(Properties properties, String name) throws DBException {
    String value = properties.getProperty(name);
    if (value == null || value.isEmpty()) {
      throw new DBException("the property '" + name + "' is missing");
    }
    return value;
  }

  private static boolean flag(Properties properties, String name) throws DBException {
    String value = required(properties, name);
    if (!value.equals("true") && !value.equals("false")) {
      throw new DBException("the property '" + name + "' is '" + value + "', not true or false");
    }
    return value.equals("true");
  }

  private static long number(Properties properties, String name, long most) throws DBException {
    String value = required(properties, name);
    try {
      long number = Long.parseLong(value);
      if (number >= 0 && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw new DBException("the property '" + name + "' is not a number: '" + value + "'", e);
    }
    throw new DBException("the property '" + name + "' is " + value + ", not in 0 to " + most);
  }

  private static boolean counting(Properties properties) throws DBException {
    String value = properties.getProperty("statistics", "none");
    if (!value.equals("none") && !value.equals("tickers")) {
      throw new DBException("the property 'statistics' is '" + value + "', not none or tickers");
    }
    return value.equals("tickers");
  }

  private static CompressionType compression(Properties properties) throws DBException {
    String value = required(properties, "compression");
    CompressionType compression = COMPRESSIONS.get(value);
    if (compression == null) {
      throw new DBException(
          "the property 'compression' is '" + value + "', not one of " + COMPRESSIONS.keySet());
    }
    return compression;
  }
}

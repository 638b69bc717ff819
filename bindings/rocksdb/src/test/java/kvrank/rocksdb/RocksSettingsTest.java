package kvrank.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import kvrank.binding.BindingProperties;
import org.junit.jupiter.api.Test;
import org.rocksdb.CompressionType;
import site.ycsb.DBException;

final class RocksSettingsTest {

  private final Properties properties = new Properties();

  RocksSettingsTest() {
    properties.putAll(
        Map.of(
            "sync", "true",
            "disable-wal", "false",
            "block-cache-bytes", "1000",
            "write-buffer-bytes", "2000",
            "compression", "lz4",
            "bloom-bits", "10",
            "blob-bytes", "64",
            "options-file", ""));
  }

  @Test
  void everyPropertyIsRead() throws Exception {
    assertThat(settings(properties))
        .isEqualTo(
            new RocksSettings(
                true,
                false,
                1000,
                2000,
                CompressionType.LZ4_COMPRESSION,
                10,
                64,
                Optional.empty(),
                false));
    properties.setProperty("options-file", "/etc/rocksdb.options");
    assertThat(settings(properties).optionsFile()).hasValue(Path.of("/etc/rocksdb.options"));
    properties.setProperty("statistics", "tickers");
    assertThat(settings(properties).counting()).isTrue();
  }

  @Test
  void aValueThatCannotBeIsRefused() {
    assertRefused("sync", "yes", "the property 'sync' is 'yes', not true or false");
    assertRefused("sync", "", "the property 'sync' is missing");
    assertRefused("bloom-bits", "101", "the property 'bloom-bits' is 101, not in 0 to 100");
    assertRefused("block-cache-bytes", "-1", "'block-cache-bytes' is -1, not 0 or more");
    assertRefused("write-buffer-bytes", "64MB", "'write-buffer-bytes' is not a number: '64MB'");
    assertRefused("statistics", "all", "'statistics' is 'all', not none or tickers");
    assertRefused("compression", "gzip", "'gzip', not none, snappy, lz4 or zstd");
  }

  private static RocksSettings settings(Properties properties) throws DBException {
    return RocksSettings.of(new BindingProperties(properties));
  }

  private void assertRefused(String name, String value, String message) {
    Properties changed = new Properties();
    changed.putAll(properties);
    changed.setProperty(name, value);
    assertThatThrownBy(() -> settings(changed))
        .isInstanceOf(DBException.class)
        .hasMessageContaining(message);
  }
}

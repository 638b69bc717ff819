package kvrank.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import kvrank.testkit.Counts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.CompressionType;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDBException;

/** RocksDB is in this JVM: nothing else is needed. */
final class RocksDatabaseTest {

  @TempDir Path folder;

  @Test
  void theOptionsInForceAreRocksDbsOwnWords() throws Exception {
    RocksDatabase opened = open(settings(Optional.empty()));
    assertThat(opened.facts())
        .containsEntry("sync", "true")
        .containsEntry("disable-wal", "false")
        .containsEntry("block-cache-bytes", "1048576")
        .containsEntry("write_buffer_size", "2097152")
        .containsEntry("compression", "kZSTD")
        .containsKeys("filter_policy", "max_background_jobs", "use_fsync")
        .extractingByKey("version")
        .asString()
        .matches("\\d+\\.\\d+\\.\\d+");
    opened.close();
  }

  @Test
  void anOptionsFileTakesThePlaceOfTheStatedOptions() throws Exception {
    Path file = folder.resolve("rocksdb.options");
    Files.writeString(
        file,
        """
        [Version]
          rocksdb_version=11.8.1
          options_file_version=1.1
        [DBOptions]
          max_background_jobs=3
        [CFOptions "default"]
          write_buffer_size=12345678
          compression=kLZ4Compression
        """);
    RocksDatabase opened = open(settings(Optional.of(file)));
    assertThat(opened.facts())
        .containsEntry("write_buffer_size", "12345678")
        .containsEntry("compression", "kLZ4Compression")
        .containsEntry("max_background_jobs", "3");
    opened.close();
  }

  @Test
  void anOptionsFileThatCannotBeReadIsSaidSo() throws Exception {
    Path file = folder.resolve("rocksdb.options");
    assertThatThrownBy(() -> open(settings(Optional.of(file))))
        .isInstanceOf(RocksDBException.class)
        .hasMessageContaining("rocksdb.options");
    Files.writeString(file, "nonsense");
    assertThatThrownBy(() -> open(settings(Optional.of(file))))
        .isInstanceOf(RocksDBException.class);
  }

  @Test
  void anOptionsFileThatLeadsElsewhereIsRefused() throws Exception {
    Path file = folder.resolve("rocksdb.options");
    Path elsewhere = folder.resolve("elsewhere");
    for (String option : List.of("wal_dir", "db_log_dir", "db_paths")) {
      Files.writeString(
          file,
          """
          [Version]
            rocksdb_version=11.8.1
            options_file_version=1.1
          [DBOptions]
            %s=%s
          [CFOptions "default"]
          """
              .formatted(option, elsewhere));
      assertThatThrownBy(() -> open(settings(Optional.of(file))))
          .isInstanceOf(RocksDBException.class)
          .hasMessageContaining(option);
      assertThat(elsewhere).doesNotExist();
    }
  }

  @Test
  void countsItsOwnWork() throws Exception {
    RocksDatabase opened = open(settings(Optional.empty(), true));
    Random random = new Random(1);
    byte[] value = new byte[10_000];
    int records = 1_000;
    for (int i = 0; i < records; i++) {
      random.nextBytes(value);
      opened.rocks().put(opened.writeOptions(), bytes("key" + i), value);
    }
    try (FlushOptions wait = new FlushOptions().setWaitForFlush(true)) {
      opened.rocks().flush(wait);
    }
    for (int i = 0; i < 100; i++) {
      assertThat(opened.rocks().get(bytes("key7"))).hasSize(value.length);
    }
    long user = (long) records * value.length;

    assertThat(opened.reports())
        .containsEntry("wal-syncs", Integer.toString(records))
        // A compaction that reads or replaces the table meanwhile changes a few.
        .hasEntrySatisfying(
            "block-cache-hits", hits -> assertThat(Integer.parseInt(hits)).isBetween(90, 110))
        .containsKeys("write-stall-micros", "write-stops", "table-bytes-read")
        .hasEntrySatisfying("user-bytes-written", bytes -> isAbout(bytes, user))
        .hasEntrySatisfying("wal-bytes-written", bytes -> isAbout(bytes, user))
        // Noise does not compress.
        .hasEntrySatisfying(
            "table-bytes-written",
            bytes -> assertThat(Double.parseDouble(bytes)).isGreaterThan(0.98 * user))
        .hasEntrySatisfying(
            "write-amplification",
            factor -> assertThat(Double.parseDouble(factor)).isGreaterThan(1.9));
    opened.close();
  }

  @Test
  void countsFlushesAndReportsNoWorkWhenIdle() throws Exception {
    RocksDatabase opened = open(settings(Optional.empty()));
    assertThat(opened.facts()).containsEntry("write-buffer-bytes", "2097152");
    assertThat(opened.reports()).containsEntry("flushes", "0");
    try (FlushOptions wait = new FlushOptions().setWaitForFlush(true)) {
      // Fewer than a compaction needs.
      for (int i = 0; i < 3; i++) {
        opened.rocks().put(opened.writeOptions(), bytes("key" + i), new byte[100]);
        opened.rocks().flush(wait);
      }
    }

    assertThat(opened.reports())
        .containsEntry("flushes", "3")
        .containsEntry("pending-bytes", "0")
        .containsEntry("pending-work", "0");
    opened.close();
  }

  @Test
  void hasFiguresOfWhatItIsDoing() throws Exception {
    RocksDatabase opened = open(settings(Optional.empty()));
    opened.rocks().put(opened.writeOptions(), bytes("key"), new byte[100_000]);
    Map<String, Double> figures = Counts.of(opened::addCounters);
    assertThat(figures)
        .containsKeys("pending-compaction-bytes", "running-flushes", "running-compactions")
        .containsEntry("writes-stopped", 0.0)
        .doesNotContainKey("storage-read-bytes");
    assertThat(figures.get("memtable-bytes")).isGreaterThan(100_000);
    // Its log.
    assertThat(figures.get("storage-written-bytes")).isBetween(100_000.0, 101_000.0);
    opened.close();
  }

  /** Linux counts the bytes of the calls with which RocksDB reads and writes its files. */
  @Test
  void countsTheTrafficOfItsFilesAsLinuxDoes() throws Exception {
    for (boolean counting : new boolean[] {false, true}) {
      RocksDatabase opened =
          new RocksDatabase(
              Files.createDirectory(folder.resolve(Boolean.toString(counting))),
              settings(Optional.empty(), counting));
      Random random = new Random(1);
      byte[] value = new byte[10_000];
      long written = Counts.called("wchar");
      long read = Counts.called("rchar");
      for (int i = 0; i < 3_000; i++) {
        random.nextBytes(value);
        opened.rocks().put(opened.writeOptions(), bytes("key" + i), value);
      }
      try (FlushOptions wait = new FlushOptions().setWaitForFlush(true)) {
        opened.rocks().flush(wait);
      }
      while (!opened.reports().get("pending-work").equals("0")) {
        Thread.sleep(50);
      }
      for (int i = 0; i < 3_000; i++) {
        assertThat(opened.rocks().get(bytes("key" + i))).hasSize(value.length);
      }
      written = Counts.called("wchar") - written;
      read = Counts.called("rchar") - read;
      Map<String, Double> figures = Counts.of(opened::addCounters);
      assertThat(figures.get("storage-written-bytes"))
          .isCloseTo((double) written, withinPercentage(3));
      if (counting) {
        assertThat(figures.get("storage-read-bytes")).isCloseTo((double) read, withinPercentage(3));
        assertThat(figures.get("storage-reads")).isGreaterThan(3_000 * 0.9);
      }
      opened.close();
    }
  }

  @Test
  void countsNoHitsUnlessAsked() throws Exception {
    RocksDatabase opened = open(settings(Optional.empty()));
    assertThat(opened.reports())
        .containsEntry("user-bytes-written", "0")
        .doesNotContainKeys("block-cache-hits", "write-amplification");
    opened.close();
  }

  private static void isAbout(String bytes, long expected) {
    assertThat(Long.parseLong(bytes)).isCloseTo(expected, withinPercentage(2));
  }

  private RocksDatabase open(RocksSettings settings) throws RocksDBException {
    return new RocksDatabase(folder, settings);
  }

  private static RocksSettings settings(Optional<Path> optionsFile) {
    return settings(optionsFile, false);
  }

  private static RocksSettings settings(Optional<Path> optionsFile, boolean counting) {
    return new RocksSettings(
        true,
        false,
        1 << 20,
        2 << 20,
        CompressionType.ZSTD_COMPRESSION,
        10,
        0,
        optionsFile,
        counting);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}

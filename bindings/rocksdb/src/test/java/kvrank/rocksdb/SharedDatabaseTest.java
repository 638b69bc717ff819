package kvrank.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.CompressionType;
import org.rocksdb.FlushOptions;
import site.ycsb.DBException;

/** RocksDB is in this JVM: nothing else is needed. */
final class SharedDatabaseTest {

  @TempDir Path folder;

  @Test
  void theLastUserClosesIt() throws Exception {
    RocksSettings settings = settings(Optional.empty());
    SharedDatabase first = SharedDatabase.acquire(settings);
    SharedDatabase second = SharedDatabase.acquire(settings);
    assertThat(second).isSameAs(first);
    first.release();
    second.database().put(second.writeOptions(), bytes("a"), bytes("1"));
    second.release();
    assertThat(first.database().isOwningHandle()).isFalse();

    SharedDatabase again = SharedDatabase.acquire(settings);
    assertThat(again).isNotSameAs(first);
    assertThat(again.database().get(bytes("a"))).isEqualTo(bytes("1"));
    again.release();
  }

  @Test
  void threadsMayComeAndGoAtOnce() throws Exception {
    RocksSettings settings = settings(Optional.empty());
    int threads = 8;
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    CyclicBarrier together = new CyclicBarrier(threads);
    try {
      List<Future<?>> results = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        byte[] key = {(byte) i};
        results.add(
            executor.submit(
                () -> {
                  for (int round = 0; round < 10; round++) {
                    together.await(30, TimeUnit.SECONDS);
                    SharedDatabase shared = SharedDatabase.acquire(settings);
                    shared.database().put(shared.writeOptions(), key, key);
                    shared.release();
                  }
                  return null;
                }));
      }
      for (Future<?> result : results) {
        result.get(1, TimeUnit.MINUTES);
      }
    } finally {
      executor.shutdownNow();
    }
  }

  @Test
  void otherSettingsForTheSameFolderAreRefused() throws Exception {
    SharedDatabase shared = SharedDatabase.acquire(settings(Optional.empty()));
    RocksSettings other = settings(Optional.of(Path.of("/nowhere")));
    assertThatThrownBy(() -> SharedDatabase.acquire(other))
        .isInstanceOf(DBException.class)
        .hasMessageContaining("open with other settings");
    shared.release();
  }

  @Test
  void theOptionsInForceAreRocksDbsOwnWords() throws Exception {
    SharedDatabase shared = SharedDatabase.acquire(settings(Optional.empty()));
    assertThat(shared.facts())
        .containsEntry("sync", "true")
        .containsEntry("disable-wal", "false")
        .containsEntry("block-cache-bytes", "1048576")
        .containsEntry("write_buffer_size", "2097152")
        .containsEntry("compression", "kZSTD")
        .containsKeys("filter_policy", "max_background_jobs", "use_fsync")
        .extractingByKey("version")
        .asString()
        .matches("\\d+\\.\\d+\\.\\d+");
    shared.release();
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
    SharedDatabase shared = SharedDatabase.acquire(settings(Optional.of(file)));
    assertThat(shared.facts())
        .containsEntry("write_buffer_size", "12345678")
        .containsEntry("compression", "kLZ4Compression")
        .containsEntry("max_background_jobs", "3");
    shared.release();
  }

  @Test
  void anOptionsFileThatCannotBeReadIsSaidSo() throws Exception {
    Path file = folder.resolve("rocksdb.options");
    assertThatThrownBy(() -> SharedDatabase.acquire(settings(Optional.of(file))))
        .isInstanceOf(DBException.class)
        .hasMessageContaining("rocksdb.options");
    Files.writeString(file, "nonsense");
    assertThatThrownBy(() -> SharedDatabase.acquire(settings(Optional.of(file))))
        .isInstanceOf(DBException.class);
  }

  @Test
  void countsItsOwnWork() throws Exception {
    SharedDatabase shared = SharedDatabase.acquire(settings(Optional.empty(), true));
    Random random = new Random(1);
    byte[] value = new byte[10_000];
    int records = 1_000;
    for (int i = 0; i < records; i++) {
      random.nextBytes(value);
      shared.database().put(shared.writeOptions(), bytes("key" + i), value);
    }
    try (FlushOptions wait = new FlushOptions().setWaitForFlush(true)) {
      shared.database().flush(wait);
    }
    for (int i = 0; i < 2; i++) {
      assertThat(shared.database().get(bytes("key7"))).hasSize(value.length);
    }
    long user = (long) records * value.length;

    assertThat(shared.reports())
        .containsEntry("wal-syncs", Integer.toString(records))
        .containsEntry("block-cache-hits", "1")
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
    shared.release();
  }

  @Test
  void countsNoHitsUnlessAsked() throws Exception {
    SharedDatabase shared = SharedDatabase.acquire(settings(Optional.empty()));
    assertThat(shared.reports())
        .containsEntry("user-bytes-written", "0")
        .doesNotContainKeys("block-cache-hits", "write-amplification");
    shared.release();
  }

  private static void isAbout(String bytes, long expected) {
    assertThat(Long.parseLong(bytes)).isCloseTo(expected, withinPercentage(2));
  }

  private RocksSettings settings(Optional<Path> optionsFile) {
    return settings(optionsFile, false);
  }

  private RocksSettings settings(Optional<Path> optionsFile, boolean counting) {
    return new RocksSettings(
        folder.resolve("database"),
        true,
        1 << 20,
        2 << 20,
        CompressionType.ZSTD_COMPRESSION,
        10,
        optionsFile,
        counting);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}

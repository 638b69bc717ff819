package kvrank.sqlite;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import kvrank.binding.ByteSource;
import kvrank.binding.RecordBuffer;
import kvrank.binding.ValueBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.Status;

/** SQLite is in this JVM: nothing else is needed. */
final class SqliteBindingTest {

  private static final int THREADS = 4;
  private static final int RECORDS = 500;

  @TempDir private Path folder;

  @Test
  void threadsWriteAndReadAtTheSameTime() throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(THREADS);
    SqliteBinding reader = opened();
    try {
      List<Future<?>> writers = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        int first = thread * RECORDS;
        writers.add(
            executor.submit(
                () -> {
                  SqliteBinding writer = opened();
                  for (int i = first; i < first + RECORDS; i++) {
                    assertThat(writer.insert(key(i), ByteSource.of(key(i)))).isEqualTo(Status.OK);
                    assertThat(writer.scan(key(i), 1, new RecordBuffer())).isEqualTo(Status.OK);
                  }
                  writer.cleanup();
                  return null;
                }));
      }
      for (Future<?> writer : writers) {
        writer.get(5, TimeUnit.MINUTES);
      }
    } finally {
      executor.shutdownNow();
    }
    RecordBuffer found = new RecordBuffer();
    assertThat(reader.scan(key(0), THREADS * RECORDS + 1, found)).isEqualTo(Status.OK);
    assertThat(found.size()).isEqualTo(THREADS * RECORDS);
    reader.cleanup();
  }

  /** Each connection has a cache. */
  @Test
  void theCacheIsThatOfAllConnectionsTogether() throws Exception {
    List<SqliteBinding> bindings = List.of(opened(), opened(), opened(), opened());
    for (SqliteBinding binding : bindings) {
      assertThat(binding.facts()).containsEntry("block-cache-bytes", Integer.toString(64 << 20));
    }
    for (SqliteBinding binding : bindings) {
      binding.cleanup();
    }
  }

  @Test
  void itReportsTheSettingsInForce() throws Exception {
    SqliteBinding binding = opened();
    assertThat(binding.facts())
        .containsEntry("checkpoint-pages", "900")
        .containsEntry("journal-mode", "wal")
        .containsEntry("mmap-bytes", "65536")
        .containsEntry("page-bytes", "8192")
        .containsEntry("synchronous", "off");
    binding.cleanup();
  }

  @Test
  void batchOfReadsLetsOthersWrite() throws Exception {
    SqliteBinding binding = opened();
    SqliteBinding other = opened();
    List<byte[]> keys = List.of(key(1), key(2), key(3));
    List<ByteSource> values = List.of(ByteSource.of(key(7)), ByteSource.of(key(8)));
    for (int round = 0; round < 2; round++) {
      assertThat(binding.batchInsert(keys.subList(0, 2), values)).isEqualTo(Status.OK);
      assertThat(other.insert(key(4), ByteSource.of(key(4)))).isEqualTo(Status.OK);
      List<ValueBuffer> found = List.of(new ValueBuffer(), new ValueBuffer(), new ValueBuffer());
      assertThat(other.batchRead(keys, found)).isEqualTo(Status.OK);
      assertThat(found.get(0).toByteArray()).isEqualTo(key(7));
      assertThat(found.get(1).toByteArray()).isEqualTo(key(8));
      assertThat(found.get(2).isPresent()).isFalse();
      assertThat(binding.batchDelete(keys)).isEqualTo(Status.OK);
      assertThat(other.read(key(1), new ValueBuffer())).isEqualTo(Status.NOT_FOUND);
    }
    binding.cleanup();
    other.cleanup();
  }

  private SqliteBinding opened() throws Exception {
    Properties properties = new Properties();
    properties.setProperty("dir", folder.toString());
    properties.setProperty("cache-bytes", Integer.toString(64 << 20));
    properties.setProperty("checkpoint-pages", "900");
    properties.setProperty("mmap-bytes", "65536");
    properties.setProperty("page-bytes", "8192");
    properties.setProperty("synchronous", "off");
    SqliteBinding binding = new SqliteBinding();
    binding.setProperties(properties);
    binding.init();
    return binding;
  }

  private static byte[] key(int i) {
    return String.format("%09d", i).getBytes(UTF_8);
  }
}

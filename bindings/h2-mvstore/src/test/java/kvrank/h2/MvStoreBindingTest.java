package kvrank.h2;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import kvrank.binding.ByteSource;
import kvrank.binding.RecordBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.Status;

/** MVStore is in this JVM: nothing else is needed. */
final class MvStoreBindingTest {

  private static final int RECORDS = 5_000;

  @TempDir Path folder;

  /** It was 'Chunk 377 not found': the space of old versions is used again at once. */
  @Test
  void aScanKeepsTheVersionThatItReads() throws Exception {
    MvStoreBinding writer = opened();
    List<byte[]> keys = IntStream.range(0, RECORDS).mapToObj(i -> number(i)).toList();
    assertThat(writer.batchInsert(keys, keys.stream().map(ByteSource::of).toList()))
        .isEqualTo(Status.OK);
    MvStoreBinding reader = opened();
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try {
      // Each write replaces all the pages that the previous one wrote.
      Future<?> writes =
          executor.submit(
              () -> {
                for (int i = 0; i < 2_000; i++) {
                  assertThat(writer.update(number(RECORDS - 1), ByteSource.of(number(i))))
                      .isEqualTo(Status.OK);
                }
              });
      while (!writes.isDone()) {
        assertAllAreThere(reader);
      }
      writes.get(5, TimeUnit.MINUTES);
    } finally {
      executor.shutdownNow();
    }
    writer.cleanup();
    reader.cleanup();
    MvStoreBinding again = opened();
    assertAllAreThere(again);
    again.cleanup();
  }

  private static void assertAllAreThere(MvStoreBinding binding) {
    RecordBuffer found = new RecordBuffer();
    assertThat(binding.scan(number(0), RECORDS + 1, found)).isEqualTo(Status.OK);
    assertThat(found.size()).isEqualTo(RECORDS);
  }

  private MvStoreBinding opened() throws Exception {
    Properties properties = new Properties();
    properties.setProperty("dir", folder.toString());
    properties.setProperty("cache-bytes", "0");
    properties.setProperty("retention-millis", "0");
    properties.setProperty("sync", "false");
    MvStoreBinding binding = new MvStoreBinding();
    binding.setProperties(properties);
    binding.init();
    return binding;
  }

  private static byte[] number(int i) {
    return String.format("%09d", i).getBytes(UTF_8);
  }
}

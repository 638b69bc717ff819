package kvrank.je;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import kvrank.binding.ByteSource;
import kvrank.binding.ValueBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.Status;

/** Berkeley DB is in this JVM: nothing else is needed. */
final class JeBindingTest {

  private static final byte[] KEY = "key".getBytes(UTF_8);
  private static final byte[] OTHER = "other".getBytes(UTF_8);

  @TempDir Path folder;

  /** It was 'Lock expired' after 500 ms, on a machine that had others to run. */
  @Test
  void aReadWaitsForAWriterThatIsHeldUp() throws Exception {
    JeBinding writer = opened();
    JeBinding reader = opened();
    CountDownLatch locked = new CountDownLatch(1);
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try {
      ByteSource value = ByteSource.of(KEY);
      ByteSource late = new HeldUp(value, locked);
      Future<Status> write =
          executor.submit(() -> writer.batchInsert(List.of(KEY, OTHER), List.of(value, late)));
      assertThat(locked.await(5, TimeUnit.MINUTES)).isTrue();
      assertThat(reader.read(KEY, new ValueBuffer())).isEqualTo(Status.OK);
      assertThat(write.get(5, TimeUnit.MINUTES)).isEqualTo(Status.OK);
    } finally {
      executor.shutdownNow();
    }
    writer.cleanup();
    reader.cleanup();
  }

  /** A value that a writer waits for in the middle of its transaction, as it has no CPU. */
  private record HeldUp(ByteSource value, CountDownLatch locked) implements ByteSource {

    @Override
    public int size() {
      locked.countDown();
      try {
        TimeUnit.MILLISECONDS.sleep(1_500);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return value.size();
    }

    @Override
    public void copyTo(byte[] target, int offset) {
      value.copyTo(target, offset);
    }

    @Override
    public void copyTo(ByteBuffer target) {
      value.copyTo(target);
    }
  }

  @Test
  void theTimeoutOfAGroupCommitIsAnOption() throws Exception {
    JeBinding binding = opened();
    assertThat(binding.facts()).containsEntry("fsync-timeout", "10 ms");
    binding.cleanup();
  }

  private JeBinding opened() throws Exception {
    Properties properties = new Properties();
    properties.setProperty("dir", folder.toString());
    properties.setProperty("cache-bytes", "10000000");
    properties.setProperty("sync", "false");
    properties.setProperty("sync-interval-millis", "0");
    properties.setProperty("fsync-timeout-millis", "10");
    JeBinding binding = new JeBinding();
    binding.setProperties(properties);
    binding.init();
    return binding;
  }
}

package kvrank.lmdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import kvrank.binding.ByteSource;
import kvrank.binding.RecordBuffer;
import kvrank.binding.ValueBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.Status;

/** LMDB is in this JVM: nothing else is needed. */
final class LmdbBindingTest {

  private static final int LONGEST_KEY = 511;

  @TempDir private Path folder;

  private final LmdbBinding binding = new LmdbBinding();

  @BeforeEach
  void open() throws Exception {
    Properties properties = new Properties();
    properties.setProperty("dir", folder.toString());
    properties.setProperty("map-bytes", Integer.toString(16 << 20));
    properties.setProperty("read-ahead", "true");
    properties.setProperty("sync", "false");
    binding.setProperties(properties);
    binding.init();
  }

  @AfterEach
  void close() throws Exception {
    binding.cleanup();
  }

  @Test
  void reverseScanStartsAtTheLongestKey() {
    for (byte i = 1; i <= 3; i++) {
      assertThat(binding.insert(key(i), ByteSource.of(new byte[] {i}))).isEqualTo(Status.OK);
    }
    RecordBuffer found = new RecordBuffer();
    assertThat(binding.reverseScan(key(2), 10, found)).isEqualTo(Status.OK);
    assertThat(found.size()).isEqualTo(2);
    assertThat(found.key(0)).isEqualTo(key(2));
    assertThat(found.key(1)).isEqualTo(key(1));
  }

  @Test
  void batchOfReadsFindsAll() {
    for (byte i = 1; i <= 2; i++) {
      assertThat(binding.insert(key(i), ByteSource.of(new byte[] {i}))).isEqualTo(Status.OK);
    }
    List<ValueBuffer> found = List.of(new ValueBuffer(), new ValueBuffer(), new ValueBuffer());
    assertThat(binding.batchRead(List.of(key(2), key(3), key(1)), found)).isEqualTo(Status.OK);
    assertThat(found.get(0).toByteArray()).containsExactly(2);
    assertThat(found.get(1).isPresent()).isFalse();
    assertThat(found.get(2).toByteArray()).containsExactly(1);
  }

  private static byte[] key(int i) {
    byte[] key = new byte[LONGEST_KEY];
    Arrays.fill(key, (byte) i);
    return key;
  }
}

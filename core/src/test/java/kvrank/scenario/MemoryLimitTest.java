package kvrank.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class MemoryLimitTest {

  @Test
  void isReadAsItIsWritten() {
    for (long bytes : new long[] {256L << 20, 512L << 20, 1L << 30, 6L << 30, 300_000_000}) {
      MemoryLimit limit = new MemoryLimit(bytes);
      assertThat(MemoryLimit.of(limit.toString())).contains(limit);
    }
    assertThat(new MemoryLimit(1L << 30)).hasToString("1GiB");
    assertThat(new MemoryLimit(1536L << 20)).hasToString("1536MiB");
    assertThat(new MemoryLimit(300_000_000)).hasToString("300000000B");
    assertThat(MemoryLimit.of("none")).isEmpty();
    assertThat(MemoryLimit.of("")).isEmpty();
  }

  @Test
  void heapAndCacheFitIntoIt() {
    Optional<MemoryLimit> limit = Optional.of(new MemoryLimit(1L << 30));

    assertThat(MemoryLimit.heap(limit)).isEqualTo(512L << 20);
    assertThat(MemoryLimit.cache(limit)).isEqualTo(256L << 20);
    assertThat(MemoryLimit.writeBuffer(limit)).isEqualTo(16L << 20);
    assertThat(MemoryLimit.writeBuffer(Optional.empty())).isEqualTo(64L << 20);
    assertThat(MemoryLimit.heap(Optional.empty())).isEqualTo(2L << 30);
    assertThat(MemoryLimit.cache(Optional.empty())).isEqualTo(512L << 20);
    // As without a limit where there is plenty.
    assertThat(MemoryLimit.heap(Optional.of(new MemoryLimit(64L << 30)))).isEqualTo(2L << 30);
  }
}

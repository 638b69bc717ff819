package kvrank.machine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JvmHeapTest {

  private static final String LOG =
      "[0.005s][debug][gc,heap,coops] Heap address: 0x0000000080000000, size: 2048 MB, Compressed"
          + " Oops mode: 32-bit\n";

  private static final String SMAPS =
      """
      7ffff000-80000000 rw-p 00000000 00:00 0
      Size:                  4 kB
      Rss:                   1 kB
      Pss:                   1 kB
      80000000-85580000 rw-p 00000000 00:00 0
      Size:              87552 kB
      KernelPageSize:        4 kB
      Rss:                1000 kB
      d5580000-100000000 rw-p 00000000 00:00 0
      Size:             699904 kB
      Rss:                 200 kB
      100000000-100080000 rw-p 00000000 00:00 0
      Rss:                  30 kB
      """;

  @Test
  void addsTheMappingsOfTheHeap() {
    assertThat(JvmHeap.resident(LOG, SMAPS)).hasValue(1_200 * 1024);
  }

  @Test
  void aJvmThatDoesNotTellItsAddressIsUnknown() {
    assertThat(JvmHeap.resident("", SMAPS)).isEmpty();
    assertThat(JvmHeap.resident(LOG, "")).hasValue(0);
  }
}

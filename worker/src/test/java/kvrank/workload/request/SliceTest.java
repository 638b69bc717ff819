package kvrank.workload.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SliceTest {

  @Test
  void everyThreadIsOfOneMachine() {
    for (int machines = 1; machines <= 9; machines++) {
      for (int threads = 1; threads <= 20; threads++) {
        int next = 0;
        for (int part = 0; part < machines; part++) {
          Slice slice = new Slice(part, machines);
          assertThat(slice.first(threads)).isEqualTo(next);
          assertThat(slice.size(threads)).isBetween(threads / machines, threads / machines + 1);
          next += slice.size(threads);
        }
        assertThat(next).isEqualTo(threads);
      }
    }
  }

  @Test
  void theOnlyThreadIsOfTheFirstMachine() {
    assertThat(Slice.of("0/4").size(1)).isOne();
    assertThat(Slice.of("3/4").size(1)).isZero();
  }

  @Test
  void whatIsNoSliceIsRefused() {
    for (String text : new String[] {"4/4", "-1/2", "1", "a/b"}) {
      assertThatThrownBy(() -> Slice.of(text)).isInstanceOf(IllegalArgumentException.class);
    }
  }
}

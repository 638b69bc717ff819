package kvrank.machine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BackgroundLoadTest {

  /** Others flood the loopback interface with packets, for more time than our processes use. */
  @Test
  void interruptsBeyondThoseOfOurPacketsAreOthers() {
    long[] before = {100, 0, 100, 100, 0, 0, 100, 0};
    long[] flooded = {120, 0, 122, 100, 0, 0, 158, 0};
    assertThat(others(before, flooded, 40, false)).isEqualTo(0.6);
    assertThat(others(before, flooded, 40, true)).isEqualTo(0.2);
    long[] ours = {130, 0, 130, 120, 0, 0, 120, 0};
    assertThat(others(before, ours, 60, true)).isZero();
    assertThat(others(before, ours, 60, false)).isEqualTo(0.2);
  }

  private static double others(long[] before, long[] now, double own, boolean packets) {
    return BackgroundLoad.shares(before, now, own, packets).orElseThrow().others();
  }
}

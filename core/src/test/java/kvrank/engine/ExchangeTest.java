package kvrank.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExchangeTest {

  private static final String TWO = "INFO memory\r\nPING\r\n";
  private static final String ARRAYS = "*2\r\n$4\r\nINFO\r\n$6\r\nmemory\r\n*1\r\n$4\r\nPING\r\n";

  @Test
  void linesBecomeArrays() {
    Exchange two = new Exchange(TWO, "PONG").inArrays();
    assertThat(two).isEqualTo(new Exchange(ARRAYS, "PONG"));
    assertThat(two.inArrays()).as("of arrays").isEqualTo(two);
    assertThat(two.words()).isEqualTo(new Exchange(TWO, "").words()).isEqualTo("INFO memory PING");
  }

  @Test
  void oneCommandHasOneAnswer() {
    Exchange ping = new Exchange("PING\r\n", "PONG");
    assertThat(ping.single()).isTrue();
    assertThat(ping.inArrays().single()).isTrue();
    assertThat(new Exchange(TWO, "").single()).isFalse();
    assertThat(new Exchange(ARRAYS, "").single()).isFalse();
  }
}

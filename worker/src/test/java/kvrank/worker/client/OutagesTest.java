package kvrank.worker.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class OutagesTest {

  private static Outages of(long... times) {
    Outages outages = new Outages();
    for (int i = 0; i < times.length; i += 2) {
      outages.add(times[i], times[i + 1]);
    }
    return outages;
  }

  private static Outages.Total total(Outages... clients) {
    return Outages.total(List.of(clients), 100, 1_000);
  }

  @Test
  void nothingFailed() {
    assertThat(total(of(), of())).isEqualTo(new Outages.Total(0, 0));
  }

  @Test
  void whatOverlapsCountsOnce() {
    assertThat(total(of(200, 300, 500, 510), of(250, 400))).isEqualTo(new Outages.Total(210, 200));
    assertThat(total(of(200, 400), of(250, 300))).isEqualTo(new Outages.Total(200, 200));
  }

  @Test
  void onlyTheMeasuredTimeCounts() {
    assertThat(total(of(10, 20, 50, 150), of(900, 1_100))).isEqualTo(new Outages.Total(150, 100));
    assertThat(total(of(1_000, 1_100))).isEqualTo(new Outages.Total(0, 0));
  }
}

package kvrank.provision.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.Set;
import kvrank.Wording;
import kvrank.failure.Cause;
import kvrank.failure.Failure;
import kvrank.provision.server.ConnectionWatch.Seen;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ConnectionCountTest {

  @RegisterExtension final Wording wording = new Wording();

  private static final long SECOND = 1_000_000_000;

  private static Optional<Failure> counted(long others, boolean open, long nanos) {
    return ConnectionCount.intrusion(others, open, nanos, Optional.empty());
  }

  private static Optional<Failure> sampled(Seen seen, long counted) {
    return ConnectionCount.intrusion(counted, false, SECOND, Optional.of(seen));
  }

  @Test
  void anyConnectionOfOthersVoidsTheStretchOfAnOpenServer() {
    assertThat(counted(0, true, SECOND)).isEmpty();
    Failure one = counted(1, true, SECOND).orElseThrow();
    assertThat(one.cause()).isEqualTo(Cause.OUTSIDER);
    wording.check(one.message());
  }

  @Test
  void connectionsThatAServerRefusesVoidItIfTheyAreMany() {
    assertThat(counted(1, false, SECOND / 2)).isEmpty();
    assertThat(counted(2, false, SECOND / 2)).isPresent();
    assertThat(counted(3, false, 30 * SECOND)).isEmpty();
    wording.check(counted(4, false, 30 * SECOND).orElseThrow().message());
  }

  @Test
  void aConnectionThatStaysVoidsItWhateverIsRefused() {
    assertThat(sampled(new Seen(0.5, 1, Set.of()), 0)).as("one sample").isEmpty();
    assertThat(sampled(new Seen(0.5, 1, Set.of()), 1)).isPresent();
    assertThat(sampled(new Seen(0.009, 5, Set.of()), 1)).isEmpty();
    Failure stays = sampled(new Seen(0.5, 5, Set.of("7", "1001")), 0).orElseThrow();
    assertThat(stays.cause()).isEqualTo(Cause.OUTSIDER);
    wording.check(stays.message());
  }
}

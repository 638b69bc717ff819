package kvrank.capture;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import kvrank.Wording;
import kvrank.workload.request.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Times to live of writes as MONITOR shows them, and what follows for a workload. */
class WriteTimesTest {

  @RegisterExtension final Wording wording = new Wording();

  private static final double NOW = 1_700_000_000.5;

  private final WriteTimes times = new WriteTimes();

  private void add(int key, String command) {
    String name = command.substring(0, command.indexOf(' '));
    List<byte[]> words =
        Arrays.stream(command.split(" ")).map(word -> word.getBytes(UTF_8)).toList();
    boolean writes =
        CommandMix.command(name).filter(known -> known.operation() == Operation.UPDATE).isPresent();
    times.add(key, new Monitored(NOW, "0", words), writes);
  }

  @Test
  void knowsEveryWayToSetATimeToLive() {
    for (int i = 0; i < 10; i++) {
      add(i, "set k v EX 30");
      add(i, "SET k v NX GET px 30000");
      add(i, "set k v EXAT 1700000030");
      add(i, "set k v pxat 1700000030500");
      add(i, "setex k 30 v");
      add(i, "psetex k 30000 v");
      add(i, "set k ex");
      add(i, "expire k 30");
      add(i, "mset k v");
      add(i, "pexpireat k 1700000030500");
      add(i, "set k v");
      add(i, "getset k v");
    }
    times.endWindow();

    assertThat(times.count()).isEqualTo(100);
    assertThat(times.share()).isCloseTo(0.8, within(1e-9));
    assertThat(times.seconds()).hasValue(30);
    assertThat(times.obstacle()).isEmpty();
  }

  /** A popular key that never has one does not decide for the others. */
  @Test
  void countsKeysAlike() {
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 4_000; i++) {
      int key = random.nextInt(2) == 0 ? 0 : random.nextInt(2_000);
      add(key, key % 10 < 7 ? "set k v" : "set k v EX 30");
    }

    assertThat(times.share()).isLessThan(0.2);
    assertThat(times.shareOfKeys()).isCloseTo(0.3, within(times.interval()));
    assertThat(times.interval()).isBetween(0.015, 0.035);
  }

  @Test
  void tellsWhatAWorkloadCannotExpress() {
    for (int i = 0; i < 100; i++) {
      add(i, "set k v EX 30");
      add(i, i < 80 ? "set k v KEEPTTL" : "incr k");
    }
    wording.check(times.obstacle());

    WriteTimes sliding = new WriteTimes();
    sliding.add(1, monitored("setex", "k", "30", "v"), true);
    for (int i = 0; i < 20; i++) {
      sliding.add(1, monitored("expire", "k", "30"), false);
    }
    wording.check(sliding.obstacle());
  }

  private static Monitored monitored(String... words) {
    return new Monitored(NOW, "0", Arrays.stream(words).map(word -> word.getBytes(UTF_8)).toList());
  }

  @Test
  void tellsSeveralTimesToLive() {
    for (int i = 0; i < 100; i++) {
      add(i, "setex k " + (i % 2 == 0 ? 30 : 600) + " v");
    }
    assertThat(times.seconds()).isEmpty();
    assertThat(times.quantile(0.1)).isEqualTo(30);
    assertThat(times.quantile(0.9)).isEqualTo(600);
  }

  private static final TimesToLive NONE = new TimesToLive(new long[0], 60);

  private static TimesToLive uniform(int count, int seconds) {
    SplittableRandom random = new SplittableRandom(1);
    return new TimesToLive(random.longs(count, 0, 1_000L * seconds).toArray(), 60);
  }

  private static Expiry unmonitored(TimesToLive rest, double share, double expired, double stated) {
    return Expiry.of(
        rest, share, 1_000, expired, stated, Optional.empty(), Optional.empty(), false);
  }

  /** As 30 % of writes look if the others make their keys last: few of the existing ones expire. */
  @Test
  void refusesAShareThatSurvivorsDoNotShow() {
    Expiry unknown = unmonitored(uniform(400, 30), 0.05, 30, 0);
    assertThat(unknown.share()).isEmpty();
    assertThat(unknown.seconds()).hasValue(30);
    assertThat(unknown.ttl()).isEmpty();
    assertThat(unknown.evidence()).contains("5.00 % of the existing keys", "Use --accesses");

    assertThat(unmonitored(uniform(400, 30), 1, 30, 0).ttl().orElseThrow().share()).isEqualTo(1);
    assertThat(unmonitored(uniform(400, 30), 0.05, 30, 1).share()).hasValue(1.0);
    assertThat(unmonitored(NONE, 0, 0, 0).evidence()).isEmpty();
  }

  /** Of 1,000 keys that live for 30 s, 33 expire in a second. */
  @Test
  void noticesTimesToLiveTooShortToBeSeen() {
    assertThat(unmonitored(uniform(400, 30), 1, 33, 0).seconds()).hasValue(30);
    Expiry hidden = unmonitored(uniform(400, 30), 1, 330, 0);
    assertThat(hidden.seconds()).isEqualTo(OptionalInt.empty());
    assertThat(hidden.evidence()).contains("there are others, too short to be seen");
  }
}

package kvrank.run.crash;

import static kvrank.provision.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import kvrank.failure.Cause;
import kvrank.failure.Failure;
import kvrank.machine.MachineCheck;
import kvrank.provision.host.ProvisionException;
import kvrank.provision.server.ConnectionWatch;
import kvrank.provision.server.PortTakenException;
import kvrank.provision.server.ServerAddress;
import kvrank.run.worker.BrokenException;
import org.junit.jupiter.api.Test;

class CrashTrialsTest {

  @Test
  void whatSomebodyStopsIsContinued() throws Exception {
    Process process = new ProcessBuilder("sh", "-c", "kill -STOP $$; exit 7").start();
    try {
      eventually("it stops", () -> MachineCheck.stopped(OptionalLong.of(process.pid())));
      CrashTrials.continueStopped();
      assertThat(process.waitFor()).isEqualTo(7);
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void connectionsOfOthersVoidTheWrites() throws Exception {
    CrashBlame.refuseOthers(Optional.empty());
    CrashBlame.refuseOthers(Optional.of(new ConnectionWatch.Seen(0, 0, Set.of())));
    ConnectionWatch.Seen others = new ConnectionWatch.Seen(0.5, 10, Set.of("12345"));
    BrokenException broken =
        catchThrowableOfType(
            BrokenException.class, () -> CrashBlame.refuseOthers(Optional.of(others)));
    assertThat(broken.failure().cause()).isEqualTo(Cause.OUTSIDER);
    assertThat(broken.failure().message())
        .startsWith("another program of user 12345 was connected");
  }

  @Test
  void anyConnectionOfOthersVoidsTheCheckOfAnOpenServer() {
    ConnectionWatch.Seen none = new ConnectionWatch.Seen(0, 0, Set.of());
    ConnectionWatch.Seen some = new ConnectionWatch.Seen(0.5, 10, Set.of("12345"));
    assertThat(CrashBlame.intrusion(true, 2, Optional.of(none)).orElseThrow().cause())
        .isEqualTo(Cause.OUTSIDER);
    assertThat(CrashBlame.intrusion(true, 0, Optional.of(some)).orElseThrow().message())
        .startsWith("another program of user 12345 was connected");
    assertThat(CrashBlame.intrusion(true, 0, Optional.of(none))).isEmpty();
    assertThat(CrashBlame.intrusion(true, 0, Optional.empty())).isEmpty();
    assertThat(CrashBlame.intrusion(false, 2, Optional.of(some))).isEmpty();
  }

  @Test
  void aServerFullOfOthersIsExcusedEachTime() {
    List<Cause> hidden = new ArrayList<>();
    BrokenException failed = new BrokenException(new Failure(Cause.OUTSIDER, "it is full"));
    for (int attempt = 1; attempt <= 3; attempt++) {
      assertThat(CrashBlame.excused(failed, true, hidden)).isTrue();
    }
    assertThat(CrashBlame.excused(failed, false, hidden)).isTrue();
    assertThat(CrashBlame.excused(failed, false, hidden)).as("for an unknown reason").isFalse();
    BrokenException own = new BrokenException(new Failure(Cause.ENGINE, "it failed"));
    assertThat(CrashBlame.excused(own, false, new ArrayList<>())).isFalse();
  }

  @Test
  void anotherProgramOnItsPortIsNeverTheEnginesWayToHideALoss() {
    ServerAddress place = new ServerAddress("127.0.0.1", 7, ServerAddress.Kind.LOOPBACK);
    PortTakenException taken = new PortTakenException(place, "a program of user 12345");
    assertThat(CrashBlame.ofOthers(new ProvisionException(taken.failure(), taken))).isTrue();
    Failure ended = new Failure(Cause.OUTSIDER, "redis exited with status 0");
    assertThat(CrashBlame.ofOthers(new ProvisionException(ended, null))).isFalse();
  }
}

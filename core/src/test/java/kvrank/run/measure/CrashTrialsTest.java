package kvrank.run.measure;

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
import kvrank.results.CrashTrialResult.LostWrites;
import kvrank.run.worker.WorkerProcess.BrokenException;
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
    CrashTrials.refuseOthers(Optional.empty());
    CrashTrials.refuseOthers(Optional.of(new ConnectionWatch.Seen(0, 0, Set.of())));
    ConnectionWatch.Seen others = new ConnectionWatch.Seen(0.5, 10, Set.of("12345"));
    BrokenException broken =
        catchThrowableOfType(
            BrokenException.class, () -> CrashTrials.refuseOthers(Optional.of(others)));
    assertThat(broken.failure().cause()).isEqualTo(Cause.OUTSIDER);
    assertThat(broken.failure().message())
        .startsWith("another program of user 12345 was connected");
  }

  @Test
  void lossesAreNotTheEnginesIfOthersWereConnectedWithoutAPassword() {
    LostWrites lost =
        new LostWrites(9, 1, 0, 0, 0, 0, "a", OptionalLong.empty(), OptionalLong.empty());
    LostWrites none =
        new LostWrites(9, 0, 0, 0, 0, 0, "", OptionalLong.empty(), OptionalLong.empty());
    assertThat(CrashTrials.intrusion(lost, true, 2).orElseThrow().cause())
        .isEqualTo(Cause.OUTSIDER);
    assertThat(CrashTrials.intrusion(lost, true, 0)).isEmpty();
    assertThat(CrashTrials.intrusion(lost, false, 2)).isEmpty();
    assertThat(CrashTrials.intrusion(none, true, 2)).isEmpty();
  }

  @Test
  void aServerFullOfOthersIsExcusedEachTime() {
    List<Cause> hidden = new ArrayList<>();
    BrokenException failed = new BrokenException(new Failure(Cause.OUTSIDER, "it is full"));
    for (int attempt = 1; attempt <= 3; attempt++) {
      assertThat(CrashTrials.excused(failed, true, hidden)).isTrue();
    }
    assertThat(CrashTrials.excused(failed, false, hidden)).isTrue();
    assertThat(CrashTrials.excused(failed, false, hidden)).as("for an unknown reason").isFalse();
    BrokenException own = new BrokenException(new Failure(Cause.ENGINE, "it failed"));
    assertThat(CrashTrials.excused(own, false, new ArrayList<>())).isFalse();
  }

  @Test
  void anotherProgramOnItsPortIsNeverTheEnginesWayToHideALoss() {
    ServerAddress place = new ServerAddress("127.0.0.1", 7, ServerAddress.Kind.LOOPBACK);
    PortTakenException taken = new PortTakenException(place, "a program of user 12345");
    assertThat(CrashTrials.ofOthers(new ProvisionException(taken.failure(), taken))).isTrue();
    Failure ended = new Failure(Cause.OUTSIDER, "redis exited with status 0");
    assertThat(CrashTrials.ofOthers(new ProvisionException(ended, null))).isFalse();
  }
}

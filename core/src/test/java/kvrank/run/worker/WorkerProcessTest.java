package kvrank.run.worker;

import static kvrank.provision.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import kvrank.Wording;
import kvrank.binding.ByteSource;
import kvrank.failure.Cause;
import kvrank.failure.Failure;
import kvrank.provision.host.PidNamespace;
import kvrank.provision.host.Signal;
import kvrank.worker.Main;
import kvrank.worker.protocol.WorkerCommand;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class WorkerProcessTest {

  @RegisterExtension final Wording wording = new Wording();

  @TempDir private Path folder;

  @Test
  void aWorkerThatDoesNotEndIsKilledAndReported() throws Exception {
    Path log = folder.resolve("worker.log");
    try (WorkerProcess ended = start(List.of("-version"), log)) {
      assertThat(ended.stop(Duration.ofMinutes(1))).isEmpty();
    }
    try (WorkerProcess failed = start(List.of(), log)) {
      failed.tell(new WorkerCommand.Start("get"));
      wording.check(failed.stop(Duration.ofMinutes(1)).orElseThrow());
    }
    try (WorkerProcess hung = start(List.of(), log)) {
      wording.check(hung.stop(Duration.ZERO).orElseThrow());
    }
  }

  @Test
  void aWorkerThatSomeoneElseKillsIsNotTheEnginesFault() throws Exception {
    try (WorkerProcess killed = start(List.of(), folder.resolve("worker.log"))) {
      assertThat(killed.dead()).isFalse();
      ProcessHandle process = ProcessHandle.of(killed.pids().get(0)).orElseThrow();
      assertThat(process.destroyForcibly()).isTrue();
      eventually("its namespace has ended", killed::dead);
      assertThat(killed.death(Cause.ENGINE).orElseThrow().cause()).isEqualTo(Cause.OUTSIDER);
    }
    try (WorkerProcess refused = start(List.of("-XX:+NoSuchFlag"), folder.resolve("worker.log"))) {
      eventually("it has ended", refused::dead);
      Failure death = refused.death(Cause.HARNESS).orElseThrow();
      assertThat(death.cause()).isEqualTo(Cause.HARNESS);
      assertThat(death.message()).contains("ended with exit status 1", "NoSuchFlag");
    }
  }

  @Test
  void noProcessOfItsNamespaceOutlivesIt() throws Exception {
    assumeThat(PidNamespace.problem()).isEmpty();
    Process other;
    try (WorkerProcess worker = start(List.of(), folder.resolve("worker.log"))) {
      String namespace = "--pid=/proc/%d/ns/pid".formatted(worker.pids().get(0));
      other = new ProcessBuilder("nsenter", namespace, "sleep", "1000").start();
      eventually("it runs there", () -> other.children().findAny().isPresent());
      assertThat(other.isAlive()).isTrue();
    }
    eventually("it ends", () -> !other.isAlive());
  }

  @Test
  void aCrashFileIsFoundInAFolderOfAnyName() throws Exception {
    Path log = Files.createDirectory(folder.resolve("100%p %% ü")).resolve("worker.log");
    try (WorkerProcess worker = start(List.of(), log)) {
      Path status = Path.of("/proc/%d/status".formatted(worker.pids().get(0)));
      String caught = "(?s).*SigCgt:\\s*[0-9a-f]*[4-7c-f][0-9a-f]{2}\n.*";
      eventually("it would see the signal", () -> Files.readString(status).matches(caught));
      assertThat(Signal.send("SEGV", worker.pids().get(0))).isTrue();
      assertThat(worker.stop(Duration.ofMinutes(1)))
          .hasValueSatisfying(how -> assertThat(how).contains(": SIGSEGV (0xb) in "));
    }
  }

  private static WorkerProcess start(List<String> jvm, Path log) throws IOException {
    return WorkerProcess.start(
        Optional.empty(),
        Optional.empty(),
        List.of(),
        location(Main.class) + File.pathSeparator + location(ByteSource.class),
        jvm,
        new TreeMap<>(),
        log);
  }

  private static String location(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation().getPath();
  }
}

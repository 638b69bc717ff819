package kvrank.provision;

import static kvrank.provision.Eventually.eventually;
import static kvrank.provision.Eventually.runs;
import static kvrank.provision.server.TestRedis.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import kvrank.Skip;
import kvrank.engine.Fsync;
import kvrank.fact.Fact;
import kvrank.failure.Cause;
import kvrank.failure.Failure;
import kvrank.provision.host.PidNamespace;
import kvrank.provision.host.ProvisionException;
import kvrank.provision.server.Server;
import kvrank.provision.server.ServerSpec;
import org.junit.jupiter.api.Test;

/** Real Redis processes that are killed, start again, and are closed. */
class EndedServerIT extends LocalServers {

  @Test
  void reportsTheSignalOfAKill() throws Exception {
    try (Server server = start(redis.bundled().spec(), Fsync.OFF)) {
      assertThat(ProcessHandle.of(pid(server)).orElseThrow().destroyForcibly()).isTrue();
      eventually("the death is noticed", () -> server.death().isPresent());
      Failure death = server.death().orElseThrow();
      assertThat(death.cause()).isEqualTo(Cause.OUTSIDER);
      assertThat(death.message())
          .startsWith("redis was killed by SIGKILL (exit status 137). The end of its log (" + log)
          .contains("Ready to accept connections");
    }
    assertThat(data).doesNotExist();
  }

  @Test
  void aKilledServerComesBackOnItsData() throws Exception {
    Server server = start(redis.bundled().spec(), Fsync.ON);
    long first = pid(server);
    assertThat(ask(server, "SET a b\r\n", "\\+OK")).isPresent();
    assertThat(server.kill()).isEqualTo("was killed by SIGKILL (exit status 137)");
    assertThat(runs(first)).isFalse();
    assertThat(server.death()).isPresent();

    server.restart();

    assertThat(server.death()).isEmpty();
    assertThat(pid(server)).isNotEqualTo(first);
    assertThat(server.facts().asMap()).containsEntry("pid", Long.toString(pid(server)));
    assertThat(ask(server, "GET a\r\n", "\\$1\r\n(.)")).contains("b");
    long second = pid(server);
    server.close();
    assertThat(runs(second)).isFalse();
    assertThat(data).doesNotExist();
  }

  @Test
  void aKillReachesWhatAScriptStarted() throws Exception {
    Path executable = redis.executable();
    Path script = script("'" + executable + "' \"$@\" &", "wait");
    try (Server server = start(redis.process(script).spec(), Fsync.OFF)) {
      long pid = pid(server);
      server.kill();
      assertThat(runs(pid)).isFalse();
      server.restart();
      assertThat(ask(server, "PING\r\n", "PONG")).isPresent();
    }
  }

  @Test
  void aServerThatDoesNotComeBackIsShownByTheEndOfItsLog() throws Exception {
    Server server = start(redis.bundled().spec(), Fsync.ON);
    server.kill();
    Files.writeString(data.resolve("appendonly.aof"), "no command of Redis\r\n");
    assertThatThrownBy(server::restart)
        .isInstanceOf(ProvisionException.class)
        .hasMessageStartingWith("redis is not ready: it exited with status 1. The end of its log")
        .hasMessageContaining("Bad file format");
    // A further try might hide a loss.
    assertThat(log).content().containsOnlyOnce("Bad file format");
    assertThat(data).isDirectory();
    server.close();
    assertThat(data).doesNotExist();
  }

  @Test
  void aDiskThatAnotherUserFilledAndFreedIsTheFaultOfTheMachine() throws Exception {
    Path disk = Files.createDirectories(data.getParent());
    if (run("mount", "-t", "tmpfs", "-o", "size=32m", "none", disk.toString()) != 0) {
      Skip.test("no disk is filled", "only root can mount a tmpfs");
    }
    try {
      Failure reported = new Failure(Cause.ENGINE, "2 operations failed");
      try (Server server = start(redis.bundled().spec(), Fsync.OFF)) {
        assertThat(server.explained(reported)).isEqualTo(reported);
        Path fill = disk.resolve("fill");
        assertThat(run("dd", "if=/dev/zero", "of=" + fill, "bs=1M")).isNotZero();
        server.explained(reported);
        Files.delete(fill);
        assertThat(server.explained(reported).cause()).isEqualTo(Cause.MACHINE);
      }
    } finally {
      assertThat(run("umount", disk.toString())).isZero();
    }
  }

  private static int run(String... command) throws Exception {
    return new ProcessBuilder(command).inheritIO().start().waitFor();
  }

  @Test
  void closingInTheMiddleOfARestartEndsIt() throws Exception {
    Path executable = redis.executable();
    Path pidFile = folder.resolve("pid");
    Path script =
        script(
            "if [ -e again ]; then",
            "  echo $$ >'" + folder + "/new'",
            "  mv '" + folder + "/new' '" + pidFile + "'",
            "  exec sleep 1000",
            "fi",
            "touch again",
            "exec '" + executable + "' \"$@\"");
    Server server = start(redis.process(script).spec(), Fsync.OFF);
    server.kill();
    CompletableFuture<Throwable> restart =
        CompletableFuture.supplyAsync(() -> catchThrowable(server::restart));
    long pid = silentPid();
    provisioner.close();
    assertThat(runs(pid)).isFalse();
    assertThat(data).doesNotExist();
    assertThat(restart.get())
        .isInstanceOf(ProvisionException.class)
        .hasMessageContaining("it was stopped while it started");
  }

  @Test
  void closingStopsAllAndTakesNoMore() throws Exception {
    Server one = start(redis.bundled().spec(), Fsync.OFF);
    ServerSpec next =
        provisioner
            .choose(redis.spec(), Fsync.OFF, folder.resolve("two"), folder.resolve("two.log"))
            .orElseThrow();
    Server two = provisioner.start(next);
    provisioner.close();
    provisioner.close();
    assertThat(runs(pid(one))).isFalse();
    assertThat(runs(pid(two))).isFalse();
    assertThat(data).doesNotExist();
    assertThat(folder.resolve("two")).doesNotExist();
    assertThatThrownBy(() -> provisioner.start(next))
        .isInstanceOf(ProvisionException.class)
        .hasMessageContaining("kvrank is ending");
  }

  @Test
  void aServerThatIgnoresSigtermIsKilled() throws Exception {
    Path executable = redis.executable();
    Path script = script("trap '' TERM", "'" + executable + "' \"$@\" &", "while :; do wait; done");
    Server server = start(redis.process(script).spec(), Fsync.OFF);
    long pid = pid(server);
    server.close();
    eventually("the server is killed", () -> !runs(pid));
    assertThat(data).doesNotExist();
  }

  @Test
  void aDaemonThatLeftParentAndSessionEndsToo() throws Exception {
    Path executable = redis.executable();
    Path script =
        script(
            "(setsid sh -c 'echo $$ >\"" + folder + "/new\"; exec sleep 1000' &)",
            "while [ ! -s '" + folder + "/new' ]; do sleep 0.01; done",
            "mv '" + folder + "/new' '" + folder + "/pid'",
            "exec '" + executable + "' \"$@\"");
    Server server = start(redis.process(script).spec(), Fsync.OFF);
    long first = silentPid();
    assertThat(runs(first)).isTrue();
    assertThat(ProcessHandle.of(first).flatMap(ProcessHandle::parent))
        .hasValueSatisfying(parent -> assertThat(parent.pid()).isNotEqualTo(pid(server)));
    Files.delete(folder.resolve("pid"));
    server.kill();
    assertThat(runs(first)).isFalse();
    server.restart();
    long second = silentPid();
    assertThat(runs(second)).isTrue();
    server.close();
    assertThat(runs(second)).isFalse();
  }

  @Test
  void aDaemonWithAnotherEnvironmentEndsIfItIsTheServer() throws Exception {
    boolean found = PidNamespace.problem().isEmpty();
    // A server that is found needs much less, but a busy machine may take long.
    use(local(Duration.ofMillis(found ? 60_000 : 1_500), LocalServers::freePort));
    Path executable = redis.executable();
    Path script =
        script(
            "env -i '" + executable + "' \"$@\" --daemonize yes --pidfile '" + folder + "/pid'",
            "exec sleep 1000");
    if (found) {
      start(redis.process(script).spec(), Fsync.OFF).close();
    } else {
      assertThat(failure(Cause.ENGINE, redis.process(script).spec(), Fsync.OFF))
          .contains("did not answer its ping");
    }
    // Redis removes the file at a shutdown, and not if it is killed.
    assertThat(folder.resolve("pid")).exists();
    assertThat(ProcessHandle.allProcesses().flatMap(each -> each.info().command().stream()))
        .doesNotContain(executable.toRealPath().toString());
  }

  @Test
  void aDaemonThatLeftEverythingEndsToo() throws Exception {
    assumeThat(PidNamespace.problem()).isEmpty();
    Path executable = redis.executable();
    String pid = "echo $$ >\"" + folder + "/new\"; mv \"" + folder + "/new\" \"" + folder;
    Path script =
        script(
            "(cd / && env -i setsid sh -c '" + pid + "/pid\"; exec sleep 1000' &)",
            "exec '" + executable + "' \"$@\"");
    Server server = start(redis.process(script).spec(), Fsync.OFF);
    assertThat(server.facts().text(Fact.PID_NAMESPACE)).isEqualTo("yes");
    long first = silentPid();
    assertThat(runs(first)).isTrue();
    Files.delete(folder.resolve("pid"));
    assertThat(server.kill()).isEqualTo("was killed by SIGKILL (exit status 137)");
    assertThat(runs(first)).isFalse();
    server.restart();
    long second = silentPid();
    assertThat(runs(second)).isTrue();
    server.close();
    assertThat(runs(second)).isFalse();
  }

  @Test
  void aTracerEndsByItself() throws Exception {
    Path executable = redis.executable();
    Path script =
        script(
            "pid=$$",
            "(setsid sh -c 'while kill -0 '$pid'; do sleep 0.01; done; sleep 0.05; echo ended >\""
                + folder
                + "/tracer\"' 2>/dev/null &)",
            "exec '" + executable + "' \"$@\"");
    start(redis.process(script).spec(), Fsync.OFF).close();
    assertThat(folder.resolve("tracer")).hasContent("ended");
  }
}

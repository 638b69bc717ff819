package kvrank.provision;

import static kvrank.provision.Eventually.eventually;
import static kvrank.provision.Eventually.outside;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import kvrank.engine.Fsync;
import kvrank.failure.Cause;
import kvrank.provision.host.ProvisionException;
import kvrank.provision.server.ListenAddress;
import kvrank.provision.server.Ports;
import kvrank.provision.server.Server;
import kvrank.provision.server.TestRedis;
import kvrank.scenario.EngineSpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Redis as processes of this machine, each test with a folder of its own. */
abstract class LocalServers {

  @TempDir Path folder;

  Path data;
  Path log;
  TestRedis redis;
  LocalProvisioner provisioner;

  @BeforeEach
  void setUp() {
    data = folder.resolve("run/data");
    log = folder.resolve("run/server.log");
    redis = new TestRedis(folder.resolve("redis"));
    provisioner = new LocalProvisioner(System.getenv(), line -> {});
  }

  @AfterEach
  void tearDown() {
    provisioner.close();
  }

  /** Has the test use another provisioner. */
  void use(LocalProvisioner other) {
    provisioner.close();
    provisioner = other;
  }

  Server start(EngineSpec engine, Fsync fsync) throws ProvisionException, InterruptedException {
    return provisioner.start(provisioner.choose(engine, fsync, data, log).orElseThrow());
  }

  static long pid(Server server) {
    return server.pid().orElseThrow();
  }

  static int freePort() {
    return TestRedis.freePort();
  }

  static LocalProvisioner local(Duration startLimit, Ports.Source ports) {
    return new LocalProvisioner(
        System.getenv(),
        line -> {},
        Optional.empty(),
        ListenAddress.LOOPBACK,
        startLimit,
        new Ports(OptionalInt::empty, ports));
  }

  /** Returns the message of a start that fails because of {@code cause}. */
  String failure(Cause cause, EngineSpec engine, Fsync fsync) {
    ProvisionException thrown =
        catchThrowableOfType(ProvisionException.class, () -> start(engine, fsync));
    assertThat(data).doesNotExist();
    assertThat(thrown.failure().cause()).isEqualTo(cause);
    return thrown.getMessage();
  }

  Path script(String... lines) throws IOException {
    Path text = folder.resolve("script.txt");
    Path file = folder.resolve("script.sh");
    Files.writeString(text, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
    // Linux refuses to run a file that is open for writing, as in a process that is forked
    // meanwhile.
    List<String> install = List.of("install", "-m", "755", text.toString(), file.toString());
    assertThat(new ProcessBuilder(install).start().onExit().join().exitValue()).isZero();
    return file;
  }

  /** A script that tells its pid in {@code pid}, and never answers. */
  EngineSpec silent() throws IOException {
    Path script =
        script(
            "echo $$ >'" + folder + "/new'",
            "mv '" + folder + "/new' '" + folder + "/pid'",
            "exec sleep 1000");
    return redis.process(script).spec();
  }

  long silentPid() throws Exception {
    Path file = folder.resolve("pid");
    eventually("the script runs", () -> Files.exists(file));
    return outside(ProcessHandle.current(), Long.parseLong(Files.readString(file).strip()));
  }
}

package kvrank.provision;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.Fsync;

/** Containers, processes of this machine, and servers that run already. */
public final class Provisioning implements Provisioner {

  private static final Duration START_LIMIT = Duration.ofSeconds(30);
  private static final Duration PULL_LIMIT = Duration.ofMinutes(10);

  private final Availability ways;
  private final Reaper reaper;
  private final Servers servers;

  /**
   * @param environment the environment variables; they say where executables and Docker are, and
   *     override images and executables
   * @param progress is told, in a line, about what can take minutes
   */
  public Provisioning(Map<String, String> environment, Consumer<String> progress) {
    this(environment, progress, Optional.empty());
  }

  /**
   * @param environment the environment variables
   * @param progress is told, in a line, about what can take minutes
   * @param cpus the CPUs that servers of ours run on, as taskset takes them; empty for all
   */
  public Provisioning(
      Map<String, String> environment, Consumer<String> progress, Optional<String> cpus) {
    this(environment, progress, START_LIMIT, ServerProcess::freePort, cpus);
  }

  Provisioning(
      Map<String, String> environment,
      Consumer<String> progress,
      Duration startLimit,
      IntSupplier ports,
      Optional<String> cpus) {
    Executables executables = new Executables(environment);
    Path home = Path.of(System.getProperty("user.home"));
    Docker docker = new Docker(new DockerProbe(environment, home));
    Images images = new Images(docker, PULL_LIMIT, progress);
    this.reaper = new Reaper(executables);
    this.ways = new Availability(environment, executables, docker, images);
    ContainerLaunch containers = new ContainerLaunch(docker, images, reaper, cpus);
    this.servers = new Servers(reaper, containers, startLimit, ports, cpus);
  }

  @Override
  public List<MethodStatus> survey(EngineSpec engine) {
    return ways.survey(engine).stream().map(Availability.Found::status).toList();
  }

  @Override
  public Optional<String> absence(EngineSpec engine) {
    return ways.absence(engine);
  }

  @Override
  public List<MethodStatus> prepare(EngineSpec engine) {
    ways.first(engine);
    return survey(engine);
  }

  @Override
  public Optional<ServerSpec> choose(EngineSpec engine, Fsync fsync, Path data, Path log) {
    return ways.first(engine)
        .map(
            found ->
                new ServerSpec(
                    found.status().method(),
                    engine.definition(),
                    found.subject(),
                    engine.settings(fsync),
                    expected(engine, fsync),
                    data,
                    log));
  }

  // What the level promises, except where an option of the scenario asks for something else.
  private static SortedMap<String, String> expected(EngineSpec engine, Fsync fsync) {
    SortedMap<String, String> expected = new TreeMap<>(engine.definition().level(fsync).facts());
    expected.replaceAll((name, value) -> engine.options().getOrDefault(name, value));
    return expected;
  }

  @Override
  public Server start(ServerSpec spec) throws ProvisionException, InterruptedException {
    return servers.start(spec);
  }

  @Override
  public void close() {
    try {
      servers.close();
    } finally {
      reaper.close();
    }
  }
}

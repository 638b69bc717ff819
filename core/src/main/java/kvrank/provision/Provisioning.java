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
import kvrank.scenario.EngineDefinition.FsyncLevel;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.Fsync;

/** Containers, processes of this machine, and servers that run already. */
public final class Provisioning implements Provisioner {

  private static final Duration START_LIMIT = Duration.ofSeconds(30);
  private static final Duration PULL_LIMIT = Duration.ofMinutes(10);

  private final Availability ways;
  private final LiveServers live = new LiveServers();
  private final Reaper reaper;
  private final ServerStart starts;

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
    this(environment, progress, START_LIMIT, PULL_LIMIT, new FreePorts(), cpus);
  }

  Provisioning(
      Map<String, String> environment,
      Consumer<String> progress,
      Duration startLimit,
      Duration pullLimit,
      IntSupplier ports) {
    this(environment, progress, startLimit, pullLimit, ports, Optional.empty());
  }

  Provisioning(
      Map<String, String> environment,
      Consumer<String> progress,
      Duration startLimit,
      Duration pullLimit,
      IntSupplier ports,
      Optional<String> cpus) {
    Executables executables = new Executables(environment);
    Path home = Path.of(System.getProperty("user.home"));
    Docker docker = new Docker(new DockerProbe(environment, home));
    Images images = new Images(docker, pullLimit, progress);
    this.reaper = new Reaper(executables);
    this.ways = new Availability(environment, executables, docker, images);
    this.starts =
        new ServerStart(
            live,
            reaper,
            new ContainerLaunch(docker, images, reaper, cpus),
            startLimit,
            ports,
            cpus);
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
    return ways.first(engine).map(found -> spec(found, engine, fsync, data, log));
  }

  private static ServerSpec spec(
      Availability.Found found, EngineSpec engine, Fsync fsync, Path data, Path log) {
    SortedMap<String, String> settings = engine.settings(fsync);
    SortedMap<String, String> expected = expected(engine, fsync);
    String subject = found.subject();
    return switch (found.status().method()) {
      case EMBEDDED ->
          new ServerSpec.Embedded(
              engine.definition(),
              subject.isEmpty() ? Optional.empty() : Optional.of(Path.of(subject)),
              data);
      case CONTAINER ->
          new ServerSpec.Container(engine.definition(), subject, settings, expected, data, log);
      case PROCESS ->
          new ServerSpec.LocalProcess(
              engine.definition(), Path.of(subject), false, settings, expected, data, log);
      case BUNDLED ->
          new ServerSpec.LocalProcess(
              engine.definition(), Path.of(subject), true, settings, expected, data, log);
      case EXTERNAL -> {
        int colon = subject.lastIndexOf(':');
        yield new ServerSpec.External(
            engine.definition(),
            subject.substring(0, colon),
            Integer.parseInt(subject.substring(colon + 1)),
            expected);
      }
    };
  }

  // What the level promises, except where an option of the scenario asks for something else.
  private static SortedMap<String, String> expected(EngineSpec engine, Fsync fsync) {
    FsyncLevel level = engine.definition().fsync().get(fsync);
    SortedMap<String, String> expected = new TreeMap<>(level.facts());
    expected.replaceAll((name, value) -> engine.options().getOrDefault(name, value));
    return expected;
  }

  @Override
  public Server start(ServerSpec spec) throws ProvisionException, InterruptedException {
    return starts.start(spec);
  }

  @Override
  public void close() {
    try {
      live.close();
    } finally {
      reaper.close();
    }
  }
}

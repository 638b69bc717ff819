package kvrank.provision;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import kvrank.engine.Fsync;
import kvrank.engine.ProvisionMethod;
import kvrank.failure.Cause;
import kvrank.provision.disk.VolatileDisk;
import kvrank.provision.docker.ContainerStarter;
import kvrank.provision.docker.Docker;
import kvrank.provision.host.Executables;
import kvrank.provision.host.ProvisionException;
import kvrank.provision.host.Reaper;
import kvrank.provision.server.EmbeddedStarter;
import kvrank.provision.server.ExternalStarter;
import kvrank.provision.server.ListenAddress;
import kvrank.provision.server.Ports;
import kvrank.provision.server.ProcessStarter;
import kvrank.provision.server.Server;
import kvrank.provision.server.ServerResources;
import kvrank.provision.server.ServerSpec;
import kvrank.provision.server.ServerStarter;
import kvrank.scenario.CrashTest.FileSystem;
import kvrank.scenario.CrashTest.PowerCut;
import kvrank.scenario.EngineSpec;

/** Provides containers, processes of this machine, and servers that already run. */
public final class LocalProvisioner implements Provisioner {

  private static final Duration START_LIMIT = Duration.ofSeconds(30);

  private final Availability availability;
  private final Executables executables;
  private final Reaper reaper;
  private final Docker docker;
  private final ServerStarter embedded = new EmbeddedStarter();
  private final ServerStarter external;
  private final ServerStarter container;
  private final ServerStarter process;
  // Starting and running servers, so that all can be stopped at any time.
  private final Set<ServerResources> open = new LinkedHashSet<>();
  // The engines' files when they were first found.
  private final Map<List<Object>, EngineFile> files = new ConcurrentHashMap<>();
  private boolean closed;

  /** Creates a provisioner for all CPUs that reports slow steps to {@code progress}. */
  public LocalProvisioner(Map<String, String> environment, Consumer<String> progress) {
    this(environment, progress, Optional.empty(), ListenAddress.LOOPBACK);
  }

  /** Creates a provisioner whose servers use {@code cpus} (empty for all) and {@code address}. */
  public LocalProvisioner(
      Map<String, String> environment,
      Consumer<String> progress,
      Optional<String> cpus,
      ListenAddress address) {
    this(environment, progress, cpus, address, START_LIMIT, Ports.of(address.host()));
  }

  LocalProvisioner(
      Map<String, String> environment,
      Consumer<String> progress,
      Optional<String> cpus,
      ListenAddress address,
      Duration startLimit,
      Ports ports) {
    executables = new Executables(environment);
    reaper = new Reaper(executables);
    docker = new Docker(environment, progress);
    availability = new Availability(environment, executables, docker, address);
    external = new ExternalStarter(startLimit);
    container = new ContainerStarter(docker, reaper, cpus, startLimit);
    process = new ProcessStarter(reaper, cpus, address, ports, startLimit);
  }

  /** Removes and reports the containers of killed kvrank processes, if there is Docker. */
  public void removeOrphans() {
    // Every first use of Docker does this.
    docker.absence();
  }

  @Override
  public List<MethodStatus> survey(EngineSpec engine) {
    return availability.survey(engine).stream().map(SurveyedMethod::status).toList();
  }

  @Override
  public Optional<String> absence(EngineSpec engine) {
    return availability.absence(engine);
  }

  @Override
  public List<MethodStatus> prepare(EngineSpec engine) {
    availability
        .first(engine)
        .flatMap(surveyed -> file(engine, surveyed))
        .ifPresent(file -> files.putIfAbsent(asked(engine), file));
    return survey(engine);
  }

  /** Returns its file or image; the first one if the daemon does not answer, as a start reports. */
  private Optional<EngineFile> file(EngineSpec engine, SurveyedMethod surveyed) {
    if (surveyed.status().method() != ProvisionMethod.CONTAINER) {
      return EngineFile.of(surveyed);
    }
    String image = surveyed.subject();
    try {
      return docker.id(image).map(id -> EngineFile.ofImage(image, id));
    } catch (RuntimeException e) {
      return Optional.ofNullable(files.get(asked(engine)));
    }
  }

  private static List<Object> asked(EngineSpec engine) {
    return List.of(engine.definition().folder(), engine.server());
  }

  @Override
  public Optional<ServerSpec> choose(EngineSpec engine, Fsync fsync, Path data, Path log)
      throws ProvisionException {
    Optional<SurveyedMethod> first = availability.first(engine);
    Optional<EngineFile> now = first.flatMap(surveyed -> file(engine, surveyed));
    now.ifPresent(file -> files.putIfAbsent(asked(engine), file));
    Optional<EngineFile> then = Optional.ofNullable(files.get(asked(engine)));
    if (!then.equals(now)) {
      throw new ProvisionException(
          Cause.OUTSIDER,
          "%s was %s when this execution began, and is %s now; put it back, or start a new execution"
              .formatted(
                  engine.definition().name(),
                  then.orElseThrow(),
                  now.map(EngineFile::toString)
                      .or(
                          () ->
                              first
                                  .map(SurveyedMethod::status)
                                  .filter(status -> status.method() != ProvisionMethod.CONTAINER)
                                  .map(MethodStatus::toString))
                      .orElse("gone")));
    }
    return first.map(
        surveyed ->
            new ServerSpec(
                surveyed.status().method(),
                engine.onSocket() ? engine.definition().onSocket() : engine.definition(),
                surveyed.subject(),
                engine.access(),
                engine.settings(fsync),
                expected(engine, fsync),
                data,
                log,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty()));
  }

  // The level's facts, overridden by the scenario's options.
  private static SortedMap<String, String> expected(EngineSpec engine, Fsync fsync) {
    SortedMap<String, String> expected = new TreeMap<>(engine.definition().level(fsync).facts());
    expected.replaceAll((name, value) -> engine.options().getOrDefault(name, value));
    return expected;
  }

  @Override
  public Server start(ServerSpec spec) throws ProvisionException, InterruptedException {
    ServerResources resources = open(spec);
    try {
      return Server.start(spec, starter(spec.method()), resources);
    } catch (ProvisionException | InterruptedException | RuntimeException e) {
      try {
        resources.close();
      } catch (RuntimeException left) {
        e.addSuppressed(left);
      }
      throw e;
    }
  }

  @Override
  public Optional<String> missing(FileSystem fileSystem) {
    return VolatileDisk.missing(fileSystem, executables);
  }

  @Override
  public VolatileDisk disk(Path folder, PowerCut cut)
      throws ProvisionException, InterruptedException {
    return VolatileDisk.create(folder, cut, executables, reaper);
  }

  private ServerStarter starter(ProvisionMethod method) {
    return switch (method) {
      case EMBEDDED -> embedded;
      case EXTERNAL -> external;
      case CONTAINER -> container;
      case PROCESS, BUNDLED -> process;
    };
  }

  private synchronized ServerResources open(ServerSpec spec) throws ProvisionException {
    if (closed) {
      throw new ProvisionException(Cause.OUTSIDER, "kvrank is ending and starts no more servers");
    }
    ServerResources resources = new ServerResources(spec, reaper, this::forget);
    open.add(resources);
    return resources;
  }

  private synchronized void forget(ServerResources resources) {
    open.remove(resources);
  }

  /** Closes every server, also starting ones, and refuses new ones. Throws the first failure. */
  @Override
  public void close() {
    List<ServerResources> remaining;
    synchronized (this) {
      closed = true;
      remaining = List.copyOf(open);
    }
    RuntimeException failure = null;
    for (ServerResources resources : remaining) {
      try {
        resources.close();
      } catch (RuntimeException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    reaper.close();
    if (failure != null) {
      throw failure;
    }
  }
}

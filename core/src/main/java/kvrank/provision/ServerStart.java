package kvrank.provision;

import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntSupplier;
import kvrank.provision.LiveServer.Making;
import kvrank.scenario.EngineDefinition;
import kvrank.scenario.EngineDefinition.ServerDefinition;
import kvrank.scenario.ProvisionMethod;

/** Takes one server spec to a ready server, or to nothing and the reason. */
final class ServerStart {

  private static final int PORT_ATTEMPTS = 5;

  private final LiveServers live;
  private final Reaper reaper;
  private final ContainerLaunch containers;
  private final Duration limit;
  private final IntSupplier ports;
  private final List<String> pinning;
  private final PortOwner portOwner = new PortOwner(Path.of("/proc"));

  ServerStart(
      LiveServers live,
      Reaper reaper,
      ContainerLaunch containers,
      Duration limit,
      IntSupplier ports,
      Optional<String> cpus) {
    this.pinning = cpus.map(list -> List.of("taskset", "-c", list)).orElse(List.of());
    this.live = live;
    this.reaper = reaper;
    this.containers = containers;
    this.limit = limit;
    this.ports = ports;
  }

  /** See {@link Provisioner#start}. */
  Server start(ServerSpec spec) throws ProvisionException, InterruptedException {
    if (spec instanceof ServerSpec.Container container) {
      return container(container);
    }
    if (spec instanceof ServerSpec.LocalProcess process) {
      return process(process);
    }
    if (spec instanceof ServerSpec.External external) {
      return external(external);
    }
    return embedded((ServerSpec.Embedded) spec);
  }

  private Server embedded(ServerSpec.Embedded spec)
      throws ProvisionException, InterruptedException {
    return begin(
        spec.engine(),
        Optional.empty(),
        server -> {
          DataFolder folder = server.folder(spec.data(), new TreeMap<>());
          SortedMap<String, String> connection = new TreeMap<>();
          connection.put("data", folder.path().toString());
          spec.library().ifPresent(file -> connection.put("library", file.toString()));
          server.ready(connection, way(ProvisionMethod.EMBEDDED));
        },
        server -> {});
  }

  private Server external(ServerSpec.External spec)
      throws ProvisionException, InterruptedException {
    return begin(
        spec.engine(),
        Optional.empty(),
        server -> {
          StartedServer running = new ExternalServer(spec.host(), spec.port());
          server.adopt(running);
          SortedMap<String, String> facts = way(ProvisionMethod.EXTERNAL);
          facts.put("settings", "unknown: the server was running before");
          becomeReady(server, running, spec.engine(), spec.expected(), facts, new TreeMap<>());
        },
        server -> {
          throw new ProvisionException("an external server is not started by kvrank");
        });
  }

  private Server container(ServerSpec.Container spec)
      throws ProvisionException, InterruptedException {
    ServerDefinition definition = definition(spec.engine());
    SortedMap<String, String> places = new TreeMap<>();
    places.put("port", Integer.toString(definition.port()));
    places.put("bind", "0.0.0.0");
    places.put("data", definition.dataMount());
    definition.entrypoint().stream()
        .findFirst()
        .ifPresent(executable -> places.put("executable", executable));
    Making making =
        server -> {
          Configuration configuration = Configuration.of(spec.engine(), spec.settings(), places);
          DataFolder folder = server.folder(spec.data(), configuration.files());
          StartedServer container =
              server.launch(
                  data -> containers.launch(spec, configuration.arguments(), data.path()));
          SortedMap<String, String> facts = way(ProvisionMethod.CONTAINER);
          configuration.addFacts(facts);
          becomeReady(server, container, spec.engine(), spec.expected(), facts, data(folder));
        };
    return begin(spec.engine(), Optional.of(spec.log()), making, making);
  }

  private Server process(ServerSpec.LocalProcess spec)
      throws ProvisionException, InterruptedException {
    return onFreePort(
        port ->
            begin(
                spec.engine(),
                Optional.of(spec.log()),
                server -> process(server, spec, port),
                server -> onFreePort(another -> process(server, spec, another))));
  }

  /** What is done with a port. */
  private interface OnPort<T> {
    T with(int port) throws ProvisionException, InterruptedException;
  }

  private <T> T onFreePort(OnPort<T> attempted) throws ProvisionException, InterruptedException {
    for (int attempt = 1; ; attempt++) {
      int port = ports.getAsInt();
      try {
        return attempted.with(port);
      } catch (ProvisionException e) {
        // Between our look for a free port and the server's own, another process can take it.
        if (attempt == PORT_ATTEMPTS || !FreePorts.taken(port)) {
          throw e;
        }
      }
    }
  }

  private Server process(LiveServer server, ServerSpec.LocalProcess spec, int port)
      throws ProvisionException, InterruptedException {
    SortedMap<String, String> places = new TreeMap<>();
    places.put("port", Integer.toString(port));
    places.put("bind", ServerProcess.HOST);
    places.put("data", spec.data().toAbsolutePath().normalize().toString());
    places.put("executable", spec.executable().toString());
    Configuration configuration = Configuration.of(spec.engine(), spec.settings(), places);
    DataFolder folder = server.folder(spec.data(), configuration.files());
    List<String> command = new ArrayList<>(pinning);
    command.add(executable(spec));
    command.addAll(configuration.arguments());
    StartedServer process =
        server.launch(
            data ->
                ServerProcess.launch(
                    spec.executable(), command, data.path(), spec.log(), port, portOwner, reaper));
    SortedMap<String, String> facts =
        way(spec.bundled() ? ProvisionMethod.BUNDLED : ProvisionMethod.PROCESS);
    configuration.addFacts(facts);
    becomeReady(server, process, spec.engine(), spec.expected(), facts, data(folder));
    return server;
  }

  // What a build unpacks from a jar has lost its permissions.
  private static String executable(ServerSpec.LocalProcess spec) throws ProvisionException {
    File file = spec.executable().toFile();
    if (spec.bundled() && !file.canExecute() && !file.setExecutable(true)) {
      throw new ProvisionException("'%s' cannot be made executable".formatted(file));
    }
    return file.toString();
  }

  private static SortedMap<String, String> data(DataFolder folder) {
    SortedMap<String, String> connection = new TreeMap<>();
    connection.put("data", folder.path().toString());
    return connection;
  }

  private static SortedMap<String, String> way(ProvisionMethod way) {
    SortedMap<String, String> facts = new TreeMap<>();
    facts.put("way", way.label());
    return facts;
  }

  private static ServerDefinition definition(EngineDefinition engine) {
    return engine
        .server()
        .orElseThrow(() -> new IllegalArgumentException(engine.name() + " has no server"));
  }

  private void becomeReady(
      LiveServer server,
      StartedServer process,
      EngineDefinition engine,
      SortedMap<String, String> expected,
      SortedMap<String, String> facts,
      SortedMap<String, String> connection)
      throws ProvisionException, InterruptedException {
    ServerDefinition definition = definition(engine);
    ServerAddress endpoint =
        new Readiness(process, definition.ready(), limit, server::closed).await();
    SortedMap<String, String> answers = ServerFacts.of(endpoint, definition.facts());
    ServerFacts.check(expected, answers);
    facts.putAll(answers);
    facts.putAll(process.facts());
    facts.put("address", endpoint.kind().label());
    facts.put("host", endpoint.host());
    facts.put("port", Integer.toString(endpoint.port()));
    connection.put("host", endpoint.host());
    connection.put("port", Integer.toString(endpoint.port()));
    server.reports(() -> ServerFacts.of(endpoint, definition.reports()));
    server.ready(connection, facts);
  }

  /**
   * Makes a server, and all of it goes if that fails.
   *
   * @param again makes it ready once more after a kill
   */
  private Server begin(EngineDefinition engine, Optional<Path> log, Making making, Making again)
      throws ProvisionException, InterruptedException {
    LiveServer server = new LiveServer(engine.name(), log, live, reaper, again);
    live.add(server);
    try {
      server.start(making);
      return server;
    } catch (ProvisionException | InterruptedException | RuntimeException e) {
      closeAfter(e, server);
      throw e;
    }
  }

  private static void closeAfter(Exception failure, LiveServer server) {
    try {
      server.close();
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }
}

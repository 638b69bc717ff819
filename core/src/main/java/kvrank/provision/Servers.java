package kvrank.provision;

import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntSupplier;
import kvrank.provision.Placeholders.Configuration;
import kvrank.scenario.EngineDefinition.ServerDefinition;
import kvrank.scenario.ProvisionMethod;

/**
 * Takes a server spec to a ready server, or to nothing and the reason; and knows the servers that
 * are starting or running, so that all of them can be stopped at any moment.
 */
final class Servers implements AutoCloseable {

  private static final int PORT_ATTEMPTS = 5;

  private final Reaper reaper;
  private final ContainerLaunch containers;
  private final Duration limit;
  private final IntSupplier ports;
  private final List<String> pinning;
  private final Set<Server> servers = new LinkedHashSet<>();
  private boolean closed;

  Servers(
      Reaper reaper,
      ContainerLaunch containers,
      Duration limit,
      IntSupplier ports,
      Optional<String> cpus) {
    this.pinning = cpus.map(list -> List.of("taskset", "-c", list)).orElse(List.of());
    this.reaper = reaper;
    this.containers = containers;
    this.limit = limit;
    this.ports = ports;
  }

  /** A server that somebody else runs: it is used, and left as it is. */
  record External(ServerAddress address) implements StartedServer {

    /** Returns the server at {@code host:port}. */
    static External at(String place) {
      int colon = place.lastIndexOf(':');
      int port = Integer.parseInt(place.substring(colon + 1));
      return new External(
          new ServerAddress(place.substring(0, colon), port, ServerAddress.Kind.EXTERNAL));
    }

    @Override
    public List<ServerAddress> endpoints() {
      return List.of(address);
    }
  }

  /** See {@link Provisioner#start}; if that fails, all of it goes. */
  Server start(ServerSpec spec) throws ProvisionException, InterruptedException {
    Server.Making making =
        switch (spec.method()) {
          case EMBEDDED -> server -> embedded(server, spec);
          case EXTERNAL -> server -> external(server, spec);
          case CONTAINER -> server -> container(server, spec);
          case PROCESS, BUNDLED -> server -> process(server, spec);
        };
    Server server = new Server(spec, this, reaper, making);
    add(server);
    try {
      server.start();
      return server;
    } catch (ProvisionException | InterruptedException | RuntimeException e) {
      try {
        server.close();
      } catch (RuntimeException left) {
        e.addSuppressed(left);
      }
      throw e;
    }
  }

  private static void embedded(Server server, ServerSpec spec) throws ProvisionException {
    SortedMap<String, String> connection = data(server.folder(new TreeMap<>()));
    if (!spec.subject().isEmpty()) {
      connection.put("library", spec.subject());
    }
    server.ready(connection, way(ProvisionMethod.EMBEDDED), TreeMap::new);
  }

  private void external(Server server, ServerSpec spec)
      throws ProvisionException, InterruptedException {
    StartedServer running = server.launch(() -> External.at(spec.subject()));
    SortedMap<String, String> facts = way(ProvisionMethod.EXTERNAL);
    facts.put("settings", "unknown: the server was running before");
    becomeReady(server, running, spec, facts, new TreeMap<>());
  }

  private void container(Server server, ServerSpec spec)
      throws ProvisionException, InterruptedException {
    ServerDefinition definition = spec.engine().server().orElseThrow();
    SortedMap<String, String> places = new TreeMap<>();
    places.put("port", Integer.toString(definition.port()));
    places.put("bind", "0.0.0.0");
    places.put("data", definition.dataMount());
    definition.entrypoint().stream().findFirst().ifPresent(it -> places.put("executable", it));
    Configuration configuration = Configuration.of(spec.engine(), spec.settings(), places);
    Path folder = server.folder(configuration.files());
    StartedServer container =
        server.launch(() -> containers.launch(spec, configuration.arguments(), folder));
    becomeReady(server, container, spec, facts(spec, configuration), data(folder));
  }

  private void process(Server server, ServerSpec spec)
      throws ProvisionException, InterruptedException {
    for (int attempt = 1; ; attempt++) {
      int port = ports.getAsInt();
      try {
        process(server, spec, port);
        return;
      } catch (ProvisionException e) {
        // Between our look for a free port and the server's own, another process can take it.
        server.stop();
        if (attempt == PORT_ATTEMPTS || server.closed() || !ServerProcess.portTaken(port)) {
          throw e;
        }
      }
    }
  }

  private void process(Server server, ServerSpec spec, int port)
      throws ProvisionException, InterruptedException {
    File executable = new File(spec.subject());
    SortedMap<String, String> places =
        new TreeMap<>(
            Map.of(
                "port", Integer.toString(port),
                "bind", ServerProcess.HOST,
                "data", spec.data().toAbsolutePath().normalize().toString(),
                "executable", spec.subject()));
    Configuration configuration = Configuration.of(spec.engine(), spec.settings(), places);
    Path folder = server.folder(configuration.files());
    // What a build unpacks from a jar has lost its permissions.
    if (spec.method() == ProvisionMethod.BUNDLED
        && !executable.canExecute()
        && !executable.setExecutable(true)) {
      throw new ProvisionException("'%s' cannot be made executable".formatted(executable));
    }
    List<String> command = new ArrayList<>(pinning);
    command.add(spec.subject());
    command.addAll(configuration.arguments());
    StartedServer process =
        server.launch(() -> ServerProcess.launch(spec, command, folder, port, reaper));
    becomeReady(server, process, spec, facts(spec, configuration), data(folder));
  }

  private static SortedMap<String, String> data(Path folder) {
    return new TreeMap<>(Map.of("data", folder.toString()));
  }

  private static SortedMap<String, String> way(ProvisionMethod way) {
    return new TreeMap<>(Map.of("way", way.label()));
  }

  private static SortedMap<String, String> facts(ServerSpec spec, Configuration configuration) {
    SortedMap<String, String> facts = way(spec.method());
    configuration.settings().forEach((name, value) -> facts.put("setting." + name, value));
    return facts;
  }

  private void becomeReady(
      Server server,
      StartedServer process,
      ServerSpec spec,
      SortedMap<String, String> facts,
      SortedMap<String, String> connection)
      throws ProvisionException, InterruptedException {
    ServerDefinition definition = spec.engine().server().orElseThrow();
    ServerAddress endpoint =
        new Readiness(process, definition.ready(), limit, server::closed).await();
    SortedMap<String, String> answers = TcpProbe.answers(endpoint, definition.facts());
    check(spec.expected(), answers);
    facts.putAll(answers);
    facts.putAll(process.facts());
    facts.put("address", endpoint.kind().label());
    for (SortedMap<String, String> each : List.of(facts, connection)) {
      each.put("host", endpoint.host());
      each.put("port", Integer.toString(endpoint.port()));
    }
    server.ready(connection, facts, () -> TcpProbe.answers(endpoint, definition.reports()));
  }

  /** Throws if an answer differs from what was asked of the server, or is missing. */
  private static void check(SortedMap<String, String> expected, SortedMap<String, String> answers)
      throws ProvisionException {
    for (Map.Entry<String, String> each : expected.entrySet()) {
      String answer = answers.get(each.getKey());
      if (!each.getValue().equals(answer)) {
        throw new ProvisionException(
            "it was asked for %s and %s"
                .formatted(
                    each, answer == null ? "does not report it" : "reports '" + answer + "'"));
      }
    }
  }

  /** Takes a server in, before anything of it exists; throws if no more are wanted. */
  private synchronized void add(Server server) throws ProvisionException {
    if (closed) {
      throw new ProvisionException("no server is started any more: kvrank is ending");
    }
    servers.add(server);
  }

  /** Forgets a server that is being closed. */
  synchronized void remove(Server server) {
    servers.remove(server);
  }

  /**
   * Closes every server, one that is being launched as soon as that is done, and takes no more.
   *
   * @throws RuntimeException what the first server that was not all removed says, when all are
   *     closed
   */
  @Override
  public void close() {
    List<Server> all;
    synchronized (this) {
      closed = true;
      all = List.copyOf(servers);
    }
    RuntimeException failure = null;
    for (Server server : all) {
      try {
        server.close();
      } catch (RuntimeException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}

package kvrank.provision;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
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
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import kvrank.provision.Placeholders.Configuration;
import kvrank.scenario.EngineDefinition.Password;
import kvrank.scenario.EngineDefinition.ServerDefinition;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.Fsync;
import kvrank.scenario.ProvisionMethod;
import kvrank.scenario.Reason;

/** Containers, processes of this machine, and servers that run already. */
public final class Provisioning implements Provisioner {

  private static final Duration START_LIMIT = Duration.ofSeconds(30);
  private static final int PORT_ATTEMPTS = 5;

  private final Availability ways;
  private final Reaper reaper;
  private final Docker docker;
  private final Duration startLimit;
  private final IntSupplier ports;
  private final Optional<String> cpus;
  private final ListenAddress address;
  // Those that are starting or running, so that all can be stopped at any moment.
  private final Set<Server> servers = new LinkedHashSet<>();
  // What engines were when they were first looked for.
  private final Map<List<Object>, EngineFile> files = new ConcurrentHashMap<>();
  private boolean closed;

  /**
   * @param environment the environment variables; they say where executables and Docker are, and
   *     override images and executables
   * @param progress is told, in a line, about what can take minutes
   */
  public Provisioning(Map<String, String> environment, Consumer<String> progress) {
    this(environment, progress, Optional.empty(), ListenAddress.LOOPBACK);
  }

  /**
   * @param cpus the CPUs that servers of ours run on, as taskset takes them; empty for all
   * @param address where they listen; elsewhere than on the loopback interface as processes alone
   */
  public Provisioning(
      Map<String, String> environment,
      Consumer<String> progress,
      Optional<String> cpus,
      ListenAddress address) {
    this(
        environment,
        progress,
        START_LIMIT,
        () -> ServerProcess.freePort(address.host()),
        cpus,
        address);
  }

  Provisioning(
      Map<String, String> environment,
      Consumer<String> progress,
      Duration startLimit,
      IntSupplier ports,
      Optional<String> cpus,
      ListenAddress address) {
    Executables executables = new Executables(environment);
    Path home = Path.of(System.getProperty("user.home"));
    this.docker = new Docker(new DockerProbe(environment, home), progress);
    this.reaper =
        new Reaper(
            executables, new Leftovers.Journal(Path.of(System.getProperty("java.io.tmpdir"))));
    this.ways = new Availability(environment, executables, docker, address);
    this.startLimit = startLimit;
    this.ports = ports;
    this.cpus = cpus;
    this.address = address;
  }

  /** Removes the containers that a killed kvrank left, if there is Docker; says which. */
  public void removeOrphans() {
    // Whoever uses Docker first does.
    docker.absence();
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
    ways.first(engine)
        .flatMap(EngineFile::of)
        .ifPresent(file -> files.putIfAbsent(asked(engine), file));
    return survey(engine);
  }

  /** Returns what decides which file an engine is. */
  private static List<Object> asked(EngineSpec engine) {
    return List.of(engine.definition().name(), engine.server());
  }

  @Override
  public Optional<ServerSpec> choose(EngineSpec engine, Fsync fsync, Path data, Path log)
      throws ProvisionException {
    Optional<Availability.Found> first = ways.first(engine);
    Optional<EngineFile> now = first.flatMap(EngineFile::of);
    now.ifPresent(file -> files.putIfAbsent(asked(engine), file));
    Optional<EngineFile> then = Optional.ofNullable(files.get(asked(engine)));
    if (!then.equals(now)) {
      throw new ProvisionException(
          "%s was %s when this execution began, and is %s now; put it back, or start a new execution"
              .formatted(
                  engine.definition().name(),
                  then.orElseThrow(),
                  now.map(EngineFile::toString)
                      .or(() -> first.map(found -> found.status().toString()))
                      .orElse("gone")));
    }
    return first.map(
        found ->
            new ServerSpec(
                found.status().method(),
                engine.definition(),
                found.subject(),
                engine.access(),
                engine.settings(fsync),
                expected(engine, fsync),
                data,
                log,
                List.of(),
                Optional.empty()));
  }

  // What the level promises, except where an option of the scenario asks for something else.
  private static SortedMap<String, String> expected(EngineSpec engine, Fsync fsync) {
    SortedMap<String, String> expected = new TreeMap<>(engine.definition().level(fsync).facts());
    expected.replaceAll((name, value) -> engine.options().getOrDefault(name, value));
    return expected;
  }

  @Override
  public Server start(ServerSpec spec) throws ProvisionException, InterruptedException {
    Server server = new Server(spec, this, reaper);
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

  /** Makes what {@code server} needs and waits until it is ready. */
  void make(Server server, ServerSpec spec) throws ProvisionException, InterruptedException {
    switch (spec.method()) {
      case EMBEDDED -> embedded(server, spec);
      case EXTERNAL -> external(server, spec);
      case CONTAINER -> container(server, spec);
      case PROCESS, BUNDLED -> process(server, spec);
    }
  }

  private static void embedded(Server server, ServerSpec spec) throws ProvisionException {
    server.folder(new TreeMap<>());
    SortedMap<String, String> connection = new TreeMap<>();
    if (!spec.subject().isEmpty()) {
      connection.put("library", spec.subject());
    }
    server.ready(connection, new TreeMap<>(), List.of());
  }

  private void external(Server server, ServerSpec spec)
      throws ProvisionException, InterruptedException {
    List<StartedServer.External> members =
        StartedServer.External.all(spec.subject(), spec.access(), spec.engine());
    server.launch(() -> members.get(0));
    String unknown = "unknown: the server was running before";
    becomeReady(server, members, spec, new TreeMap<>(Map.of("settings", unknown)));
  }

  private void container(Server server, ServerSpec spec)
      throws ProvisionException, InterruptedException {
    ServerDefinition definition = definition(spec);
    SortedMap<String, String> places = new TreeMap<>();
    places.put("port", Integer.toString(definition.port()));
    places.put("bind", "0.0.0.0");
    places.put("data", definition.dataMount());
    definition.entrypoint().stream().findFirst().ifPresent(it -> places.put("executable", it));
    Configuration configuration = Configuration.of(spec.engine(), spec.settings(), places);
    Path folder = server.folder(configuration.files());
    StartedServer container =
        server.launch(
            () ->
                new ServerContainer(spec, configuration.arguments(), folder, docker, reaper, cpus));
    becomeReady(server, List.of(container), spec, facts(configuration));
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
        if (attempt == PORT_ATTEMPTS
            || server.closed()
            || !ServerProcess.portTaken(address.host(), port)) {
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
                "bind", address.host(),
                "data", spec.data().toAbsolutePath().normalize().toString(),
                "executable", spec.subject()));
    Configuration configuration = Configuration.of(spec.engine(), spec.settings(), places);
    SortedMap<String, String> files = configuration.files();
    Path folder = server.folder(files);
    // What a build unpacks from a jar has lost its permissions.
    if (spec.method() == ProvisionMethod.BUNDLED
        && !executable.canExecute()
        && !executable.setExecutable(true)) {
      throw new ProvisionException("'%s' cannot be made executable".formatted(executable));
    }
    List<String> command = new ArrayList<>(reaper.session());
    command.addAll(spec.entry());
    cpus.ifPresent(list -> command.addAll(List.of("taskset", "-c", list)));
    command.add(spec.subject());
    SortedMap<String, String> secret = new TreeMap<>();
    if (!address.loopback()) {
      Password password = definition(spec).password().orElseThrow();
      Placeholders told = new Placeholders(spec.engine().name(), address.credentials());
      for (Map.Entry<String, String> each : told.resolve(password.files()).entrySet()) {
        secret.put(each.getKey(), files.getOrDefault(each.getKey(), "") + each.getValue());
      }
      new DataFolder(folder).write(secret, true);
      Placeholders known = new Placeholders(spec.engine().name(), places);
      command.addAll(known.arguments(password.arguments(), new TreeMap<>(), List.of()));
    }
    command.addAll(configuration.arguments());
    ServerAddress place =
        new ServerAddress(
            address.host(),
            port,
            address.loopback() ? ServerAddress.Kind.LOOPBACK : ServerAddress.Kind.INTERFACE,
            StartedServer.External.login(address.credentials(), spec.engine()),
            Optional.empty());
    StartedServer process =
        server.launch(() -> ServerProcess.launch(spec, command, folder, place, reaper));
    becomeReady(server, List.of(process), spec, facts(configuration));
    for (String name : secret.keySet()) {
      forget(folder.resolve(name));
    }
  }

  /** Removes what a server has read by now. */
  private static void forget(Path file) throws ProvisionException {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new ProvisionException("'%s' cannot be removed: %s".formatted(file, Reason.of(e)), e);
    }
  }

  private static ServerDefinition definition(ServerSpec spec) {
    return spec.engine().server().orElseThrow();
  }

  private static SortedMap<String, String> facts(Configuration configuration) {
    SortedMap<String, String> facts = new TreeMap<>();
    configuration.settings().forEach((name, value) -> facts.put("setting." + name, value));
    return facts;
  }

  private void becomeReady(
      Server server,
      List<? extends StartedServer> members,
      ServerSpec spec,
      SortedMap<String, String> facts)
      throws ProvisionException, InterruptedException {
    ServerDefinition definition = definition(spec);
    List<ServerAddress> endpoints = new ArrayList<>();
    SortedMap<String, Set<String>> said = new TreeMap<>();
    for (StartedServer member : members) {
      ServerAddress endpoint =
          new Readiness(member, definition.ready(), startLimit, server::closed).await();
      endpoints.add(endpoint);
      SortedMap<String, String> answers = TcpProbe.answers(endpoint, definition.facts());
      check(spec.expected(), answers, members.size() == 1 ? "it" : "its member " + endpoint);
      answers.forEach(
          (name, answer) -> said.computeIfAbsent(name, any -> new LinkedHashSet<>()).add(answer));
      if (members.size() > 1) {
        String number = "member.%d.".formatted(endpoints.size());
        facts.put(number + "address", endpoint.toString());
        answers.forEach((name, answer) -> facts.put(number + name, answer));
      }
      facts.putAll(member.facts());
    }
    said.forEach((name, answers) -> facts.put(name, String.join(" and ", answers)));
    ServerAddress first = endpoints.get(0);
    facts.put("address", first.kind().label());
    SortedMap<String, String> connection = new TreeMap<>();
    for (SortedMap<String, String> each : List.of(facts, connection)) {
      each.put("host", first.host());
      each.put("port", Integer.toString(first.port()));
      if (members.size() > 1) {
        each.put("members", spec.subject());
      }
    }
    server.ready(connection, facts, endpoints);
  }

  /** Throws if an answer differs from what was asked of the server, {@code who}, or is missing. */
  static void check(
      SortedMap<String, String> expected, SortedMap<String, String> answers, String who)
      throws ProvisionException {
    for (Map.Entry<String, String> each : expected.entrySet()) {
      String answer = answers.get(each.getKey());
      if (!each.getValue().equals(answer)) {
        // Why a binding could not tell all that it is.
        String why = answers.containsKey("unknown") ? ": " + answers.get("unknown") : "";
        String told = answer == null ? "does not report it" + why : "reports '" + answer + "'";
        throw new ProvisionException("%s was asked for %s and %s".formatted(who, each, told));
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
   * Throws at the end what the first of them says that was not all removed.
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
    reaper.close();
    if (failure != null) {
      throw failure;
    }
  }
}

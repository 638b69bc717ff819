package kvrank.testkit;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import kvrank.engine.Capability;
import kvrank.engine.EngineDefinition;
import kvrank.engine.Fsync;
import kvrank.engine.ProvisionMethod;
import kvrank.input.InvalidInputException;
import kvrank.provision.LocalProvisioner;
import kvrank.provision.Provisioner;
import kvrank.provision.host.ProvisionException;
import kvrank.provision.server.Placeholders;
import kvrank.provision.server.Server;
import kvrank.provision.server.ServerSpec;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.EngineSpec.ServerChoice;
import kvrank.scenario.read.ScenarioReader;
import site.ycsb.DB;
import site.ycsb.DBException;

/** The engine that is tested: its definition, a running server, and bindings that talk to it. */
public final class Subject implements AutoCloseable {

  private static final String REQUIRED = "KVRANK_REQUIRE_ENGINES";

  private final EngineSpec engine;
  private final Provisioner provisioner;
  private final Deque<DB> opened = new ArrayDeque<>();
  private Server server;

  private Subject(EngineSpec engine) {
    this.engine = engine;
    this.provisioner = new LocalProvisioner(System.getenv(), System.out::println);
  }

  /** Starts the engine without fsync, or skips the tests if it is unavailable. */
  static Subject start(String name, Map<String, String> options, String method)
      throws InvalidInputException, ProvisionException, InterruptedException {
    Path home = Path.of(requireNonNull(System.getProperty("kvrank.home"), "kvrank.home is null"));
    EngineDefinition definition =
        new ScenarioReader(home).readEngine(home.resolve("bindings/" + name + "/engine.yaml"));
    EngineSpec engine = new EngineSpec(name, definition, new TreeMap<>(options), choice(method));
    Subject subject = new Subject(engine);
    try {
      subject.server = subject.startServer(subject.least());
      System.out.printf("%s: contract against %s%n", subject, subject.server.facts());
      return subject;
    } catch (ProvisionException | InterruptedException | RuntimeException e) {
      subject.close();
      throw e;
    }
  }

  private static Optional<ServerChoice> choice(String method) {
    return Arrays.stream(ProvisionMethod.values())
        .filter(known -> known.label().equals(method))
        .findFirst()
        .map(known -> new ServerChoice(known, ""));
  }

  /** The level that asks for the fewest syncs: that of an engine without a log has none. */
  Fsync least() {
    return engine.level(Fsync.OFF);
  }

  /** The levels that the engine has, one interval among them. */
  List<Fsync> levels() {
    return engine.definition().fsync().entrySet().stream()
        .filter(each -> each.getValue().unsupported().isEmpty())
        .map(
            each ->
                new Fsync(
                    each.getKey(),
                    each.getKey() != Fsync.Kind.EVERY
                        ? Duration.ZERO
                        : each.getValue().interval().orElse(Duration.ofMillis(500))))
        .toList();
  }

  /** Starts a further server, for a test that needs its own. */
  Server startServer(Fsync fsync) throws ProvisionException, InterruptedException {
    return provisioner.start(spec(fsync));
  }

  /** Starts a server to which the clients of {@code gone} can come back. */
  Server startServerFor(Server gone) throws ProvisionException, InterruptedException {
    return provisioner.start(spec(least()).replacing(gone));
  }

  private ServerSpec spec(Fsync fsync) throws ProvisionException, InterruptedException {
    Path folder = Path.of("target", "contract", UUID.randomUUID().toString()).toAbsolutePath();
    Optional<ServerSpec> spec =
        provisioner.choose(engine, fsync, folder.resolve("data"), folder.resolve("server.log"));
    if (spec.isEmpty()) {
      missing();
    }
    return spec.orElseThrow();
  }

  private void missing() {
    String reason =
        provisioner.survey(engine).stream()
            .map(status -> status.method().label() + ": " + status.detail())
            .collect(Collectors.joining("; ", "'" + engine.label() + "' is not here (", ")"));
    String required = System.getenv().getOrDefault(REQUIRED, "");
    if (Arrays.asList(required.split(",")).contains(engine.label())) {
      fail(reason + ", and " + REQUIRED + " names it");
    }
    System.out.println("SKIPPED: the contract of " + this + ": " + reason);
    abort(reason);
  }

  EngineDefinition definition() {
    return engine.definition();
  }

  boolean embedded() {
    return engine.definition().embedded();
  }

  /** Whether {@code engine.yaml} says that the engine can do this, with these options. */
  boolean claims(Capability capability) {
    return engine.capabilities().contains(capability);
  }

  Server server() {
    return server;
  }

  /** A binding of a client thread of its own, ready for use. Closed with this. */
  public DB open() throws ProvisionException, DBException {
    return open(server, server.connection(), least());
  }

  /** A binding that reaches {@code server} at {@code connection}, perhaps through a relay. */
  DB open(Server server, SortedMap<String, String> connection, Fsync fsync)
      throws ProvisionException, DBException {
    SortedMap<String, String> known = new TreeMap<>(connection);
    known.putAll(
        Map.of(
            "records",
            "50000",
            "key-bytes",
            "40",
            "value-bytes",
            "256",
            "cache-bytes",
            "67108864",
            "write-buffer-bytes",
            "67108864",
            "ttl",
            "true"));
    Placeholders placeholders = new Placeholders(engine.label(), known);
    Properties properties = new Properties();
    for (Map.Entry<String, String> each : engine.properties(fsync).entrySet()) {
      properties.setProperty(each.getKey(), placeholders.resolve(each.getValue()));
    }
    properties.putAll(server.credentials());
    DB binding = instance();
    binding.setProperties(properties);
    binding.init();
    synchronized (opened) {
      opened.push(binding);
    }
    return binding;
  }

  private DB instance() {
    String name = engine.definition().binding().className();
    try {
      return Class.forName(name).asSubclass(DB.class).getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(name + " cannot be made", e);
    }
  }

  /** A key that no other test uses, to be a key or the beginning of keys. */
  public String freshKey() {
    return UUID.randomUUID().toString();
  }

  /** The provisioner stops the servers that are left. */
  @Override
  public void close() {
    try (provisioner) {
      while (!opened.isEmpty()) {
        opened.pop().cleanup();
      }
    } catch (DBException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public String toString() {
    return engine.label() + (engine.options().isEmpty() ? "" : " " + engine.options());
  }
}

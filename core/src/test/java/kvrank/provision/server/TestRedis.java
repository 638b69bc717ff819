package kvrank.provision.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.binding.net.Tls;
import kvrank.engine.EngineDefinition;
import kvrank.engine.EngineDefinition.Binding;
import kvrank.engine.EngineDefinition.FsyncLevel;
import kvrank.engine.EngineDefinitionBuilder;
import kvrank.engine.Exchange;
import kvrank.engine.Fsync;
import kvrank.engine.ProvisionMethod;
import kvrank.engine.ServerDefinition;
import kvrank.engine.ServerDefinition.Password;
import kvrank.provision.host.Executables;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.EngineSpec.Access;
import kvrank.scenario.EngineSpec.ServerChoice;

/** Redis as an engine for tests: a real one, whose executable comes with a test dependency. */
public final class TestRedis {

  static final Exchange PING = new Exchange("PING\r\n", "\\+PONG");

  private static final Map<String, String> EXECUTABLES =
      Map.of(
          "linux-amd64", "redis-server-6.2.6-v5-linux-amd64",
          "linux-arm64", "redis-server-6.2.7-linux-arm64",
          "darwin-amd64", "redis-server-6.2.6-v5-darwin-amd64",
          "darwin-arm64", "redis-server-6.2.6-v5-darwin-arm64");

  private static final Random RANDOM = new Random();

  private final Path folder;
  private final SortedMap<String, String> settings = new TreeMap<>();
  private final SortedMap<String, String> expectedWhenOn =
      new TreeMap<>(Map.of("appendfsync", "always"));
  private final SortedMap<String, String> options = new TreeMap<>();
  private String image = "redis:7.2";
  private String entrypoint = "redis-server";
  private Exchange ping = PING;
  private String password = "requirepass ${password}\n";
  private Optional<ServerChoice> choice = Optional.empty();

  /**
   * @param folder stands for the engine's folder; the executable is unpacked there
   */
  public TestRedis(Path folder) {
    this.folder = folder;
    settings.put("appendonly", "yes");
    settings.put("auto-aof-rewrite-percentage", "0");
    settings.put("save", "");
    settings.put("protected-mode", "no");
  }

  public TestRedis setting(String name, String value) {
    settings.put(name, value);
    return this;
  }

  public TestRedis option(String name, String value) {
    options.put(name, value);
    return this;
  }

  public TestRedis expectWhenOn(String fact, String value) {
    expectedWhenOn.put(fact, value);
    return this;
  }

  public TestRedis image(String name) {
    image = name;
    return this;
  }

  public TestRedis entrypoint(String executable) {
    entrypoint = executable;
    return this;
  }

  public TestRedis ping(Exchange exchange) {
    ping = exchange;
    return this;
  }

  /** The settings of a server that others reach. */
  public TestRedis password(String configuration) {
    password = configuration;
    return this;
  }

  /** Like an engine that cannot have a password. */
  public TestRedis open() {
    password = "";
    return this;
  }

  public TestRedis by(ProvisionMethod method, String argument) {
    choice = Optional.of(new ServerChoice(method, argument));
    return this;
  }

  /** A server that another user runs without a password. */
  public TestRedis external(String place, Optional<Tls> tls) {
    Access access = new Access(false, Optional.empty(), Optional.empty(), tls);
    choice = Optional.of(new ServerChoice(ProvisionMethod.EXTERNAL, place, access));
    return this;
  }

  /** An executable that is used as it is. */
  public TestRedis process(Path executable) {
    return by(ProvisionMethod.PROCESS, executable.toString());
  }

  public TestRedis bundled() {
    unpack();
    return by(ProvisionMethod.BUNDLED, "");
  }

  /** The executable, unpacked into the folder. */
  public Path unpack() {
    String name = EXECUTABLES.get(Executables.platform());
    Path file = folder.resolve("redis-server");
    if (!Files.exists(file)) {
      try (InputStream in = TestRedis.class.getResourceAsStream("/" + name)) {
        Files.createDirectories(folder);
        Files.copy(in, file);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return file;
  }

  /** The executable, unpacked into the folder, so that it can be run. */
  public Path executable() {
    Path file = unpack();
    if (!file.toFile().setExecutable(true)) {
      throw new IllegalStateException(file + " cannot be made executable");
    }
    return file;
  }

  public EngineSpec spec() {
    return new EngineSpec("redis", definition(), options, choice);
  }

  /** What starts in {@code folder}, with full durability, by another method than is chosen. */
  public ServerSpec server(ProvisionMethod method, String subject, Path folder) {
    return new ServerSpec(
        method,
        definition(),
        subject,
        new Access(false),
        spec().settings(Fsync.ON),
        expectedWhenOn,
        folder.resolve("data"),
        folder.resolve("server.log"),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  public EngineDefinition definition() {
    SortedMap<Fsync.Kind, FsyncLevel> fsync = new TreeMap<>();
    fsync.put(Fsync.Kind.ON, level("always", expectedWhenOn));
    fsync.put(Fsync.Kind.OFF, level("no", new TreeMap<>(Map.of("appendfsync", "no"))));
    return new EngineDefinitionBuilder("redis", folder)
        .description("Redis, for tests.")
        .language("C")
        .binding(binding(Optional.empty()))
        .settings(settings)
        .fsync(fsync)
        .server(server())
        .install("apt-get install redis-server")
        .build();
  }

  private FsyncLevel level(String appendfsync, SortedMap<String, String> facts) {
    SortedMap<String, String> asked = new TreeMap<>();
    if (!settings.containsKey("appendfsync")) {
      asked.put("appendfsync", appendfsync);
    }
    return new FsyncLevel(
        Optional.empty(), asked, new TreeMap<>(), facts, Optional.empty(), Optional.empty());
  }

  private ServerDefinition server() {
    SortedMap<String, Exchange> facts = new TreeMap<>();
    facts.put("version", new Exchange("INFO server\r\n", "redis_version:(\\S+)"));
    facts.put(
        "appendfsync",
        new Exchange("CONFIG GET appendfsync\r\n", "appendfsync\r\n\\$\\d+\r\n(\\S*)"));
    facts.put(
        "maxclients", new Exchange("CONFIG GET maxclients\r\n", "maxclients\r\n\\$\\d+\r\n(\\d+)"));
    return new ServerDefinition(
        6379,
        Optional.of(image),
        "/data",
        List.of(entrypoint),
        Optional.of("redis-server"),
        new TreeMap<>(Map.of(Executables.platform(), "redis-server")),
        List.of("--port", "${port}", "--bind", "${bind}", "--dir", "${data}", "${settings}"),
        List.of("--{name}", "{value}"),
        List.of(),
        new TreeMap<>(Map.of("note.txt", "data is in ${data}\n")),
        ping,
        new TreeMap<>(Map.of("password", new Exchange("AUTH ${password}\r\n", "\\+OK"))),
        facts,
        new TreeMap<>(
            Map.of(
                "used_memory", new Exchange("INFO memory\r\n", "used_memory:(\\d+)\r"),
                "connections",
                    new Exchange("INFO stats\r\n", "total_connections_received:(\\d+)\r"),
                "unheard", new Exchange("PING\r\n", "(?:\\+PANG)?(\\d*)\\+PONG"))),
        Optional.of(
                new Password(
                    new TreeMap<>(Map.of("password.conf", password)),
                    List.of("${data}/password.conf")))
            .filter(any -> !password.isEmpty()),
        Optional.empty(),
        Optional.of("maxclients"),
        List.of("--unixsocket", "${socket}"),
        new TreeMap<>(Map.of("6.2.11", "2023", "6.2.7", "2022")));
  }

  /** Returns a free port of this machine, below those that connections get as their own. */
  public static int freePort() {
    while (true) {
      int port = RANDOM.nextInt(10_000, 30_000);
      if (Ports.free("127.0.0.1", port)) {
        return port;
      }
    }
  }

  /** Returns the part of the reply to {@code request} that {@code answer} matches. */
  public static Optional<String> ask(Server server, String request, String answer)
      throws IOException {
    return ask(server.endpoints().get(0), request, answer);
  }

  /** {@link #ask}, by someone who does not have the password. */
  public static Optional<String> askAsStranger(Server server, String request, String answer)
      throws IOException {
    ServerAddress ours = server.endpoints().get(0);
    return ask(new ServerAddress(ours.host(), ours.port(), ours.kind()), request, answer);
  }

  private static Optional<String> ask(ServerAddress place, String request, String answer)
      throws IOException {
    return new TcpProbe(Duration.ofSeconds(5), Duration.ofSeconds(5))
        .ask(place, new Exchange(request, answer))
        .value();
  }

  /** {@link #definition} as an engine without a server. */
  public EngineSpec embedded() {
    return embedded(definition().binding());
  }

  /** An engine that is the native library {@code lib} of {@code folder}. */
  public EngineSpec library() {
    return embedded(binding(Optional.of("lib")));
  }

  private Binding binding(Optional<String> library) {
    return new Binding("none", folder, library, List.of(), List.of(), new TreeMap<>());
  }

  private EngineSpec embedded(Binding binding) {
    EngineDefinition redis = definition();
    EngineDefinition definition =
        new EngineDefinitionBuilder("lib", folder)
            .description(redis.description())
            .language(redis.language())
            .binding(binding)
            .fsync(redis.fsync())
            .build();
    return new EngineSpec("lib", definition, new TreeMap<>(), choice);
  }
}

package kvrank.provision;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNullElse;
import static kvrank.scenario.ProvisionMethod.BUNDLED;
import static kvrank.scenario.ProvisionMethod.CONTAINER;
import static kvrank.scenario.ProvisionMethod.EMBEDDED;
import static kvrank.scenario.ProvisionMethod.EXTERNAL;
import static kvrank.scenario.ProvisionMethod.PROCESS;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import kvrank.scenario.EngineDefinition;
import kvrank.scenario.EngineDefinition.ServerDefinition;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.EngineSpec.ServerChoice;
import kvrank.scenario.ProvisionMethod;
import kvrank.scenario.Reason;

/** The methods by which an engine is available here. */
record Availability(
    Map<String, String> environment,
    Executables executables,
    Docker docker,
    ListenAddress address) {

  private static final Duration EXTERNAL_LIMIT = Duration.ofSeconds(2);

  private static final String IN_THE_WORKER = "in the worker's own JVM";

  /**
   * One way and what it would use.
   *
   * @param status whether it is available
   * @param subject the image, the path of the executable or the native library, or {@code
   *     host:port}; empty if there is none
   */
  record Found(MethodStatus status, String subject) {}

  /** Returns every way to be tried, the preferred first. Nothing is started or pulled. */
  List<Found> survey(EngineSpec engine) {
    return survey(engine, true);
  }

  /** As {@link Provisioner#absence}. */
  Optional<String> absence(EngineSpec engine) {
    List<MethodStatus> ways = survey(engine, false).stream().map(Found::status).toList();
    return ways.isEmpty() || ways.stream().anyMatch(MethodStatus::available)
        ? Optional.empty()
        : Optional.of(MethodStatus.text(ways));
  }

  private List<Found> survey(EngineSpec engine, boolean dockerAsked) {
    EngineDefinition definition = engine.definition();
    if (definition.planned().isPresent()) {
      return List.of();
    }
    if (engine.server().isPresent()) {
      return List.of(chosen(definition, engine.server().get(), dockerAsked));
    }
    if (definition.server().isEmpty()) {
      return List.of(embedded(definition));
    }
    Optional<String> image = override(definition, "IMAGE");
    Optional<String> executable = override(definition, "EXECUTABLE");
    boolean overridden = image.isPresent() || executable.isPresent();
    ServerDefinition server = definition.server().get();
    List<Found> ways = new ArrayList<>();
    (overridden ? image : server.image()).ifPresent(each -> ways.add(container(each, dockerAsked)));
    (overridden ? executable : server.executable())
        .ifPresent(each -> ways.add(process(definition, each)));
    if (!overridden && !server.bundled().isEmpty()) {
      ways.add(bundled(definition, Executables.platform()));
    }
    return ways;
  }

  /** Returns the first method that is available; an image is pulled for it, if need be. */
  Optional<Found> first(EngineSpec engine) {
    return survey(engine).stream()
        .filter(found -> found.status().available())
        .filter(
            found ->
                found.status().method() != CONTAINER || docker.obtain(found.subject()).isEmpty())
        .findFirst();
  }

  private Found chosen(EngineDefinition definition, ServerChoice choice, boolean dockerAsked) {
    ProvisionMethod way = choice.method();
    if (way != EMBEDDED && definition.server().isEmpty()) {
      return missing(way, definition.name() + " is embedded; it has no server");
    }
    Optional<ServerDefinition> server = definition.server();
    String argument = choice.argument();
    return switch (way) {
      case EMBEDDED ->
          definition.embedded()
              ? embedded(definition)
              : missing(way, definition.name() + " needs a server; it cannot be embedded");
      case CONTAINER ->
          argument(argument, override(definition, "IMAGE"), server.flatMap(ServerDefinition::image))
              .map(each -> container(each, dockerAsked))
              .orElseGet(() -> missing(way, unnamed(definition, "image", "redis:7.2")));
      case PROCESS ->
          argument(
                  argument,
                  override(definition, "EXECUTABLE"),
                  server.flatMap(ServerDefinition::executable))
              .map(each -> process(definition, each))
              .orElseGet(() -> missing(way, unnamed(definition, "executable", "/path/to/it")));
      case BUNDLED -> bundled(definition, argument.isEmpty() ? Executables.platform() : argument);
      case EXTERNAL -> external(definition, choice);
    };
  }

  private static Optional<String> argument(
      String chosen, Optional<String> override, Optional<String> defined) {
    return chosen.isEmpty() ? override.or(() -> defined) : Optional.of(chosen);
  }

  private static String unnamed(EngineDefinition definition, String what, String example) {
    return "the engine.yaml of %s names no %s; name one in the scenario, as in server: {%s: \"%s\"}"
        .formatted(
            definition.name(), what, what.equals("image") ? "container" : "process", example);
  }

  private Optional<String> override(EngineDefinition definition, String what) {
    return Optional.ofNullable(environment.get(variable(definition, what)))
        .filter(value -> !value.isBlank());
  }

  /** For example {@code KVRANK_REDIS_IMAGE}. */
  static String variable(EngineDefinition definition, String what) {
    String name = definition.name().toUpperCase(Locale.ROOT).replace('-', '_');
    return "KVRANK_" + name + "_" + what;
  }

  /**
   * Returns an image, if there is a Docker daemon.
   *
   * @param asked whether that is asked for the image, which takes longer than all else
   */
  private Found container(String image, boolean asked) {
    if (!address.loopback()) {
      return missing(
          CONTAINER,
          "image '%s': other machines do not reach a container; with --address a server is a process"
              .formatted(image));
    }
    Optional<String> absence = asked ? docker.absence() : docker.silence();
    if (absence.isPresent()) {
      return missing(CONTAINER, "image '%s': %s".formatted(image, absence.get()));
    }
    boolean here = !asked || docker.here(image);
    Optional<String> failure = here ? Optional.empty() : docker.pullFailure(image);
    if (failure.isPresent()) {
      return missing(CONTAINER, "image '%s' is not here and %s".formatted(image, failure.get()));
    }
    String how = here ? "" : ", which would be pulled";
    return available(CONTAINER, "image '%s'%s".formatted(image, how), image);
  }

  private Found process(EngineDefinition definition, String executable) {
    Optional<Path> path = executables.find(executable);
    return path.isPresent()
        ? available(PROCESS, path.get().toString(), path.get().toString())
        : missing(
            PROCESS,
            "no executable '%s' %s (%s can name one)"
                .formatted(
                    executable,
                    executable.contains("/") ? "is there" : "is on the PATH",
                    variable(definition, "EXECUTABLE")));
  }

  private Found embedded(EngineDefinition definition) {
    Optional<String> refusal = JvmFlags.refusal(definition.binding().jvm());
    if (refusal.isPresent()) {
      return missing(
          EMBEDDED,
          "the worker's JVM refuses binding.jvm of the engine.yaml of %s, %s: %s"
              .formatted(
                  definition.name(), String.join(" ", definition.binding().jvm()), refusal.get()));
    }
    if (definition.binding().library().isEmpty()) {
      return available(EMBEDDED, IN_THE_WORKER, "");
    }
    String name = definition.binding().library().get();
    Optional<String> named = override(definition, "LIBRARY");
    NativeLibrary library =
        named
            .map(file -> NativeLibrary.of(Path.of(file)).requireOf(name))
            .orElseGet(() -> NativeLibrary.built(definition.binding().module(), name));
    String file = library.file().toString();
    return library.absence().isEmpty()
        ? available(EMBEDDED, IN_THE_WORKER + ", " + file, file)
        : missing(
            EMBEDDED,
            "%s (%s %s)"
                .formatted(
                    library.absence().get(),
                    variable(definition, "LIBRARY"),
                    named.isPresent() ? "names it" : "can name a library"));
  }

  private static Found bundled(EngineDefinition definition, String platform) {
    ServerDefinition server = definition.server().orElseThrow();
    String file = server.bundled().get(platform);
    if (file == null) {
      return missing(
          BUNDLED, "none for %s, only for %s".formatted(platform, server.bundled().keySet()));
    }
    Path path = definition.folder().resolve(file).toAbsolutePath().normalize();
    return Files.isRegularFile(path)
        ? available(BUNDLED, path.toString(), path.toString())
        : missing(BUNDLED, "'%s' is missing; the build unpacks it".formatted(path));
  }

  private static Found external(EngineDefinition engine, ServerChoice choice) {
    List<ServerAddress> members = new ArrayList<>();
    for (String place : choice.addresses()) {
      Optional<String> problem = external(engine, choice, place, members);
      if (problem.isPresent()) {
        return missing(EXTERNAL, problem.get());
      }
    }
    return available(EXTERNAL, choice.argument(), choice.argument());
  }

  /**
   * Adds a server that is used with the others, or returns why it cannot be; with the last one what
   * is wrong with all of them together.
   */
  private static Optional<String> external(
      EngineDefinition engine, ServerChoice choice, String place, List<ServerAddress> members) {
    ServerDefinition server = engine.server().orElseThrow();
    try {
      ServerAddress address = StartedServer.External.at(place, choice.access(), engine).address();
      TcpProbe probe = new TcpProbe(EXTERNAL_LIMIT, EXTERNAL_LIMIT);
      TcpProbe.Answer pong = probe.ask(address, server.ready());
      if (pong.value().isPresent()) {
        // Who answers everything with a pong is not the engine.
        TcpProbe.answers(address, server.facts().subMap("version", "version\0"));
        members.add(address);
        return members.size() == choice.addresses().size() && server.cluster().isPresent()
            ? ClusterView.problem(probe, members, server.cluster().get())
            : Optional.empty();
      }
      String instead = pong.received().lines().findFirst().orElse("");
      // What TLS answers to what is not: an alert.
      if (pong.received().startsWith("\u0015\u0003")) {
        return Optional.of(
            "'%s' speaks TLS; say so: 'external: {address: \"%s\", tls: true}'"
                .formatted(place, choice.argument()));
      }
      boolean unknown =
          choice.access().credentials().isEmpty() && server.login().containsKey("password");
      return Optional.of(
          "'%s' does not answer the engine's ping%s%s"
              .formatted(
                  place,
                  instead.isEmpty() ? "" : ", but '" + instead + "'",
                  unknown && !instead.isEmpty()
                      ? "; if it wants a password: 'external: {address: \"%s\", password: {env: NAME}}'"
                          .formatted(choice.argument())
                      : ""));
    } catch (IOException e) {
      return Optional.of("'%s' cannot be reached: %s".formatted(place, Reason.of(e)));
    } catch (IllegalArgumentException | ProvisionException e) {
      return Optional.of("'%s' cannot be used: %s".formatted(place, e.getMessage()));
    }
  }

  private static Found available(ProvisionMethod way, String detail, String subject) {
    return new Found(new MethodStatus(way, true, detail), subject);
  }

  private static Found missing(ProvisionMethod way, String detail) {
    return new Found(new MethodStatus(way, false, detail), "");
  }

  /**
   * The file of an engine that is a native library, or why there is none.
   *
   * <p>The build of a module puts its libraries into {@code target/native/<platform>}, and beside
   * them a file {@code NAME.missing} with one line for each that it could not build.
   *
   * @param file an absolute path
   * @param absence why it is not there
   */
  private record NativeLibrary(Path file, Optional<String> absence) {

    /** The program that this JVM is, on Linux. */
    private static final Path SELF = Path.of("/proc/self/exe");

    private static final int HEAD = 64;

    /** What Go and Rust leave of a module's name in the library that they make of it. */
    private static final Pattern MADE_OF =
        Pattern.compile("path\tkvrank/([a-z0-9-]+)\n|\\b([a-z0-9_]+)_engine\\.[0-9a-f]{16}-cgu");

    /** Returns the library that somebody named. */
    static NativeLibrary of(Path named) {
      Path file = named.toAbsolutePath().normalize();
      return new NativeLibrary(
          file,
          Files.isRegularFile(file)
              ? unloadable(file)
              : Optional.of("no library '%s' is there".formatted(file)));
    }

    /** Returns this, not there if kvrank's build made it of another engine than {@code name}. */
    NativeLibrary requireOf(String name) {
      if (absence.isPresent()) {
        return this;
      }
      try {
        Matcher engine = MADE_OF.matcher(Files.readString(file, ISO_8859_1));
        String made =
            engine.find()
                ? requireNonNullElse(engine.group(1), engine.group(2)).replace('_', '-')
                : name;
        return made.equals(name)
            ? this
            : new NativeLibrary(
                file, Optional.of("library '%s' is that of %s".formatted(file, made)));
      } catch (IOException e) {
        return new NativeLibrary(file, Optional.of(unreadable(file, e)));
      }
    }

    private static String unreadable(Path file, IOException e) {
      return "library '%s' cannot be read: %s".formatted(file, Reason.of(e));
    }

    /** Returns why this JVM would fail to load a library, or crash, as far as elf(5) tells. */
    private static Optional<String> unloadable(Path file) {
      if (!Files.exists(SELF)) {
        return Optional.empty();
      }
      try {
        ByteBuffer own = head(SELF);
        ByteBuffer its = head(file);
        if (its.limit() < HEAD || its.getInt(0) != own.getInt(0)) {
          return Optional.of("'%s' is no library of Linux".formatted(file));
        }
        if (its.getShort(4) != own.getShort(4) || its.getShort(18) != own.getShort(18)) {
          return Optional.of("library '%s' is for another processor".formatted(file));
        }
        // The table of sections stands at the end.
        long end = its.getLong(40) + (long) its.getShort(58) * its.getShort(60);
        return Files.size(file) >= end
            ? Optional.empty()
            : Optional.of(
                "library '%s' is cut off: it has %d of %d bytes"
                    .formatted(file, Files.size(file), end));
      } catch (IOException e) {
        return Optional.of(unreadable(file, e));
      }
    }

    private static ByteBuffer head(Path file) throws IOException {
      try (InputStream in = Files.newInputStream(file)) {
        return ByteBuffer.wrap(in.readNBytes(HEAD)).order(ByteOrder.nativeOrder());
      }
    }

    /** Returns the library {@code name} that the build of {@code module} made for this platform. */
    static NativeLibrary built(Path module, String name) {
      Path libraries = module.resolve("target").resolve("native");
      Path folder = libraries.resolve(Executables.platform());
      Path file = folder.resolve(name + ".so");
      if (Files.isRegularFile(file)) {
        return of(file);
      }
      Path missing = folder.resolve(name + ".missing");
      String reason;
      try {
        reason =
            Files.exists(missing) ? Files.readString(missing).strip() : notBuilt(libraries, name);
      } catch (IOException e) {
        reason = "why it was not built cannot be read: " + Reason.of(e);
      }
      return new NativeLibrary(of(file).file(), Optional.of(reason));
    }

    private static String notBuilt(Path libraries, String name) throws IOException {
      List<String> others = platforms(libraries, name);
      return others.isEmpty()
          ? "its library '%s' is not built; run 'mvn -DskipTests package' in kvrank's folder first"
              .formatted(name)
          : "its library is built for %s, and this is %s; run 'mvn -DskipTests package' here"
              .formatted(String.join(", ", others), Executables.platform());
    }

    private static List<String> platforms(Path libraries, String name) throws IOException {
      if (!Files.isDirectory(libraries)) {
        return List.of();
      }
      try (Stream<Path> folders = Files.list(libraries)) {
        return folders
            .filter(folder -> Files.exists(folder.resolve(name + ".so")))
            .map(folder -> folder.getFileName().toString())
            .sorted()
            .toList();
      }
    }
  }
}

package kvrank.provision;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import kvrank.scenario.EngineDefinition;
import kvrank.scenario.EngineDefinition.ServerDefinition;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.EngineSpec.ServerChoice;
import kvrank.scenario.ProvisionMethod;

/** The methods by which an engine is available here. */
final class Availability {

  private static final Duration EXTERNAL_LIMIT = Duration.ofSeconds(2);

  private static final String IN_THE_WORKER = "in the worker's own JVM";

  private final Map<String, String> environment;
  private final Executables executables;
  private final Docker docker;
  private final Images images;

  Availability(
      Map<String, String> environment, Executables executables, Docker docker, Images images) {
    this.environment = environment;
    this.executables = executables;
    this.docker = docker;
    this.images = images;
  }

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
    return survey(engine, this::container);
  }

  /** As {@link Provisioner#absence}. */
  Optional<String> absence(EngineSpec engine) {
    List<MethodStatus> ways = survey(engine, this::reachable).stream().map(Found::status).toList();
    return ways.isEmpty() || ways.stream().anyMatch(MethodStatus::available)
        ? Optional.empty()
        : Optional.of(
            ways.stream()
                .map(way -> way.method().label() + ": " + way.detail())
                .collect(Collectors.joining("; ")));
  }

  private List<Found> survey(EngineSpec engine, Function<String, Found> container) {
    EngineDefinition definition = engine.definition();
    if (definition.planned().isPresent()) {
      return List.of();
    }
    if (engine.server().isPresent()) {
      return List.of(chosen(definition, engine.server().get(), container));
    }
    if (definition.server().isEmpty()) {
      return List.of(embedded(definition));
    }
    Optional<String> image = override(definition, "IMAGE");
    Optional<String> executable = override(definition, "EXECUTABLE");
    List<Found> ways = new ArrayList<>();
    if (image.isPresent() || executable.isPresent()) {
      image.ifPresent(each -> ways.add(container.apply(each)));
      executable.ifPresent(each -> ways.add(process(definition, each)));
      return ways;
    }
    ServerDefinition server = definition.server().get();
    server.image().ifPresent(each -> ways.add(container.apply(each)));
    server.executable().ifPresent(each -> ways.add(process(definition, each)));
    if (!server.bundled().isEmpty()) {
      ways.add(bundled(definition, Executables.platform()));
    }
    return ways;
  }

  /** Returns the first method that is available; an image is pulled for it, if need be. */
  Optional<Found> first(EngineSpec engine) {
    for (Found found : survey(engine)) {
      boolean available = found.status().available();
      if (available && found.status().method() == ProvisionMethod.CONTAINER) {
        available = images.obtain(found.subject()).isEmpty();
      }
      if (available) {
        return Optional.of(found);
      }
    }
    return Optional.empty();
  }

  private Found chosen(
      EngineDefinition definition, ServerChoice choice, Function<String, Found> container) {
    ProvisionMethod way = choice.method();
    if (way == ProvisionMethod.EMBEDDED) {
      return definition.embedded()
          ? embedded(definition)
          : missing(way, definition.name() + " needs a server; it cannot be embedded");
    }
    if (definition.server().isEmpty()) {
      return missing(way, definition.name() + " is embedded; it has no server");
    }
    ServerDefinition server = definition.server().get();
    String argument = choice.argument();
    return switch (way) {
      case CONTAINER ->
          argument(argument, override(definition, "IMAGE"), server.image())
              .map(container)
              .orElseGet(() -> missing(way, unnamed(definition, "image", "redis:7.2")));
      case PROCESS ->
          argument(argument, override(definition, "EXECUTABLE"), server.executable())
              .map(each -> process(definition, each))
              .orElseGet(() -> missing(way, unnamed(definition, "executable", "/path/to/it")));
      case BUNDLED -> bundled(definition, argument.isEmpty() ? Executables.platform() : argument);
      case EXTERNAL -> external(server, argument);
      case EMBEDDED -> throw new IllegalStateException("handled above");
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

  /** Returns the image, if there is a Docker daemon. */
  private Found reachable(String image) {
    return docker
        .silence()
        .map(reason -> missing(ProvisionMethod.CONTAINER, unusable(image, reason)))
        .orElseGet(
            () -> available(ProvisionMethod.CONTAINER, "image '%s'".formatted(image), image));
  }

  private static String unusable(String image, String reason) {
    return "image '%s': %s".formatted(image, reason);
  }

  private Found container(String image) {
    Optional<String> absence = docker.absence();
    if (absence.isPresent()) {
      return missing(ProvisionMethod.CONTAINER, unusable(image, absence.get()));
    }
    Optional<String> failure = images.pullFailure(image);
    if (images.here(image)) {
      return available(ProvisionMethod.CONTAINER, "image '%s'".formatted(image), image);
    }
    if (failure.isPresent()) {
      return missing(
          ProvisionMethod.CONTAINER,
          "image '%s' is not here and %s".formatted(image, failure.get()));
    }
    return available(
        ProvisionMethod.CONTAINER, "image '%s', which would be pulled".formatted(image), image);
  }

  private Found process(EngineDefinition definition, String executable) {
    return executables
        .find(executable)
        .map(path -> available(ProvisionMethod.PROCESS, path.toString(), path.toString()))
        .orElseGet(
            () ->
                missing(
                    ProvisionMethod.PROCESS,
                    "no executable '%s' %s (%s can name one)"
                        .formatted(
                            executable,
                            executable.contains("/") ? "is there" : "is on the PATH",
                            variable(definition, "EXECUTABLE"))));
  }

  private Found embedded(EngineDefinition definition) {
    if (definition.binding().library().isEmpty()) {
      return available(ProvisionMethod.EMBEDDED, IN_THE_WORKER, "");
    }
    String name = definition.binding().library().get();
    NativeLibrary library =
        override(definition, "LIBRARY")
            .map(file -> NativeLibrary.of(Path.of(file)))
            .orElseGet(() -> NativeLibrary.built(definition.binding().module(), name));
    String file = library.file().toString();
    return library
        .absence()
        .map(
            reason ->
                missing(
                    ProvisionMethod.EMBEDDED,
                    "%s (%s can name a library)"
                        .formatted(reason, variable(definition, "LIBRARY"))))
        .orElseGet(() -> available(ProvisionMethod.EMBEDDED, IN_THE_WORKER + ", " + file, file));
  }

  private static Found bundled(EngineDefinition definition, String platform) {
    ServerDefinition server = definition.server().orElseThrow();
    String file = server.bundled().get(platform);
    if (file == null) {
      return missing(
          ProvisionMethod.BUNDLED,
          "none for %s, only for %s".formatted(platform, server.bundled().keySet()));
    }
    Path path = definition.folder().resolve(file).toAbsolutePath().normalize();
    if (!Files.isRegularFile(path)) {
      return missing(
          ProvisionMethod.BUNDLED, "'%s' is missing; the build unpacks it".formatted(path));
    }
    return available(ProvisionMethod.BUNDLED, path.toString(), path.toString());
  }

  private static Found external(ServerDefinition server, String argument) {
    int colon = argument.lastIndexOf(':');
    Optional<Integer> port = port(argument.substring(colon + 1));
    if (colon < 1 || port.isEmpty()) {
      return missing(ProvisionMethod.EXTERNAL, "'%s' is not host:port".formatted(argument));
    }
    ServerAddress endpoint =
        new ServerAddress(argument.substring(0, colon), port.get(), ServerAddress.Kind.EXTERNAL);
    try {
      return new TcpProbe(EXTERNAL_LIMIT, EXTERNAL_LIMIT)
              .ask(endpoint, server.ready())
              .value()
              .isPresent()
          ? available(ProvisionMethod.EXTERNAL, argument, argument)
          : missing(
              ProvisionMethod.EXTERNAL,
              "'%s' does not answer the engine's ping".formatted(argument));
    } catch (IOException e) {
      return missing(
          ProvisionMethod.EXTERNAL,
          "'%s' cannot be reached: %s".formatted(argument, e.getMessage()));
    }
  }

  private static Optional<Integer> port(String text) {
    try {
      int port = Integer.parseInt(text);
      return port > 0 && port < 65536 ? Optional.of(port) : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static Found available(ProvisionMethod way, String detail, String subject) {
    return new Found(new MethodStatus(way, true, detail), subject);
  }

  private static Found missing(ProvisionMethod way, String detail) {
    return new Found(new MethodStatus(way, false, detail), "");
  }
}

package kvrank.provision;

import static kvrank.engine.ProvisionMethod.BUNDLED;
import static kvrank.engine.ProvisionMethod.CONTAINER;
import static kvrank.engine.ProvisionMethod.EMBEDDED;
import static kvrank.engine.ProvisionMethod.EXTERNAL;
import static kvrank.engine.ProvisionMethod.PROCESS;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import kvrank.engine.EngineDefinition;
import kvrank.engine.ProvisionMethod;
import kvrank.engine.ServerDefinition;
import kvrank.provision.MethodStatus.State;
import kvrank.provision.docker.Docker;
import kvrank.provision.host.Executables;
import kvrank.provision.host.JvmFlags;
import kvrank.provision.server.ExternalStarter;
import kvrank.provision.server.ListenAddress;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.EngineSpec.ServerChoice;

/** The methods by which an engine is available here. */
record Availability(
    Map<String, String> environment,
    Executables executables,
    Docker docker,
    ListenAddress address) {

  private static final String IN_THE_WORKER = "in the worker's own JVM";
  private static final String NO_SOCKET = "kvrank cannot reach a Unix socket in a container";

  /** Returns every method to try, the preferred first, without starting or pulling anything. */
  List<SurveyedMethod> survey(EngineSpec engine) {
    return survey(engine, true);
  }

  Optional<String> absence(EngineSpec engine) {
    List<MethodStatus> methods =
        survey(engine, false).stream().map(SurveyedMethod::status).toList();
    return methods.isEmpty() || methods.stream().anyMatch(MethodStatus::available)
        ? Optional.empty()
        : Optional.of(MethodStatus.text(methods));
  }

  private List<SurveyedMethod> survey(EngineSpec engine, boolean dockerAsked) {
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
    List<SurveyedMethod> methods = new ArrayList<>();
    (overridden ? image : server.image())
        .ifPresent(
            name ->
                methods.add(
                    engine.onSocket()
                        ? missing(CONTAINER, "image '%s': %s".formatted(name, NO_SOCKET))
                        : container(name, dockerAsked)));
    (overridden ? executable : server.executable())
        .ifPresent(name -> methods.add(process(definition, name)));
    if (!overridden && !server.bundled().isEmpty()) {
      methods.add(bundled(definition, Executables.platform()));
    }
    return methods;
  }

  /** Returns the first available method, and pulls its image if necessary. */
  Optional<SurveyedMethod> first(EngineSpec engine) {
    return survey(engine).stream()
        .filter(surveyed -> surveyed.status().available())
        .filter(
            surveyed ->
                surveyed.status().method() != CONTAINER
                    || docker.obtain(surveyed.subject()).isEmpty())
        .findFirst();
  }

  private SurveyedMethod chosen(
      EngineDefinition definition, ServerChoice choice, boolean dockerAsked) {
    ProvisionMethod method = choice.method();
    if (method != EMBEDDED && definition.server().isEmpty()) {
      return missing(method, definition.name() + " is embedded; it has no server");
    }
    Optional<ServerDefinition> server = definition.server();
    String argument = choice.argument();
    return switch (method) {
      case EMBEDDED ->
          definition.embedded()
              ? embedded(definition)
              : missing(method, definition.name() + " needs a server; it cannot be embedded");
      case CONTAINER ->
          argument(argument, override(definition, "IMAGE"), server.flatMap(ServerDefinition::image))
              .map(image -> container(image, dockerAsked))
              .orElseGet(() -> missing(method, unnamed(definition, "image", "redis:7.2")));
      case PROCESS ->
          argument(
                  argument,
                  override(definition, "EXECUTABLE"),
                  server.flatMap(ServerDefinition::executable))
              .map(executable -> process(definition, executable))
              .orElseGet(() -> missing(method, unnamed(definition, "executable", "/path/to/it")));
      case BUNDLED -> bundled(definition, argument.isEmpty() ? Executables.platform() : argument);
      case EXTERNAL ->
          ExternalStarter.problem(definition, choice)
              .map(problem -> missing(EXTERNAL, problem))
              .orElseGet(() -> available(EXTERNAL, argument, argument));
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

  /** Returns for example {@code KVRANK_REDIS_IMAGE}. */
  static String variable(EngineDefinition definition, String what) {
    String name = definition.name().toUpperCase(Locale.ROOT).replace('-', '_');
    return "KVRANK_" + name + "_" + what;
  }

  /** Returns the image if Docker runs; {@code asked} looks for the image, which is slow. */
  private SurveyedMethod container(String image, boolean asked) {
    if (!address.loopback()) {
      return missing(
          CONTAINER,
          "image '%s': other machines cannot reach a container; --address needs a process"
              .formatted(image));
    }
    Optional<String> absence = asked ? docker.absence() : docker.silence();
    if (absence.isPresent()) {
      return missing(CONTAINER, "image '%s': %s".formatted(image, absence.get()));
    }
    boolean here = !asked || docker.here(image);
    Optional<String> failure = here ? Optional.empty() : docker.pullFailure(image);
    if (failure.isPresent()) {
      return missing(CONTAINER, "image '%s' is missing, and %s".formatted(image, failure.get()));
    }
    String how = here ? "" : ", which would be pulled";
    return available(CONTAINER, "image '%s'%s".formatted(image, how), image);
  }

  private SurveyedMethod process(EngineDefinition definition, String executable) {
    Optional<Path> path = executables.find(executable);
    return path.isPresent()
        ? available(PROCESS, path.get().toString(), path.get().toString())
        : missing(
            PROCESS,
            "no executable '%s' %s (%s can name one)"
                .formatted(
                    executable,
                    executable.contains("/") ? "exists" : "is on the PATH",
                    variable(definition, "EXECUTABLE")));
  }

  private SurveyedMethod embedded(EngineDefinition definition) {
    Optional<String> refusal = JvmFlags.refusal(definition.name(), definition.binding().jvm());
    if (refusal.isPresent()) {
      return unusable(EMBEDDED, State.BROKEN, refusal.get());
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
        ? available(EMBEDDED, IN_THE_WORKER + named.map(own -> ", " + own).orElse(""), file)
        : unusable(
            EMBEDDED,
            named.isPresent() ? State.BROKEN : library.state(),
            "%s (%s %s)"
                .formatted(
                    library.absence().get(),
                    variable(definition, "LIBRARY"),
                    named.isPresent() ? "names it" : "can name a library"));
  }

  private static SurveyedMethod bundled(EngineDefinition definition, String platform) {
    ServerDefinition server = definition.server().orElseThrow();
    String file = server.bundled().get(platform);
    if (file == null) {
      return missing(
          BUNDLED, "no server for %s, only for %s".formatted(platform, server.bundled().keySet()));
    }
    Path path = definition.folder().resolve(file).toAbsolutePath().normalize();
    return Files.isRegularFile(path)
        ? available(BUNDLED, path.toString(), path.toString())
        : missing(BUNDLED, "'%s' is missing; the build unpacks it".formatted(path));
  }

  private static SurveyedMethod available(ProvisionMethod method, String detail, String subject) {
    return new SurveyedMethod(new MethodStatus(method, State.AVAILABLE, detail), subject);
  }

  private static SurveyedMethod missing(ProvisionMethod method, String detail) {
    return unusable(method, State.MISSING, detail);
  }

  private static SurveyedMethod unusable(ProvisionMethod method, State state, String detail) {
    return new SurveyedMethod(new MethodStatus(method, state, detail), "");
  }
}

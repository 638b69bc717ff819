package kvrank.scenario.read;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import kvrank.binding.net.HostPort;
import kvrank.binding.net.Tls;
import kvrank.engine.EngineDefinition;
import kvrank.engine.ProvisionMethod;
import kvrank.engine.ServerDefinition;
import kvrank.input.Secret;
import kvrank.input.Secret.Source;
import kvrank.input.SourceLocation;
import kvrank.input.YamlValue;
import kvrank.scenario.EngineSpec.Access;
import kvrank.scenario.EngineSpec.ServerChoice;

/** Reads {@code server} of an engine: the method, or an external server with its access. */
final class ServerChoiceReader {

  /** The value for the image or executable of the definition. */
  private static final String DEFAULT = "true";

  private ServerChoiceReader() {}

  /** Returns the choice; empty if none is stated, or after a problem. */
  static Optional<ServerChoice> read(YamlValue server, EngineDefinition engine) {
    if (server.isPresent() && engine.embedded()) {
      return server.report("%s is embedded; it has no server", engine.name());
    }
    Optional<ServerChoice> choice = Optional.empty();
    for (ProvisionMethod method : ProvisionMethod.values()) {
      if (method != ProvisionMethod.EMBEDDED) {
        YamlValue value = server.get(method.label());
        Optional<ServerChoice> read =
            method == ProvisionMethod.EXTERNAL
                ? external(value, engine)
                : argument(method, value, engine).map(text -> new ServerChoice(method, text));
        choice = choice.or(() -> read);
      }
    }
    if (server.isMap() && server.names().size() != 1) {
      server.report("has %d methods for the server; keep one", server.names().size());
    }
    return choice;
  }

  /** Returns an external server: its address, or a map with it. */
  private static Optional<ServerChoice> external(YamlValue value, EngineDefinition engine) {
    YamlValue place = value.isMap() ? value.required("address") : value;
    Optional<String> stated =
        place.parsed(
            "is not HOST:PORT, such as 10.0.0.7:6379 or [::1]:6379, nor unix:/PATH; the port is from"
                + " 1 to 65535",
            text ->
                Optional.of(text)
                    .filter(
                        addresses ->
                            Stream.of(addresses.split(",", -1))
                                .allMatch(address -> HostPort.of(address).isPresent())));
    boolean cluster = stated.filter(text -> text.contains(",")).isPresent();
    Optional<String> address =
        cluster && engine.server().orElseThrow().cluster().isEmpty()
            ? place.report("%s/engine.yaml has no cluster; give one address", engine.name())
            : stated;
    if (!value.isMap()) {
      return address.map(text -> new ServerChoice(ProvisionMethod.EXTERNAL, text));
    }
    YamlValue user = value.get("user");
    YamlValue password = value.get("password");
    Set<String> logins = engine.server().orElseThrow().login().keySet();
    if (password.isPresent() && !logins.contains("password")) {
      password.report("%s/engine.yaml has no login with a password", engine.name());
    } else if (user.isPresent() && !logins.contains("user")) {
      user.report("%s/engine.yaml has no login with a user", engine.name());
    } else if (user.isPresent() && !password.isPresent()) {
      user.report("a user needs a password; add 'password: {env: NAME}'");
    }
    Optional<Tls> tls = tls(value);
    if (tls.isPresent() && stated.filter(text -> text.startsWith("unix:")).isPresent()) {
      value.get("tls").report("a Unix socket has no TLS; remove it");
    }
    if (cluster && tls.isPresent()) {
      value.get("tls").report("TLS is not supported for a cluster; remove it");
    }
    Access access =
        new Access(
            value.get("may-share").flag().orElse(false),
            user.isMap() ? secret(user) : user.text().map(name -> new Secret(Source.TEXT, name)),
            secret(password),
            tls);
    return address.map(text -> new ServerChoice(ProvisionMethod.EXTERNAL, text, access));
  }

  private static Optional<Tls> tls(YamlValue server) {
    boolean wanted = server.get("tls").flag().orElse(false);
    List<Optional<Path>> files = new ArrayList<>();
    for (String name : List.of("ca", "cert", "key")) {
      YamlValue value = server.get(name);
      if (value.isPresent() && !wanted) {
        value.report("has no effect without 'tls: true'");
      }
      Source source = name.equals("ca") ? Source.AUTHORITIES : Source.PEM;
      files.add(file(value, value.place(), source).map(file -> Path.of(file.name())));
    }
    if (server.has("cert") != server.has("key")) {
      server
          .get(server.has("cert") ? "cert" : "key")
          .report("a client's certificate needs both 'cert' and 'key'");
    }
    return wanted
        ? Optional.of(new Tls(files.get(0), files.get(1), files.get(2)))
        : Optional.empty();
  }

  /** Returns a secret in the environment or in a file; it is read when it is used. */
  private static Optional<Secret> secret(YamlValue value) {
    if (value.isPresent() && !value.isMap()) {
      return value.report(
          "a scenario must not contain a password; write {env: NAME} or {file: PATH}");
    }
    YamlValue env = value.get("env");
    YamlValue file = value.get("file");
    if (value.isMap() && env.isPresent() == file.isPresent()) {
      return value.report("needs one of 'env' and 'file'");
    }
    Optional<Secret> variable = env.text().map(name -> new Secret(Source.ENV, name));
    variable.ifPresent(secret -> value.place().reading().needs(value.place(), secret));
    return variable.or(() -> file(file, value.place(), Source.FILE));
  }

  /** Returns a file by its path from the scenario's folder. */
  private static Optional<Secret> file(YamlValue value, SourceLocation place, Source source) {
    Path folder = place.file().toAbsolutePath().getParent();
    Optional<Secret> file =
        value
            .parsed("is not a path", text -> path(folder, text))
            .map(path -> new Secret(source, path));
    file.ifPresent(secret -> place.reading().needs(place, secret));
    return file;
  }

  static Optional<String> path(Path folder, String text) {
    try {
      return Optional.of(folder.resolve(text).normalize().toString());
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  /** Returns the method's argument: an empty text for the definition's; empty after a problem. */
  private static Optional<String> argument(
      ProvisionMethod method, YamlValue value, EngineDefinition engine) {
    Optional<String> text = value.text();
    if (text.isEmpty()) {
      return text;
    }
    ServerDefinition server = engine.server().orElseThrow();
    Set<String> platforms = server.bundled().keySet();
    boolean bundled = method == ProvisionMethod.BUNDLED;
    boolean byDefault = text.get().equals(DEFAULT);
    boolean stated =
        switch (method) {
          case CONTAINER -> server.image().isPresent();
          case PROCESS -> server.executable().isPresent();
          default -> !platforms.isEmpty();
        };
    String none = engine.name() + "/engine.yaml has no ";
    if (!stated && (byDefault || bundled)) {
      return value.report(none + (bundled ? "bundled executable" : method.label()));
    }
    if (byDefault) {
      return Optional.of("");
    }
    if (method == ProvisionMethod.PROCESS
        || (method == ProvisionMethod.CONTAINER
            && !server
                .image()
                .map(ServerChoiceReader::repository)
                .equals(text.map(ServerChoiceReader::repository)))) {
      value.place().reading().starts(value.place(), text.get());
    }
    // Executables of another platform may run on this machine, as 32-bit programs do.
    return bundled && !value.place().has(none + "bundled executable for", text.get(), platforms)
        ? Optional.empty()
        : text;
  }

  /** Returns an image without its tag and digest. */
  private static String repository(String image) {
    return image.replaceFirst("(:[^/@]+)?(@.*)?$", "");
  }
}

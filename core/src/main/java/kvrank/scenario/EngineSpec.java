package kvrank.scenario;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvrank.binding.net.Tls;
import kvrank.engine.Capability;
import kvrank.engine.EngineDefinition;
import kvrank.engine.EngineDefinition.FsyncLevel;
import kvrank.engine.Fsync;
import kvrank.engine.ProvisionMethod;
import kvrank.engine.Tuning;
import kvrank.input.Secret;

/**
 * An engine as a scenario asks for it: one row of its tables.
 *
 * @param row unique in the scenario
 * @param options settings of the engine and properties of its binding that differ from the
 *     definition
 * @param server the method that the scenario requires, if it names one
 * @param tuning the search for the value of an option, for which the row has a placeholder
 * @param bindings the folder of engines that the definition is from, if the scenario names one
 */
public record EngineSpec(
    EngineRow row,
    EngineDefinition definition,
    SortedMap<String, String> options,
    Optional<ServerChoice> server,
    Optional<Tuning> tuning,
    Optional<Path> bindings) {

  /** Creates a row without options that are factors. */
  public EngineSpec(
      String label,
      EngineDefinition definition,
      SortedMap<String, String> options,
      Optional<ServerChoice> server) {
    this(EngineRow.of(label), definition, options, server, Optional.empty(), Optional.empty());
  }

  /** Returns {@code engine} with its defaults, under its own name. */
  public static EngineSpec of(EngineDefinition engine) {
    return new EngineSpec(engine.name(), engine, new TreeMap<>(), Optional.empty());
  }

  /** Returns this engine as {@code other}, with that row's options. */
  public EngineSpec as(EngineRow other) {
    SortedMap<String, String> merged = new TreeMap<>(options);
    merged.putAll(other.options());
    return new EngineSpec(other, definition, merged, server, tuning, bindings);
  }

  /** Returns this row with the engine of another folder. */
  public EngineSpec with(EngineDefinition other, Path folder) {
    return new EngineSpec(row, other, options, server, tuning, Optional.of(folder));
  }

  /** Returns this row with another server. */
  public EngineSpec with(ServerChoice other) {
    return new EngineSpec(row, definition, options, Optional.of(other), tuning, bindings);
  }

  /** Returns a row for each of {@code values} of the tuned option; this row if none is tuned. */
  public Stream<EngineSpec> tuned(List<String> values) {
    if (tuning.isEmpty() || values.isEmpty()) {
      return Stream.of(this);
    }
    EngineSpec settled =
        new EngineSpec(row, definition, options, server, Optional.empty(), bindings);
    return values.stream()
        .map(
            value -> {
              SortedMap<String, String> rowOptions = new TreeMap<>(row.options());
              rowOptions.put(tuning.get().option(), value);
              return settled.as(new EngineRow(row.name(), rowOptions));
            });
  }

  /** Returns this engine with eviction beyond {@code limit}, if it can evict. */
  public EngineSpec evicting(MemoryLimit limit) {
    return new EngineSpec(
        row, definition.evicting(limit.bytes()), options, server, tuning, bindings);
  }

  /** Returns the definition's value of {@code option}; empty if it has none. */
  public Optional<String> defaultValue(String option) {
    return Optional.ofNullable(definition.binding().properties().get(option))
        .or(() -> Optional.ofNullable(definition.settings().get(option)));
  }

  public String label() {
    return row.label();
  }

  /** Returns whether its server is external: it runs already, and kvrank does not manage it. */
  public boolean external() {
    return server.filter(ServerChoice::external).isPresent();
  }

  /** Returns whether its server listens on a Unix socket, so that only this machine reaches it. */
  public boolean onSocket() {
    return external()
        ? server.get().argument().startsWith("unix:")
        : definition.hasTransport() && "unix".equals(options.get(EngineDefinition.TRANSPORT));
  }

  /** Returns the way to get the engine, as the end of a message; empty for an external server. */
  public String installation() {
    String install = definition.install();
    return install.isBlank() || external() ? "" : ". To get it: " + install;
  }

  public Access access() {
    return server.map(ServerChoice::access).orElse(new Access(false));
  }

  /** Returns whether its server may have other keys besides kvrank's. */
  public boolean shares() {
    return access().mayShare();
  }

  /**
   * Returns engine, options, server and folder as text; equal for rows that differ only in their
   * names.
   */
  public String asked() {
    return definition.name()
        + options.entrySet().stream().map(option -> " " + option).collect(Collectors.joining())
        + server.map(s -> " " + s.method().label() + " " + s.argument()).orElse("").strip()
        + (shares() ? " shared" : "")
        + bindings.map(folder -> " of " + folder).orElse("");
  }

  /** Returns the capabilities with these options. */
  public SortedSet<Capability> capabilities() {
    return definition.capabilities(options);
  }

  /** Returns the reason if the engine does not support {@code fsync}; empty if it does. */
  public Optional<String> unsupported(Fsync fsync) {
    return fsync.kind() == Fsync.Kind.AS_IS && !external()
        ? Optional.of("only an external server has this level; kvrank configures this one")
        : definition.level(fsync).unsupported();
  }

  /**
   * Returns the level that this row has at {@code fsync}: {@code none} instead of {@code off} for
   * an engine without a log, or whose options turn it off.
   */
  public Fsync level(Fsync fsync) {
    FsyncLevel none = definition.level(Fsync.NONE);
    if (fsync.kind() != Fsync.Kind.OFF || none.unsupported().isPresent()) {
      return fsync;
    }
    boolean logTurnedOff =
        !(none.settings().isEmpty() && none.properties().isEmpty())
            && settings(fsync).entrySet().containsAll(none.settings().entrySet())
            && properties(fsync).entrySet().containsAll(none.properties().entrySet());
    return logTurnedOff || definition.level(fsync).unsupported().isPresent() ? Fsync.NONE : fsync;
  }

  /** Returns the weakest level of this row that is at least {@code least}, which promises syncs. */
  public Fsync weakest(Fsync least) {
    Fsync timer =
        Optional.ofNullable(definition.fsync().get(Fsync.Kind.EVERY))
            .flatMap(FsyncLevel::interval)
            .filter(only -> only.compareTo(least.interval()) < 0)
            .map(Fsync::every)
            .orElse(least);
    return unsupported(timer).isEmpty() ? timer : Fsync.ON;
  }

  /** Returns the settings: the definition's, overridden by those of the level and the options. */
  public SortedMap<String, String> settings(Fsync fsync) {
    return at(fsync, definition.settings(), definition.level(fsync).settings(), false);
  }

  /** Returns the binding's properties at {@code fsync}, placeholders unresolved. */
  public SortedMap<String, String> properties(Fsync fsync) {
    SortedMap<String, String> defaults = definition.binding().properties();
    return at(fsync, defaults, definition.level(fsync).properties(), true);
  }

  private SortedMap<String, String> at(
      Fsync fsync, Map<String, String> defaults, Map<String, String> level, boolean ofBinding) {
    SortedMap<String, String> overrides = new TreeMap<>(options);
    Set<String> properties = definition.binding().properties().keySet();
    overrides.keySet().removeIf(name -> properties.contains(name) != ofBinding);
    if (definition.hasTransport()) {
      overrides.remove(EngineDefinition.TRANSPORT);
    }
    SortedMap<String, String> result = new TreeMap<>(defaults);
    result.putAll(level);
    result.putAll(overrides);
    result.replaceAll((name, value) -> fsync.resolve(value));
    return result;
  }

  /**
   * The method that a scenario requires for the server.
   *
   * @param argument an image, an executable, {@code host:port}, or several of these with commas for
   *     a cluster; empty for the definition's own
   * @param access to an external server
   */
  public record ServerChoice(ProvisionMethod method, String argument, Access access) {

    public boolean external() {
      return method == ProvisionMethod.EXTERNAL;
    }

    /** Returns the addresses of an external server or of the members of a cluster. */
    public List<String> addresses() {
      return external() ? List.of(argument.split(",", -1)) : List.of();
    }

    public boolean cluster() {
      return addresses().size() > 1;
    }

    /** Creates the choice of a server that kvrank starts, or of an empty one. */
    public ServerChoice(ProvisionMethod method, String argument) {
      this(method, argument, new Access(false));
    }
  }

  /**
   * Access to an external server.
   *
   * @param mayShare whether the server may have other keys
   * @param user empty for the default user
   * @param password empty if the server requires none
   * @param tls empty for an unencrypted connection
   */
  public record Access(
      boolean mayShare, Optional<Secret> user, Optional<Secret> password, Optional<Tls> tls) {

    /** Creates access without a password. */
    public Access(boolean mayShare) {
      this(mayShare, Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** Returns whether a connection gives a password away, or uses a client's private key. */
    public boolean login() {
      return password.isPresent() || tls.flatMap(Tls::key).isPresent();
    }

    /** Returns a binding's properties {@code user} and {@code password}, each if it is stated. */
    public SortedMap<String, String> credentials() throws IOException {
      SortedMap<String, String> credentials = new TreeMap<>();
      if (user.isPresent()) {
        credentials.put("user", user.get().read());
      }
      if (password.isPresent()) {
        credentials.put("password", password.get().read());
      }
      return credentials;
    }
  }
}

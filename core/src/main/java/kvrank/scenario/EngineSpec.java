package kvrank.scenario;

import java.io.IOException;
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
 * One row of a scenario's tables: an engine as the scenario asks for it.
 *
 * @param row what tells it from other rows; unique in the scenario
 * @param options settings of the engine and properties of its binding that differ from the
 *     definition's; those of the binding are the ones that the definition names there
 * @param server the way and its argument (an image, an executable, {@code host:port} or several),
 *     if the scenario names one
 * @param tuning how the value of one of its options will be found; until then the row has something
 *     that stands for it
 */
public record EngineSpec(
    EngineRow row,
    EngineDefinition definition,
    SortedMap<String, String> options,
    Optional<ServerChoice> server,
    Optional<Tuning> tuning) {

  /** A row without options that are factors. */
  public EngineSpec(
      String label,
      EngineDefinition definition,
      SortedMap<String, String> options,
      Optional<ServerChoice> server) {
    this(EngineRow.of(label), definition, options, server, Optional.empty());
  }

  /** Returns {@code engine} as its definition has it, under its own name. */
  public static EngineSpec of(EngineDefinition engine) {
    return new EngineSpec(engine.name(), engine, new TreeMap<>(), Optional.empty());
  }

  /** Returns this engine as another row, with the options that are its factors. */
  public EngineSpec as(EngineRow other) {
    SortedMap<String, String> all = new TreeMap<>(options);
    all.putAll(other.options());
    return new EngineSpec(other, definition, all, server, tuning);
  }

  /** Returns the rows of this engine with these values of the option that is tuned, if one is. */
  public Stream<EngineSpec> tuned(List<String> values) {
    if (tuning.isEmpty() || values.isEmpty()) {
      return Stream.of(this);
    }
    EngineSpec found = new EngineSpec(row, definition, options, server, Optional.empty());
    return values.stream()
        .map(
            value -> {
              SortedMap<String, String> own = new TreeMap<>(row.options());
              own.put(tuning.get().option(), value);
              return found.as(new EngineRow(row.name(), own));
            });
  }

  /** Returns this engine as it gives up records beyond {@code limit}, if it ever does. */
  public EngineSpec evicting(MemoryLimit limit) {
    return new EngineSpec(row, definition.evicting(limit.bytes()), options, server, tuning);
  }

  /** Returns the definition's value of {@code option}, if it states one. */
  public Optional<String> own(String option) {
    return Optional.ofNullable(definition.binding().properties().get(option))
        .or(() -> Optional.ofNullable(definition.settings().get(option)));
  }

  public String label() {
    return row.label();
  }

  /** Returns whether its server runs already, and is not kvrank's. */
  public boolean external() {
    return server.filter(ServerChoice::external).isPresent();
  }

  /** Returns how to get it, as the end of a text; nothing of a server that others run. */
  public String installation() {
    String install = definition.install();
    return install.isEmpty() || external() ? "" : ". To get it: " + install;
  }

  public Access access() {
    return server.map(ServerChoice::access).orElse(new Access(false));
  }

  /** Returns whether its server may hold keys of others, beside which kvrank's are put. */
  public boolean shares() {
    return access().mayShare();
  }

  /** Returns what was asked for, which rows of several names may share. */
  public String asked() {
    return definition.name()
        + options.entrySet().stream().map(each -> " " + each).collect(Collectors.joining())
        + server.map(way -> " " + way.method().label() + " " + way.argument()).orElse("").strip()
        + (shares() ? " shared" : "");
  }

  /** Returns what this engine can do with these options. */
  public SortedSet<Capability> capabilities() {
    return definition.capabilities(options);
  }

  /** Returns why {@code asked} cannot be had; empty if it can. */
  public Optional<String> unsupported(Fsync asked) {
    return asked.kind() == Fsync.Kind.AS_IS && !external()
        ? Optional.of("kvrank sets up this server; only an external one is as it is")
        : definition.level(asked).unsupported();
  }

  /**
   * Returns the level of this row where {@code asked} is asked for: without a log, be it for want
   * of one or by its options, {@code off} is {@code none}.
   */
  public Fsync level(Fsync asked) {
    FsyncLevel none = definition.level(Fsync.NONE);
    if (asked.kind() != Fsync.Kind.OFF || none.unsupported().isPresent()) {
      return asked;
    }
    boolean without =
        !(none.settings().isEmpty() && none.properties().isEmpty())
            && settings(asked).entrySet().containsAll(none.settings().entrySet())
            && properties(asked).entrySet().containsAll(none.properties().entrySet());
    return without || definition.level(asked).unsupported().isPresent() ? Fsync.NONE : asked;
  }

  /** Returns the settings: the definition's, then those at {@code fsync}, then the options. */
  public SortedMap<String, String> settings(Fsync fsync) {
    return at(fsync, definition.settings(), definition.level(fsync).settings(), false);
  }

  /** Returns the binding's properties at {@code fsync}, placeholders unresolved. */
  public SortedMap<String, String> properties(Fsync fsync) {
    SortedMap<String, String> standard = definition.binding().properties();
    return at(fsync, standard, definition.level(fsync).properties(), true);
  }

  private SortedMap<String, String> at(
      Fsync fsync, Map<String, String> standard, Map<String, String> level, boolean ofBinding) {
    SortedMap<String, String> own = new TreeMap<>(options);
    Set<String> properties = definition.binding().properties().keySet();
    own.keySet().removeIf(name -> properties.contains(name) != ofBinding);
    SortedMap<String, String> result = new TreeMap<>(standard);
    result.putAll(level);
    result.putAll(own);
    result.replaceAll((name, value) -> fsync.resolve(value));
    return result;
  }

  /**
   * A way that a scenario insists on.
   *
   * @param argument empty for the definition's own; of a cluster the addresses of its members, with
   *     commas between them
   * @param access how an external server is used
   */
  public record ServerChoice(ProvisionMethod method, String argument, Access access) {

    public boolean external() {
      return method == ProvisionMethod.EXTERNAL;
    }

    /** Returns where an external server is, or each member of a cluster. */
    public List<String> addresses() {
      return external() ? List.of(argument.split(",", -1)) : List.of();
    }

    /** Returns whether these are several servers. */
    public boolean cluster() {
      return addresses().size() > 1;
    }

    /** A server of kvrank's, or one that is empty. */
    public ServerChoice(ProvisionMethod method, String argument) {
      this(method, argument, new Access(false));
    }
  }

  /**
   * How a server that belongs to somebody is used.
   *
   * @param mayShare whether it may hold keys of others
   * @param user who kvrank says that it is; empty for nobody in particular
   * @param password empty if the server asks for none
   * @param tls how it is spoken to in private; empty for in the open
   */
  public record Access(
      boolean mayShare, Optional<Secret> user, Optional<Secret> password, Optional<Tls> tls) {

    /** Without a password. */
    public Access(boolean mayShare) {
      this(mayShare, Optional.empty(), Optional.empty(), Optional.empty());
    }

    /**
     * Returns the properties {@code user} and {@code password} of a binding, as far as there are.
     */
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

package kvrank.engine;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvrank.workload.request.DurationFormat;

/**
 * An {@code engine.yaml}: how to obtain, configure and drive an engine.
 *
 * <p>Strings may contain placeholders: for a server {@code ${host}}, {@code ${port}}, {@code
 * ${bind}}, {@code ${data}} (the data directory as the engine sees it), {@code ${executable}},
 * {@code ${socket}} and {@code ${settings.NAME}}; for an embedded engine {@code ${data}}, {@code
 * ${library}} (the file of a native library), {@code ${records}}, {@code ${key-bytes}}, {@code
 * ${value-bytes}} and {@code ${ttl}} (whether records have times to live). The argument {@code
 * ${settings}} expands to all settings.
 *
 * @param name the name of the file's folder
 * @param language the one that the engine is written in; empty if unknown
 * @param capabilities those that the engine has with its default options
 * @param lacks the reasons for missing capabilities that need an explanation
 * @param optional capabilities that an option adds
 * @param settings the engine's settings with their default values
 * @param fsync how to set each level of durability, or why it is unsupported; missing levels are
 *     unsupported
 * @param server empty for an embedded engine
 * @param install how to get the engine, as text for the user
 * @param licence the SPDX identifier of the engine's licence; empty if unknown
 * @param published measurements by others, by the place of publication
 * @param baseline whether it is a data structure to compare engines with, not a product
 * @param planned why there is no binding yet. Scenarios may name such an engine, which is
 *     unavailable everywhere
 * @param limits of its keys and values
 */
public record EngineDefinition(
    String name,
    String description,
    String language,
    Path folder,
    Binding binding,
    Set<Capability> capabilities,
    SortedMap<Capability, String> lacks,
    List<OptionalCapability> optional,
    SortedMap<String, String> settings,
    SortedMap<Fsync.Kind, FsyncLevel> fsync,
    Optional<Eviction> eviction,
    Optional<ServerDefinition> server,
    String install,
    String licence,
    SortedMap<String, String> published,
    boolean baseline,
    Optional<String> planned,
    RecordLimits limits) {

  /** The option with which a server that can listen on a Unix socket does so. */
  public static final String TRANSPORT = "transport";

  /** The values of {@link #TRANSPORT}. */
  public static final List<String> TRANSPORTS = List.of("tcp", "unix");

  /** Placeholders whose values are kvrank's to choose. */
  private static final Pattern PLACE =
      Pattern.compile("\\$\\{(bind|data|executable|host|library|port)}");

  /** Returns an engine without a binding. Its capabilities are unknown, so it has all of them. */
  static EngineDefinition planned(String name, String description, Path folder, String reason) {
    SortedMap<String, String> none = new TreeMap<>();
    return new EngineDefinition(
        name,
        description,
        "",
        folder,
        new Binding("", folder, Optional.empty(), List.of(), List.of(), none),
        EnumSet.allOf(Capability.class),
        new TreeMap<>(),
        List.of(),
        none,
        new TreeMap<>(),
        Optional.of(new Eviction(none, none, none, List.of(), none)),
        Optional.empty(),
        "",
        "",
        none,
        false,
        Optional.of(reason),
        RecordLimits.NONE);
  }

  /** Returns whether the engine runs in the worker's JVM. */
  public boolean embedded() {
    return server.isEmpty();
  }

  /** Returns whether the engine has the option {@link #TRANSPORT}. */
  public boolean hasTransport() {
    return server.filter(definition -> !definition.socket().isEmpty()).isPresent();
  }

  /** Returns this engine with a server that listens on a Unix socket. */
  public EngineDefinition onSocket() {
    return with(
        binding, capabilities, optional, settings, fsync, server.map(ServerDefinition::onSocket));
  }

  /** Returns this engine with the binding and the capabilities of a cluster. */
  public EngineDefinition clustered() {
    ServerDefinition.Cluster cluster = server.flatMap(ServerDefinition::cluster).orElseThrow();
    return with(cluster.binding(), cluster.capabilities(), List.of(), settings, fsync, server);
  }

  /** Returns this engine with eviction beyond {@code bytes}; unchanged if it cannot evict. */
  public EngineDefinition evicting(long bytes) {
    if (eviction.isEmpty()) {
      return this;
    }
    Eviction evicting = eviction.get();
    SortedMap<Fsync.Kind, FsyncLevel> levels = new TreeMap<>(fsync);
    levels.replaceAll(
        (kind, level) -> level.with(resolved(level.facts(), evicting.facts(), bytes)));
    return with(
        binding.with(resolved(binding.properties(), evicting.properties(), bytes)),
        capabilities,
        optional,
        resolved(settings, evicting.settings(), bytes),
        levels,
        server.map(definition -> definition.without(evicting.without())));
  }

  private EngineDefinition with(
      Binding newBinding,
      Set<Capability> newCapabilities,
      List<OptionalCapability> newOptional,
      SortedMap<String, String> newSettings,
      SortedMap<Fsync.Kind, FsyncLevel> newFsync,
      Optional<ServerDefinition> newServer) {
    return new EngineDefinition(
        name,
        description,
        language,
        folder,
        newBinding,
        newCapabilities,
        lacks,
        newOptional,
        newSettings,
        newFsync,
        eviction,
        newServer,
        install,
        licence,
        published,
        baseline,
        planned,
        limits);
  }

  private static SortedMap<String, String> resolved(
      SortedMap<String, String> defaults, SortedMap<String, String> overrides, long bytes) {
    SortedMap<String, String> result = new TreeMap<>(defaults);
    overrides.forEach(
        (name, value) ->
            result.put(
                name,
                value
                    .replace("${maxmemory-bytes}", Long.toString(bytes))
                    .replace("${maxmemory-mebibytes}", Long.toString(bytes >> 20))));
    return result;
  }

  /**
   * Returns the settings for {@code durability}, or the reason why the engine does not support it.
   */
  public FsyncLevel level(Fsync durability) {
    FsyncLevel level = fsync.get(durability.kind());
    if (durability.kind() == Fsync.Kind.AS_IS || planned.isPresent()) {
      return FsyncLevel.UNCHANGED;
    }
    if (level == null) {
      return FsyncLevel.unsupported(
          fsync.keySet().stream()
              .filter(kind -> fsync.get(kind).unsupported().isEmpty())
              .map(Fsync.Kind::label)
              .collect(Collectors.joining(", ", name + " supports only ", "")));
    }
    return level.interval().filter(only -> !only.equals(durability.interval())).isEmpty()
        ? level
        : FsyncLevel.unsupported(
            "the timer of %s supports only %s"
                .formatted(name, DurationFormat.format(level.interval().get())));
  }

  /** Returns whether a level of durability sets {@code option}. */
  public boolean setByFsync(String option) {
    return fsync.values().stream()
        .flatMap(level -> Stream.of(level.settings(), level.properties()))
        .anyMatch(values -> values.containsKey(option));
  }

  /**
   * Returns whether only kvrank sets {@code option}: a place, or how it starts and stops servers.
   */
  public boolean reserves(String option) {
    String property = binding.properties().get(option);
    return property == null
        ? server.filter(definition -> definition.reserves(option)).isPresent()
            || PLACE.matcher(settings.getOrDefault(option, "")).find()
        : PLACE.matcher(property).find();
  }

  /** Returns the capabilities with {@code options}. */
  public SortedSet<Capability> capabilities(SortedMap<String, String> options) {
    SortedSet<Capability> result = new TreeSet<>(capabilities);
    for (OptionalCapability rule : optional) {
      String value = options.getOrDefault(rule.option(), binding.properties().get(rule.option()));
      if (rule.value().equals(value)) {
        result.addAll(rule.adds());
      }
    }
    return result;
  }

  /**
   * The class that calls the engine.
   *
   * @param className a class that extends {@code site.ycsb.DB}
   * @param module the folder under {@code bindings/} whose build has the class
   * @param library the name of the engine's native library, which the module builds
   * @param classpath further jars, for example of an existing YCSB binding
   * @param jvm flags for the worker's JVM
   * @param properties the binding's properties with their default values, placeholders unresolved
   */
  public record Binding(
      String className,
      Path module,
      Optional<String> library,
      List<Path> classpath,
      List<String> jvm,
      SortedMap<String, String> properties) {

    private Binding with(SortedMap<String, String> newProperties) {
      return new Binding(className, module, library, classpath, jvm, newProperties);
    }
  }

  /**
   * How to make an engine evict records, as caches do. Values may contain {@code
   * ${maxmemory-bytes}} and {@code ${maxmemory-mebibytes}}.
   *
   * @param facts values that the engine must report then
   * @param without arguments of the server that prevent eviction; they are left out
   * @param external facts by which an external server is known to evict records, each with a
   *     regular expression of its values
   */
  public record Eviction(
      SortedMap<String, String> settings,
      SortedMap<String, String> properties,
      SortedMap<String, String> facts,
      List<String> without,
      SortedMap<String, String> external) {}

  /**
   * The longest keys and values that an engine stores, in bytes.
   *
   * @param record a limit of key and value together, by a setting
   */
  public record RecordLimits(long keyBytes, long valueBytes, Optional<RecordSetting> record) {

    public static final RecordLimits NONE =
        new RecordLimits(Long.MAX_VALUE, Long.MAX_VALUE, Optional.empty());
  }

  /** A setting that limits the size of a record, of which {@code headerBytes} are the engine's. */
  public record RecordSetting(String setting, long headerBytes) {

    private static final Pattern SIZE = Pattern.compile("(\\d{1,12})([kmg]?)");

    /** Returns the longest value with a key of {@code keyBytes}; empty without a readable size. */
    public OptionalLong valueBytes(Map<String, String> settings, int keyBytes) {
      Matcher size =
          SIZE.matcher(settings.getOrDefault(setting, "").strip().toLowerCase(Locale.ROOT));
      if (!size.matches()) {
        return OptionalLong.empty();
      }
      int shift = 10 * List.of("", "k", "m", "g").indexOf(size.group(2));
      long bytes = Long.parseLong(size.group(1)) << shift;
      return OptionalLong.of(bytes - headerBytes - keyBytes);
    }
  }

  /** Capabilities that the engine has if {@code option} has {@code value}. */
  public record OptionalCapability(String option, String value, Set<Capability> adds) {}

  /**
   * How to set one level of durability.
   *
   * @param unsupported why the engine does not support it; the rest is empty then
   * @param facts values that the engine must report then, by the name of the fact
   * @param note a remark on this engine at this level, for readers of the report
   * @param interval the only interval of its timer; empty for any, and without a timer
   */
  public record FsyncLevel(
      Optional<String> unsupported,
      SortedMap<String, String> settings,
      SortedMap<String, String> properties,
      SortedMap<String, String> facts,
      Optional<String> note,
      Optional<Duration> interval) {

    /** Sets nothing. */
    public static final FsyncLevel UNCHANGED = of(Optional.empty());

    public static FsyncLevel unsupported(String reason) {
      return of(Optional.of(reason));
    }

    private FsyncLevel with(SortedMap<String, String> newFacts) {
      return new FsyncLevel(unsupported, settings, properties, newFacts, note, interval);
    }

    private static FsyncLevel of(Optional<String> unsupported) {
      return new FsyncLevel(
          unsupported,
          new TreeMap<>(),
          new TreeMap<>(),
          new TreeMap<>(),
          Optional.empty(),
          Optional.empty());
    }
  }
}

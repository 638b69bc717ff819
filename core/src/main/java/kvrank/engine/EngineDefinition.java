package kvrank.engine;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvrank.workload.request.DurationFormat;

/**
 * An {@code engine.yaml}: how an engine is obtained, configured and driven.
 *
 * <p>Strings may hold placeholders: {@code ${host}}, {@code ${port}}, {@code ${bind}}, {@code
 * ${data}} (the data directory as the engine sees it), {@code ${executable}}, {@code ${library}}
 * (the file of a native library), {@code ${records}}, {@code ${key-bytes}}, {@code ${value-bytes}}
 * and {@code ${ttl}}, whether records have times to live (of the run, for an embedded engine),
 * {@code ${settings.NAME}}; a list item {@code ${settings}} stands for all settings as arguments.
 *
 * @param name the name of the folder that holds the file
 * @param capabilities what the engine can do with its default options
 * @param lacks why it cannot do others, where there is more to say than that it cannot
 * @param optional capabilities that an option adds
 * @param settings the engine's own settings, stated, with their default values
 * @param fsync how each durability is asked for, or why it cannot be; what is not there cannot
 * @param server how the process is started; empty for an embedded engine
 * @param install how to get the engine where it is missing, for the reader
 * @param licence the licence of the engine itself, by its SPDX identifier; empty if it is not said
 * @param published what others have measured, by where it is published
 * @param planned why there is no binding yet, if there is none: scenarios may name the engine, and
 *     it is unavailable everywhere
 */
public record EngineDefinition(
    String name,
    String description,
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
    Optional<String> planned) {

  /** The placeholders of where a server is, its data are, and what is started. */
  private static final Pattern PLACE =
      Pattern.compile("\\$\\{(bind|data|executable|host|library|port)}");

  /** Returns an engine whose binding is still to come; for want of knowledge nothing is refused. */
  static EngineDefinition planned(String name, String description, Path folder, String reason) {
    SortedMap<String, String> none = new TreeMap<>();
    return new EngineDefinition(
        name,
        description,
        folder,
        new Binding("", folder, Optional.empty(), List.of(), List.of(), none),
        EnumSet.allOf(Capability.class),
        new TreeMap<>(),
        List.of(),
        none,
        new TreeMap<>(),
        Optional.of(new Eviction(none, none, none, List.of())),
        Optional.empty(),
        "",
        "",
        none,
        Optional.of(reason));
  }

  /** Returns whether the engine lives in the worker's JVM. */
  public boolean embedded() {
    return server.isEmpty();
  }

  /** Returns this engine as a cluster of servers, with the binding and the capabilities of one. */
  public EngineDefinition clustered() {
    Cluster cluster = server.flatMap(ServerDefinition::cluster).orElseThrow();
    return new EngineDefinition(
        name,
        description,
        folder,
        cluster.binding(),
        cluster.capabilities(),
        lacks,
        List.of(),
        settings,
        fsync,
        Optional.empty(),
        server,
        install,
        licence,
        published,
        planned);
  }

  /** Returns this engine as it gives up records beyond {@code bytes}; itself if it never does. */
  public EngineDefinition evicting(long bytes) {
    if (eviction.isEmpty()) {
      return this;
    }
    Eviction how = eviction.get();
    SortedMap<Fsync.Kind, FsyncLevel> levels = new TreeMap<>(fsync);
    levels.replaceAll((kind, level) -> level.with(resolved(level.facts(), how.facts(), bytes)));
    return new EngineDefinition(
        name,
        description,
        folder,
        binding.with(resolved(binding.properties(), how.properties(), bytes)),
        capabilities,
        lacks,
        optional,
        resolved(settings, how.settings(), bytes),
        levels,
        eviction,
        server.map(each -> each.without(how.without())),
        install,
        licence,
        published,
        planned);
  }

  private static SortedMap<String, String> resolved(
      SortedMap<String, String> standard, SortedMap<String, String> more, long bytes) {
    SortedMap<String, String> all = new TreeMap<>(standard);
    more.forEach(
        (name, value) ->
            all.put(
                name,
                value
                    .replace("${maxmemory-bytes}", Long.toString(bytes))
                    .replace("${maxmemory-mebibytes}", Long.toString(bytes >> 20))));
    return all;
  }

  /** Returns how {@code asked} is asked for, or why it cannot be. */
  public FsyncLevel level(Fsync asked) {
    FsyncLevel level = fsync.get(asked.kind());
    if (asked.kind() == Fsync.Kind.AS_IS || planned.isPresent()) {
      return FsyncLevel.AS_IT_IS;
    }
    if (level == null) {
      return FsyncLevel.unsupported(
          fsync.keySet().stream()
              .filter(kind -> fsync.get(kind).unsupported().isEmpty())
              .map(Fsync.Kind::label)
              .collect(Collectors.joining(", ", name + " can be had with ", " alone")));
    }
    return level.interval().filter(only -> !only.equals(asked.interval())).isEmpty()
        ? level
        : FsyncLevel.unsupported(
            "the timer of %s knows %s alone"
                .formatted(name, DurationFormat.format(level.interval().get())));
  }

  /** Returns whether a durability is asked for by {@code option}. */
  public boolean setByFsync(String option) {
    return fsync.values().stream()
        .flatMap(level -> Stream.of(level.settings(), level.properties()))
        .anyMatch(set -> set.containsKey(option));
  }

  /**
   * Returns whether kvrank alone sets {@code option}: it says where a server or its data are, or
   * how kvrank starts and ends it.
   */
  public boolean reserves(String option) {
    String property = binding.properties().get(option);
    return property == null
        ? server.filter(each -> each.reserves(option)).isPresent()
            || PLACE.matcher(settings.getOrDefault(option, "")).find()
        : PLACE.matcher(property).find();
  }

  /** Returns what the engine can do with {@code options}. */
  public SortedSet<Capability> capabilities(SortedMap<String, String> options) {
    SortedSet<Capability> result = new TreeSet<>(capabilities);
    for (OptionalCapability each : optional) {
      String value = options.getOrDefault(each.option(), binding.properties().get(each.option()));
      if (each.value().equals(value)) {
        result.addAll(each.adds());
      }
    }
    return result;
  }

  /**
   * The class that talks to the engine.
   *
   * @param className a class that extends {@code site.ycsb.DB}
   * @param module the folder under {@code bindings/} whose build holds the class
   * @param library the native library that the engine is, built with the module, if it is one
   * @param classpath further jars, resolved; an existing YCSB binding is used this way
   * @param jvm flags that the worker's JVM needs
   * @param properties the binding's properties with their default values, placeholders unresolved
   */
  public record Binding(
      String className,
      Path module,
      Optional<String> library,
      List<Path> classpath,
      List<String> jvm,
      SortedMap<String, String> properties) {

    private Binding with(SortedMap<String, String> others) {
      return new Binding(className, module, library, classpath, jvm, others);
    }
  }

  /**
   * How an engine is told to give up records, as caches do; values may hold {@code
   * ${maxmemory-bytes}} and {@code ${maxmemory-mebibytes}}.
   *
   * @param facts what the engine must say of itself afterwards
   * @param without arguments that keep the server from it, and are left out
   */
  public record Eviction(
      SortedMap<String, String> settings,
      SortedMap<String, String> properties,
      SortedMap<String, String> facts,
      List<String> without) {}

  /** {@code adds} are there if {@code option} has {@code value}. */
  public record OptionalCapability(String option, String value, Set<Capability> adds) {}

  /**
   * How one durability is asked for.
   *
   * @param unsupported why it is not available; the rest is empty then
   * @param facts what the engine must say of itself afterwards, by the name of the fact
   * @param note what a reader of the table has to know about this engine at this durability
   * @param interval the only one that its timer knows; empty for any, and without a timer
   */
  public record FsyncLevel(
      Optional<String> unsupported,
      SortedMap<String, String> settings,
      SortedMap<String, String> properties,
      SortedMap<String, String> facts,
      Optional<String> note,
      Optional<Duration> interval) {

    /** Nothing is set for it. */
    public static final FsyncLevel AS_IT_IS = of(Optional.empty());

    /** The engine does not have it. */
    public static FsyncLevel unsupported(String reason) {
      return of(Optional.of(reason));
    }

    private FsyncLevel with(SortedMap<String, String> others) {
      return new FsyncLevel(unsupported, settings, properties, others, note, interval);
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

  /**
   * How a server is started and known.
   *
   * @param port the port inside a container
   * @param dataMount where the data directory is mounted in the container
   * @param entrypoint the command of the container before the arguments
   * @param executable the name of the local executable, looked up on the PATH
   * @param bundled executables that the build unpacked, by operating system and architecture, for
   *     example {@code linux-amd64}
   * @param arguments the arguments, whichever way the server is started
   * @param setting how one setting is given as arguments, with {@code {name}} and {@code {value}}
   * @param reserved settings that no scenario changes, beside those of {@code arguments}; {@code
   *     tls-*} is every one that begins so
   * @param files files that are written into the data directory before the start, by name
   * @param ready the engine's own ping
   * @param login what is sent first to a server that asks for a password: {@code password}, or
   *     {@code user} with both; {@code ${password}} and {@code ${password-bytes}}, and the same of
   *     the user, stand for what they are
   * @param facts questions that the running server answers about itself, by the name of the fact
   * @param reports questions that it answers after each phase, by the name of the fact
   * @param password how a server is told a password that it then asks for; empty if it asks for
   *     none
   * @param cluster how several such servers are one; empty if they cannot be
   */
  public record ServerDefinition(
      int port,
      Optional<String> image,
      String dataMount,
      List<String> entrypoint,
      Optional<String> executable,
      SortedMap<String, String> bundled,
      List<String> arguments,
      List<String> setting,
      List<String> reserved,
      SortedMap<String, String> files,
      Exchange ready,
      SortedMap<String, Exchange> login,
      SortedMap<String, Exchange> facts,
      SortedMap<String, Exchange> reports,
      Optional<Password> password,
      Optional<Cluster> cluster) {

    private ServerDefinition without(List<String> flags) {
      return new ServerDefinition(
          port,
          image,
          dataMount,
          entrypoint,
          executable,
          bundled,
          arguments.stream().filter(argument -> !flags.contains(argument)).toList(),
          setting,
          reserved,
          files,
          ready,
          login,
          facts,
          reports,
          password,
          cluster);
    }

    /**
     * Returns whether {@code setting} is reserved, in each spelling that some server takes: in
     * capitals, with underscores, cut off.
     */
    boolean reserves(String setting) {
      String asked = plain(setting);
      Stream<String> stated =
          arguments.stream()
              .filter(argument -> argument.startsWith("-"))
              .map(argument -> argument.replaceFirst("^-+", "").replaceFirst("=.*", ""));
      return Stream.concat(stated, reserved.stream())
          .map(ServerDefinition::plain)
          .anyMatch(
              own ->
                  own.startsWith(asked)
                      || (own.endsWith("*")
                          && asked.startsWith(own.substring(0, own.length() - 1))));
    }

    private static String plain(String setting) {
      return setting.toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /**
   * How a server is told a password, in which {@code ${password}} stands for it.
   *
   * @param files files of the data directory, or what is added to those of the server, by name
   * @param arguments the arguments before the others
   */
  public record Password(SortedMap<String, String> files, List<String> arguments) {}

  /**
   * How several servers of others are one.
   *
   * @param nodes asks one who it is: the first group is its name in the cluster, if it is in one
   * @param owner a regular expression that matches, in the answer to that, once for each member
   *     that holds keys; the first group is its name, the second where it is
   */
  public record Cluster(
      Binding binding, Set<Capability> capabilities, Exchange nodes, String owner) {}

  /**
   * One question on the server's port and the form of its answer, both as Latin-1.
   *
   * @param match a regular expression that the answer contains; its first group is the value
   */
  public record Exchange(String send, String match) {}
}

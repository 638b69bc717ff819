package kvrank.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import kvrank.engine.EngineDefinition.Binding;
import kvrank.engine.EngineDefinition.Eviction;
import kvrank.engine.EngineDefinition.FsyncLevel;
import kvrank.engine.EngineDefinition.OptionalCapability;
import kvrank.engine.EngineDefinition.RecordLimits;
import kvrank.engine.EngineDefinition.RecordSetting;
import kvrank.engine.ServerDefinition.Cluster;
import kvrank.engine.ServerDefinition.Password;
import kvrank.input.Reason;
import kvrank.input.Suggestion;
import kvrank.input.YamlValue;
import kvrank.workload.request.DurationFormat;
import kvrank.workload.request.Labelled;

/**
 * Reads an {@code engine.yaml} and checks that its parts agree.
 *
 * @param folder the file's folder, which gives the engine its name
 * @param bindings folders of modules, in addition to the siblings of {@code folder}
 * @param worker the module of the worker
 */
public record EngineReader(Path folder, List<Path> bindings, Path worker) {

  /** The argument that expands to all settings. */
  public static final String ALL_SETTINGS = "${settings}";

  /** Flags of the JVM, without those that end it or name the program. */
  private static final String JVM_FLAG =
      "-(X(?!help|runjdwp)|D|ea|da|esa|dsa|agent(lib|path):(?!jdwp)|javaagent:).*"
          + "|--(add|enable|illegal|limit|patch|upgrade|finalization)-.+=?.*";

  public EngineDefinition read(YamlValue map) {
    String name = folder.getFileName().toString();
    String description = map.required("description").sentence().orElse("");
    YamlValue planned = map.get("planned");
    return planned.isPresent()
        ? EngineDefinition.planned(name, description, folder, planned.sentence().orElse(""))
        : bound(map, name, description);
  }

  private EngineDefinition bound(YamlValue map, String name, String description) {
    Binding binding = binding(map.required("binding"));
    SortedMap<String, String> settings = map.get("settings").texts();
    Set<String> options = new TreeSet<>(binding.properties().keySet());
    options.addAll(settings.keySet());
    boolean embedded = map.get("embedded").flag().orElse(false);
    YamlValue server = map.get("server");
    if (embedded && server.isPresent()) {
      map.at("server")
          .report("an embedded engine has no server; keep 'server' or 'embedded: true'");
    } else if (!embedded && !server.isPresent()) {
      map.place()
          .report("missing key 'server', or 'embedded: true' for an engine without a process");
    }
    if (embedded && !settings.isEmpty()) {
      map.at("settings").report("an embedded engine has no settings; use binding.properties");
    }
    EngineDefinition engine =
        new EngineDefinition(
            name,
            description,
            map.get("language").sentence().orElse(""),
            folder,
            binding,
            capabilities(map.required("capabilities")),
            lacks(map.get("lacks")),
            map.get("optional-capabilities").items().stream()
                .map(item -> optional(item, options))
                .toList(),
            settings,
            fsync(map.required("fsync")),
            map.get("eviction").ifMap(EngineReader::eviction),
            server.ifMap(definition -> server(definition, binding)),
            map.get("install").sentence().orElse(""),
            map.get("licence").sentence().orElse(""),
            map.get("published").texts(),
            map.get("baseline").flag().orElse(false),
            Optional.empty(),
            limits(map.get("limits")));
    new EngineChecks(engine, map, embedded).check();
    return engine;
  }

  private Binding binding(YamlValue map) {
    Path module = map.get("module").name().isPresent() ? module(map.get("module")) : folder;
    List<Path> classpath = map.files("classpath", folder);
    return new Binding(
        type(map.required("class"), module, classpath),
        module,
        map.get("library").name(),
        classpath,
        YamlValue.readAll(
            map.get("jvm").items(),
            item -> item.matching("is not a flag for the worker's JVM", JVM_FLAG)),
        map.get("properties").texts());
  }

  /** Returns a class name; reports a class that is missing from a complete build. */
  private String type(YamlValue value, Path module, List<Path> classpath) {
    Optional<String> name = value.className();
    if (name.isEmpty()) {
      return "";
    }
    try {
      if (!BuiltModule.has(List.of(BuiltModule.target(module).resolve("classes")), name.get())) {
        requireBuilt(value, name.get(), module, classpath);
      }
    } catch (IOException e) {
      value.report("cannot look for class '%s': %s", name.get(), Reason.of(e));
    }
    return name.get();
  }

  private void requireBuilt(YamlValue value, String name, Path module, List<Path> classpath)
      throws IOException {
    BuiltModule builtBinding = BuiltModule.of(module);
    BuiltModule builtWorker = BuiltModule.of(worker);
    List<Path> entries = new ArrayList<>(builtBinding.classpath());
    entries.addAll(classpath);
    entries.addAll(builtWorker.classpath());
    if (builtWorker.isPackaged()
        && (builtBinding.isPackaged() || !Files.exists(module.resolve("pom.xml")))
        && !BuiltModule.has(entries, name)) {
      value.report(
          "module '%s' has no class '%s'%s",
          module.getFileName(), name, Suggestion.of(name, builtBinding.classes()));
    }
  }

  private Path module(YamlValue value) {
    String name = value.text().orElseThrow();
    String complaint = "no folder '%s' next to '%s' or in kvrank's bindings/";
    return Stream.concat(Stream.of(folder.getParent()), bindings.stream())
        .map(parent -> parent.resolve(name))
        .filter(Files::isDirectory)
        .findFirst()
        .or(() -> value.report(complaint, name, folder.getFileName()))
        .orElse(folder);
  }

  private static Set<Capability> capabilities(YamlValue list) {
    return new TreeSet<>(
        YamlValue.readAll(list.items(), item -> item.choice("capability", Capability.class)));
  }

  private static SortedMap<Capability, String> lacks(YamlValue map) {
    map.check(
        "unknown capability",
        Stream.of(Capability.values()).map(Capability::label).sorted().toList());
    SortedMap<Capability, String> result = new TreeMap<>();
    map.texts()
        .forEach(
            (label, why) ->
                Labelled.of(Capability.class, label)
                    .ifPresent(capability -> result.put(capability, why)));
    return result;
  }

  private static OptionalCapability optional(YamlValue map, Set<String> options) {
    YamlValue option = map.required("option");
    String name = option.text().orElse("");
    if (option.text().isPresent()) {
      option.place().has("neither binding.properties nor settings have", name, options);
    }
    return new OptionalCapability(
        name, map.required("value").text().orElse(""), capabilities(map.required("adds")));
  }

  /** Reads the levels; {@code on} and one of {@code off} and {@code none} are required. */
  private static SortedMap<Fsync.Kind, FsyncLevel> fsync(YamlValue map) {
    SortedMap<Fsync.Kind, FsyncLevel> result = new TreeMap<>();
    for (Fsync.Kind kind : EnumSet.range(Fsync.Kind.ON, Fsync.Kind.NONE)) {
      boolean required =
          kind == Fsync.Kind.ON || (kind == Fsync.Kind.OFF && !map.has(Fsync.Kind.NONE.label()));
      YamlValue level = required ? map.required(kind.label()) : map.get(kind.label());
      if (!required && !level.isPresent()) {
        continue;
      }
      YamlValue unsupported = level.get("unsupported");
      Optional<String> interval =
          kind == Fsync.Kind.EVERY
              ? level.get("interval").positiveDuration("an interval")
              : Optional.empty();
      result.put(
          kind,
          new FsyncLevel(
              unsupported.sentence(),
              level.get("settings").texts(),
              level.get("properties").texts(),
              level.get("facts").texts(),
              level.get("note").sentence(),
              interval.flatMap(DurationFormat::parse)));
      if (unsupported.isPresent()
          && Stream.of("settings", "properties", "facts", "note", "interval")
              .anyMatch(level::has)) {
        unsupported.report("an unsupported level has no other keys; remove them");
      }
    }
    return result;
  }

  private static Eviction eviction(YamlValue map) {
    return new Eviction(
        map.get("settings").texts(),
        map.get("properties").texts(),
        map.get("facts").texts(),
        map.get("without").words(),
        map.get("external").texts());
  }

  private static RecordLimits limits(YamlValue map) {
    return new RecordLimits(
        map.get("key-bytes").bytes(1, Long.MAX_VALUE).orElse(Long.MAX_VALUE),
        map.get("value-bytes").bytes(1, Long.MAX_VALUE).orElse(Long.MAX_VALUE),
        map.get("record").ifMap(EngineReader::recordSetting));
  }

  private static RecordSetting recordSetting(YamlValue map) {
    return new RecordSetting(
        map.required("setting").text().orElse(""),
        map.get("header-bytes").bytes(0, 1 << 20).orElse(0L));
  }

  private ServerDefinition server(YamlValue map, Binding binding) {
    YamlValue container = map.get("container");
    YamlValue files = map.get("files");
    for (String name : files.entries().keySet()) {
      if (name.startsWith("/") || name.contains("..")) {
        files.at(name).report("'" + name + "' is outside the data directory");
      }
    }
    UnaryOperator<Exchange> form =
        map.get("arrays").flag().orElse(false) ? Exchange::inArrays : UnaryOperator.identity();
    return new ServerDefinition(
        map.required("port").integer(1, 65_535).orElse(1L).intValue(),
        container.required("image").text(),
        container.get("data").text().orElse("/data"),
        container.get("entrypoint").words(),
        map.get("process").required("executable").text(),
        map.get("bundled").texts(),
        map.get("arguments").words(),
        map.get("setting").words(),
        map.get("reserved").words(),
        files.texts(),
        form.apply(exchange(map.required("ready"), 0)),
        login(map.get("login")),
        facts(map.get("facts"), form),
        facts(map.get("reports"), form),
        map.get("password")
            .ifMap(pass -> new Password(pass.get("files").texts(), pass.get("arguments").words())),
        map.get("cluster").ifMap(cluster -> cluster(cluster, binding, form)),
        map.get("connections").text(),
        map.get("socket").words(),
        map.get("released").texts());
  }

  private Cluster cluster(YamlValue map, Binding single, UnaryOperator<Exchange> form) {
    return new Cluster(
        new Binding(
            type(map.required("class"), single.module(), single.classpath()),
            single.module(),
            Optional.empty(),
            single.classpath(),
            single.jvm(),
            map.get("properties").texts()),
        capabilities(map.required("capabilities")),
        form.apply(exchange(map.required("nodes"), 1)),
        EngineChecks.expression(map.required("owner"), 2));
  }

  private static SortedMap<String, Exchange> login(YamlValue map) {
    SortedMap<String, Exchange> result = new TreeMap<>();
    for (String name : List.of("password", "user")) {
      YamlValue login = map.get(name);
      if (login.isPresent()) {
        EngineChecks.checkPlaceholders(
            login.at("send"),
            login.get("send").text().orElse(""),
            Set.of("password", "password-bytes", "user", "user-bytes", "user-password-bytes"));
        result.put(name, exchange(login, 0));
      }
    }
    return result;
  }

  private static SortedMap<String, Exchange> facts(YamlValue map, UnaryOperator<Exchange> form) {
    SortedMap<String, Exchange> result = new TreeMap<>();
    map.entries().forEach((name, fact) -> result.put(name, form.apply(exchange(fact, 1))));
    return result;
  }

  /** {@code groups} is the number of groups that the expression needs. */
  private static Exchange exchange(YamlValue map, int groups) {
    String match = EngineChecks.expression(map.required("match"), groups);
    return new Exchange(map.required("send").text().orElse(""), match);
  }
}

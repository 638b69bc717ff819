package kvrank.scenario;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvrank.scenario.EngineDefinition.Binding;
import kvrank.scenario.EngineDefinition.FsyncLevel;
import kvrank.scenario.EngineDefinition.OptionalCapability;
import kvrank.scenario.EngineDefinition.ServerDefinition;

/** Reads an {@code engine.yaml}. */
final class EngineReader {

  private static final Map<String, Capability> CAPABILITIES =
      Arrays.stream(Capability.values())
          .collect(Collectors.toUnmodifiableMap(Capability::label, each -> each));

  private final Path folder;
  private final List<Path> bindings;

  /**
   * @param folder the folder that holds the file; its name is the engine's
   * @param bindings where a module may be, if not beside {@code folder}
   */
  EngineReader(Path folder, List<Path> bindings) {
    this.folder = folder;
    this.bindings = List.copyOf(bindings);
  }

  Optional<EngineDefinition> read(YamlValue root) {
    return root.section(this::engine);
  }

  private EngineDefinition engine(YamlMap section) {
    Optional<YamlValue> planned = section.optional("planned");
    return planned.isPresent() ? planned(section, planned.get()) : bound(section);
  }

  private EngineDefinition planned(YamlMap section, YamlValue reason) {
    return EngineDefinition.planned(
        folder.getFileName().toString(),
        section.required("description").flatMap(YamlValue::sentence).orElse(""),
        folder,
        reason.sentence().orElse(""));
  }

  private EngineDefinition bound(YamlMap section) {
    Optional<Binding> binding = section.required("binding").flatMap(e -> e.section(this::binding));
    SortedMap<String, String> properties =
        binding.map(Binding::properties).orElseGet(Collections::emptySortedMap);
    SortedMap<String, String> settings = texts(section, "settings");
    Set<String> options = new TreeSet<>(properties.keySet());
    options.addAll(settings.keySet());
    boolean embedded = section.optional("embedded").flatMap(YamlValue::flag).orElse(false);
    Optional<YamlValue> serverElement = section.optional("server");
    Optional<ServerDefinition> server =
        serverElement.flatMap(element -> element.section(ServerReader::server));
    ways(section, embedded, serverElement);
    if (embedded && !settings.isEmpty()) {
      section
          .keyPlace("settings")
          .report("an embedded engine has no settings; it has binding.properties");
    }
    EngineDefinition definition =
        new EngineDefinition(
            folder.getFileName().toString(),
            section.required("description").flatMap(YamlValue::sentence).orElse(""),
            folder,
            binding.orElse(
                new Binding("", folder, Optional.empty(), List.of(), List.of(), new TreeMap<>())),
            section.required("capabilities").map(EngineReader::capabilities).orElse(Set.of()),
            section
                .optional("optional-capabilities")
                .map(YamlValue::items)
                .orElse(List.of())
                .stream()
                .flatMap(item -> item.section(each -> optional(each, options)).stream())
                .toList(),
            settings,
            section
                .required("fsync")
                .flatMap(element -> element.section(EngineReader::fsync))
                .orElseGet(Collections::emptySortedMap),
            server,
            section.optional("install").flatMap(YamlValue::sentence).orElse(""),
            Optional.empty());
    new EngineChecks(definition, section, embedded).check();
    return definition;
  }

  private static void ways(YamlMap section, boolean embedded, Optional<YamlValue> server) {
    if (embedded && server.isPresent()) {
      section
          .keyPlace("server")
          .report("an embedded engine has no server; keep 'server' or 'embedded: true'");
    } else if (!embedded && server.isEmpty()) {
      section
          .place()
          .report("missing key 'server', or 'embedded: true' for an engine that needs no process");
    }
  }

  private Binding binding(YamlMap section) {
    Path module = section.optional("module").flatMap(this::module).orElse(folder);
    return new Binding(
        section.required("class").flatMap(YamlValue::className).orElse(""),
        module,
        section.optional("library").flatMap(YamlValue::name),
        section.files("classpath", folder),
        list(section, "jvm"),
        texts(section, "properties"));
  }

  private Optional<Path> module(YamlValue element) {
    Optional<String> name = element.name();
    Optional<Path> module =
        name.flatMap(
            each ->
                Stream.concat(Stream.of(folder.getParent()), bindings.stream())
                    .map(parent -> parent.resolve(each))
                    .filter(Files::isDirectory)
                    .findFirst());
    if (name.isPresent() && module.isEmpty()) {
      element.report(
          "no folder '%s' beside '%s', or in kvrank's bindings/"
              .formatted(name.get(), folder.getFileName()));
    }
    return module;
  }

  private static Set<Capability> capabilities(YamlValue element) {
    Set<Capability> result = new TreeSet<>();
    for (YamlValue item : element.items()) {
      item.choice("capability", CAPABILITIES).ifPresent(result::add);
    }
    return result;
  }

  private static OptionalCapability optional(YamlMap section, Set<String> options) {
    Optional<YamlValue> element = section.required("option");
    Optional<String> option = element.flatMap(YamlValue::text);
    if (option.isPresent() && !options.contains(option.get())) {
      element
          .orElseThrow()
          .report(
              "neither binding.properties nor settings has '%s'%s"
                  .formatted(option.get(), Suggestion.of(option.get(), options)));
    }
    return new OptionalCapability(
        option.orElse(""),
        section.required("value").flatMap(YamlValue::text).orElse(""),
        section.required("adds").map(EngineReader::capabilities).orElse(Set.of()));
  }

  private static SortedMap<Fsync, FsyncLevel> fsync(YamlMap section) {
    SortedMap<Fsync, FsyncLevel> result = new TreeMap<>();
    for (Fsync fsync : Fsync.values()) {
      section
          .required(fsync.label())
          .flatMap(element -> element.section(EngineReader::level))
          .ifPresent(level -> result.put(fsync, level));
    }
    return result;
  }

  private static FsyncLevel level(YamlMap section) {
    Optional<YamlValue> unsupported = section.optional("unsupported");
    FsyncLevel level =
        new FsyncLevel(
            unsupported.flatMap(YamlValue::sentence),
            texts(section, "settings"),
            texts(section, "properties"),
            texts(section, "facts"),
            section.optional("note").flatMap(YamlValue::sentence));
    boolean more =
        section.has("settings")
            || section.has("properties")
            || section.has("facts")
            || section.has("note");
    if (unsupported.isPresent() && more) {
      unsupported.get().report("a level that is unsupported has nothing else");
    }
    return level;
  }

  static SortedMap<String, String> texts(YamlMap section, String key) {
    return section
        .optional(key)
        .flatMap(element -> element.section(YamlMap::texts))
        .orElseGet(Collections::emptySortedMap);
  }

  static List<String> list(YamlMap section, String key) {
    return section.optional(key).map(YamlValue::texts).orElse(List.of());
  }
}

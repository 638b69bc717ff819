package kvrank.scenario;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import kvrank.scenario.EngineSpec.ServerChoice;

/** Reads the engines of a scenario. */
final class EngineSpecReader {

  /** Stands for the engine's own image or executable. */
  static final String OWN = "true";

  private static final List<ProvisionMethod> WAYS =
      List.of(
          ProvisionMethod.CONTAINER,
          ProvisionMethod.PROCESS,
          ProvisionMethod.BUNDLED,
          ProvisionMethod.EXTERNAL);

  private final DefinitionLoader library;
  private final List<String> only;
  private final SortedMap<String, SourceLocation> labels = new TreeMap<>();

  /**
   * @param only the labels to read; empty for all
   */
  EngineSpecReader(DefinitionLoader library, List<String> only) {
    this.library = library;
    this.only = List.copyOf(only);
  }

  List<EngineSpec> read(YamlValue engines) {
    List<YamlValue> items = engines.items();
    if (engines.isList() && items.isEmpty()) {
      engines.report("needs at least one engine");
    }
    List<EngineSpec> result = new ArrayList<>();
    items.forEach(item -> entry(item).ifPresent(result::add));
    return result;
  }

  /** Returns the labels of all entries, also of those that are not read. */
  Set<String> labels() {
    return labels.keySet();
  }

  private Optional<EngineSpec> entry(YamlValue element) {
    if (!element.isMap()) {
      Optional<String> label = element.text().filter(name -> claim(name, element.place()));
      return label
          .flatMap(any -> library.engine(element))
          .map(engine -> new EngineSpec(label.get(), engine, new TreeMap<>(), Optional.empty()));
    }
    return element.section(this::entry).flatMap(spec -> spec);
  }

  private Optional<EngineSpec> entry(YamlMap section) {
    Optional<YamlValue> name = section.required("engine");
    Optional<YamlValue> as = section.optional("as");
    Optional<YamlValue> options = section.optional("options");
    Optional<YamlValue> server = section.optional("server");
    Optional<String> label =
        as.isPresent() ? as.flatMap(YamlValue::name) : name.flatMap(YamlValue::text);
    SourceLocation labelPlace = as.or(() -> name).map(YamlValue::place).orElse(section.place());
    if (label.isEmpty() || !claim(label.get(), labelPlace)) {
      // The contents are still asked for, so that their keys are not reported as unknown.
      options.ifPresent(element -> element.section(YamlMap::texts));
      return Optional.empty();
    }
    return name.flatMap(library::engine)
        .map(
            engine -> {
              Optional<ServerChoice> choice = server.flatMap(element -> choice(element, engine));
              return new EngineSpec(
                  label.get(),
                  engine,
                  options
                      .flatMap(element -> element.section(map -> options(map, engine, choice)))
                      .orElseGet(Collections::emptySortedMap),
                  choice);
            });
  }

  /** Returns whether the entry is read: its label is new, and one of those that are asked for. */
  private boolean claim(String label, SourceLocation place) {
    SourceLocation first = labels.putIfAbsent(label, place);
    if (first != null) {
      place.report(
          "'%s' is on %s already; give one of them another name with 'as'"
              .formatted(label, first.reference()));
      return false;
    }
    return only.isEmpty() || only.contains(label);
  }

  private static SortedMap<String, String> options(
      YamlMap section, EngineDefinition engine, Optional<ServerChoice> choice) {
    SortedMap<String, String> options = section.texts();
    Set<String> properties = engine.binding().properties().keySet();
    boolean external =
        choice.map(ServerChoice::method).equals(Optional.of(ProvisionMethod.EXTERNAL));
    for (String option : options.keySet()) {
      if (properties.contains(option)) {
        continue;
      }
      if (external) {
        section
            .keyPlace(option)
            .report(
                "'%s' is a setting of the server, and kvrank does not start an external one"
                    .formatted(option));
      } else if (!takesAnySetting(engine) && !engine.settings().containsKey(option)) {
        Set<String> known = new TreeSet<>(properties);
        known.addAll(engine.settings().keySet());
        section
            .keyPlace(option)
            .report(
                "%s has no option '%s'%s"
                    .formatted(engine.name(), option, Suggestion.of(option, known)));
      }
    }
    return options;
  }

  /** Returns whether settings that {@code engine.yaml} does not name reach the server, too. */
  private static boolean takesAnySetting(EngineDefinition engine) {
    return engine
        .server()
        .map(server -> server.arguments().contains(EngineChecks.ALL_SETTINGS))
        .orElse(false);
  }

  private static Optional<ServerChoice> choice(YamlValue element, EngineDefinition engine) {
    if (engine.embedded()) {
      element.report(engine.name() + " is embedded; it has no server");
      return Optional.empty();
    }
    return element
        .section("method for the server", section -> choice(section, element, engine))
        .flatMap(choice -> choice);
  }

  private static Optional<ServerChoice> choice(
      YamlMap section, YamlValue server, EngineDefinition engine) {
    List<ServerChoice> choices = new ArrayList<>();
    for (ProvisionMethod way : WAYS) {
      section
          .optional(way.label())
          .flatMap(element -> argument(way, element, engine))
          .ifPresent(argument -> choices.add(new ServerChoice(way, argument)));
    }
    if (section.size() != 1) {
      server.report("names %d methods for the server; name one".formatted(section.size()));
    }
    return choices.stream().findFirst();
  }

  /** Returns the way's argument; empty text for the engine's own; no result after a problem. */
  private static Optional<String> argument(
      ProvisionMethod way, YamlValue element, EngineDefinition engine) {
    Optional<String> text = element.text();
    if (text.isEmpty()) {
      return Optional.empty();
    }
    if (way == ProvisionMethod.EXTERNAL) {
      return text.filter(address -> isAddress(element, address));
    }
    if (!text.get().equals(OWN)) {
      return text.filter(
          argument -> way != ProvisionMethod.BUNDLED || isPlatform(element, argument, engine));
    }
    if (!own(way, engine)) {
      element.report(
          "%s/engine.yaml states no %s"
              .formatted(
                  engine.name(),
                  way == ProvisionMethod.BUNDLED ? "bundled executable" : way.label()));
      return Optional.empty();
    }
    return Optional.of("");
  }

  /** Another platform than this machine's may run here, too, as 32-bit programs do. */
  private static boolean isPlatform(YamlValue element, String platform, EngineDefinition engine) {
    Set<String> platforms =
        engine.server().map(server -> server.bundled().keySet()).orElseGet(Set::of);
    boolean known = platforms.contains(platform);
    if (!known) {
      element.report(
          platforms.isEmpty()
              ? engine.name() + "/engine.yaml states no bundled executable"
              : "%s/engine.yaml states no bundled executable for '%s'%s"
                  .formatted(engine.name(), platform, Suggestion.of(platform, platforms)));
    }
    return known;
  }

  private static boolean own(ProvisionMethod way, EngineDefinition engine) {
    return engine
        .server()
        .map(
            server ->
                switch (way) {
                  case CONTAINER -> server.image().isPresent();
                  case PROCESS -> server.executable().isPresent();
                  case BUNDLED -> !server.bundled().isEmpty();
                  case EMBEDDED, EXTERNAL -> false;
                })
        .orElse(false);
  }

  private static boolean isAddress(YamlValue element, String address) {
    int colon = address.lastIndexOf(':');
    boolean good =
        colon > 0
            && address.substring(colon + 1).matches("\\d{1,5}")
            && Integer.parseInt(address.substring(colon + 1)) <= 65_535;
    if (!good) {
      element.report("'" + address + "' is not host:port");
    }
    return good;
  }
}

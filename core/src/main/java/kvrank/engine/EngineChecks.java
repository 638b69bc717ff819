package kvrank.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import kvrank.engine.EngineDefinition.FsyncLevel;
import kvrank.input.SourceLocation;
import kvrank.input.Suggestion;
import kvrank.input.YamlValue;

/** Reports parts of an {@code engine.yaml} that are valid each but do not agree. */
record EngineChecks(EngineDefinition engine, YamlValue root, boolean embedded) {

  private static final String LIBRARY = "${library}";
  private static final String SOCKET = "${socket}";
  private static final String DATA = "${data}";
  private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^}]*)}");

  void check() {
    Set<String> names = placeholderNames();
    checkBinding(names);
    checkLevels(names);
    YamlValue limit = root.get("limits").get("record").get("setting");
    limit
        .text()
        .ifPresent(name -> limit.place().has("settings have no", name, engine.settings().keySet()));
    checkEviction();
    engine.server().ifPresent(server -> checkServer(server, names));
  }

  private void checkBinding(Set<String> names) {
    YamlValue binding = root.get("binding");
    checkPlaceholders(binding.get("properties"), names);
    SourceLocation library = binding.at("library");
    if (engine.binding().library().isPresent() && !embedded) {
      library.report("only an embedded engine has a native library");
    } else if (engine.binding().library().isPresent()
        && !engine.binding().properties().containsValue(LIBRARY)) {
      library.report("no property has the value '%s'; the binding needs one to find it", LIBRARY);
    }
    if (embedded) {
      engine
          .binding()
          .library()
          .ifPresent(name -> LibraryProperties.require(library, engine.binding().module(), name));
    }
    String dir = engine.binding().properties().getOrDefault("dir", DATA);
    if (embedded && !dir.contains(DATA)) {
      binding
          .get("properties")
          .at("dir")
          .report("must be '%s', the data folder of the run, or below it", DATA);
    }
  }

  private void checkLevels(Set<String> names) {
    YamlValue binding = root.get("binding");
    Optional<LibraryProperties> libraryProperties = LibraryProperties.of(engine.binding());
    libraryProperties.ifPresent(known -> known.check(binding.get("properties")));
    Set<String> timed = new TreeSet<>(names);
    timed.addAll(List.of("every-micros", "every-millis"));
    for (Fsync.Kind kind : engine.fsync().keySet()) {
      YamlValue level = root.get("fsync").get(kind.label());
      YamlValue properties = level.get("properties");
      checkPlaceholders(properties, kind == Fsync.Kind.EVERY ? timed : names);
      checkFacts(level.get("facts"));
      libraryProperties.ifPresent(known -> known.check(properties));
      if (engine.fsync().get(kind).unsupported().isEmpty()) {
        Set<String> stated = new TreeSet<>(binding.get("properties").names());
        stated.addAll(properties.names());
        libraryProperties.ifPresent(known -> known.require(binding.at("properties"), stated));
      }
      // A misspelt property would be ignored silently, and with it the durability.
      SortedMap<Fsync.Kind, FsyncLevel> others = new TreeMap<>(engine.fsync());
      others.remove(kind);
      others.values().removeIf(other -> other.unsupported().isPresent());
      if (!others.isEmpty() && libraryProperties.isEmpty()) {
        Set<String> known = new TreeSet<>(engine.binding().properties().keySet());
        others.values().forEach(other -> known.addAll(other.properties().keySet()));
        properties.check("neither binding.properties nor another level has", known);
      }
      if (embedded && !engine.fsync().get(kind).settings().isEmpty()) {
        level.at("settings").report("an embedded engine has no settings; use properties");
      }
    }
  }

  private void checkEviction() {
    YamlValue evicting = root.get("eviction");
    Set<String> limited = Set.of("maxmemory-bytes", "maxmemory-mebibytes");
    for (String part : List.of("settings", "properties", "facts")) {
      checkPlaceholders(evicting.get(part), limited);
    }
    evicting
        .get("properties")
        .check("binding.properties has no", engine.binding().properties().keySet());
    checkFacts(evicting.get("facts"));
    YamlValue external = evicting.get("external");
    checkFacts(external);
    external.names().forEach(name -> expression(external.get(name), 0));
  }

  private void checkServer(ServerDefinition stated, Set<String> names) {
    YamlValue server = root.get("server");
    SourceLocation arguments = server.at("arguments");
    checkPlaceholders(server.get("files"), names);
    checkPlaceholders(server.get("password").get("files"), Set.of("password", "user"));
    stated
        .connections()
        .ifPresent(
            fact ->
                server.at("connections").has("server.facts has no", fact, stated.facts().keySet()));
    stated.arguments().stream()
        .filter(argument -> !argument.equals(EngineReader.ALL_SETTINGS))
        .forEach(argument -> checkPlaceholders(arguments, argument, names));
    Set<String> local = new TreeSet<>(names);
    local.add("socket");
    SourceLocation socket = server.at("socket");
    stated.socket().forEach(argument -> checkPlaceholders(socket, argument, local));
    if (!stated.socket().isEmpty() && !String.join(" ", stated.socket()).contains(SOCKET)) {
      socket.report("has no '%s', the path of the socket", SOCKET);
    }
    if (stated.arguments().contains(EngineReader.ALL_SETTINGS) && stated.setting().isEmpty()) {
      arguments.report(
          "'%s' needs server.setting, the form of one setting", EngineReader.ALL_SETTINGS);
    }
    List<String> texts = new ArrayList<>(stated.arguments());
    texts.addAll(stated.files().values());
    if (!root.get("embedded").isPresent()) {
      checkReached(root.get("settings"), texts);
      checkReached(root.get("eviction").get("settings"), texts);
      for (Fsync.Kind kind : engine.fsync().keySet()) {
        checkReached(root.get("fsync").get(kind.label()).get("settings"), texts);
      }
    }
  }

  /** Reports settings that the server never receives: it would run with its default. */
  private static void checkReached(YamlValue settings, List<String> texts) {
    for (String name : settings.texts().keySet()) {
      String placeholder = "${settings." + name + "}";
      if (texts.stream()
          .noneMatch(
              text -> text.equals(EngineReader.ALL_SETTINGS) || text.contains(placeholder))) {
        settings
            .at(name)
            .report(
                "'%s' does not reach the server; put '%s' or '%s' into server.arguments, or the"
                    + " latter into server.files",
                name, EngineReader.ALL_SETTINGS, placeholder);
      }
    }
  }

  private void checkFacts(YamlValue facts) {
    engine
        .server()
        .ifPresent(server -> facts.check("server.facts has no", server.facts().keySet()));
  }

  /** Returns a regular expression that has {@code groups} groups or more, or reports why not. */
  static String expression(YamlValue value, int groups) {
    String expression = value.text().orElse("");
    try {
      int actual = Pattern.compile(expression).matcher("").groupCount();
      if (!expression.isEmpty() && actual < groups) {
        String none = "'%s' has no group; the first group is the fact's value";
        value.report(groups == 1 ? none : "'%s' needs two groups", expression);
      }
    } catch (PatternSyntaxException e) {
      value.report("'%s' is not a regular expression: %s", expression, e.getDescription());
    }
    return expression;
  }

  private static void checkPlaceholders(YamlValue map, Set<String> names) {
    map.texts().forEach((name, text) -> checkPlaceholders(map.at(name), text, names));
  }

  static void checkPlaceholders(SourceLocation place, String text, Set<String> names) {
    Matcher matcher = PLACEHOLDER.matcher(text);
    while (matcher.find()) {
      if (!names.contains(matcher.group(1))) {
        place.report(
            "unknown placeholder '%s'%s", matcher.group(), Suggestion.of(matcher.group(1), names));
      }
    }
  }

  private Set<String> placeholderNames() {
    Set<String> names = new TreeSet<>();
    if (embedded) {
      names.addAll(List.of("cache-bytes", "data", "key-bytes", "records", "ttl", "value-bytes"));
      names.add("write-buffer-bytes");
      engine.binding().library().ifPresent(library -> names.add("library"));
      return names;
    }
    names.addAll(List.of("bind", "data", "executable", "host", "port"));
    Set<String> settings = new TreeSet<>(engine.settings().keySet());
    engine.fsync().values().forEach(level -> settings.addAll(level.settings().keySet()));
    settings.forEach(setting -> names.add("settings." + setting));
    return names;
  }
}

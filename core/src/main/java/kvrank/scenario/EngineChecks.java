package kvrank.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvrank.scenario.EngineDefinition.FsyncLevel;
import kvrank.scenario.EngineDefinition.ServerDefinition;

/** What has to hold between the parts of an {@code engine.yaml}. */
final class EngineChecks {

  private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^}]*)}");

  /** An argument that stands for all settings. */
  static final String ALL_SETTINGS = "${settings}";

  private static final String LIBRARY = "${library}";

  private final EngineDefinition engine;
  private final YamlMap root;
  private final boolean embedded;

  EngineChecks(EngineDefinition engine, YamlMap root, boolean embedded) {
    this.engine = engine;
    this.root = root;
    this.embedded = embedded;
  }

  void check() {
    engine.fsync().forEach((fsync, level) -> checkLevel(List.of("fsync", fsync.label()), level));
    checkLevelProperties();
    checkLibrary();
    placeholders(List.of("binding", "properties"), engine.binding().properties());
    engine.server().ifPresent(this::checkServer);
  }

  private void checkLevel(List<String> path, FsyncLevel level) {
    placeholders(and(path, "properties"), level.properties());
    engine
        .server()
        .ifPresent(
            server -> {
              for (String fact : level.facts().keySet()) {
                if (!server.facts().containsKey(fact)) {
                  report(
                      and(path, "facts", fact),
                      "server.facts does not ask for '%s'%s"
                          .formatted(fact, Suggestion.of(fact, server.facts().keySet())));
                }
              }
            });
    if (embedded && !level.settings().isEmpty()) {
      report(and(path, "settings"), "an embedded engine has no settings; it has properties");
    }
  }

  /** A misspelt property would be ignored in silence, and the durability with it. */
  private void checkLevelProperties() {
    for (Fsync fsync : engine.fsync().keySet()) {
      Set<String> known = new TreeSet<>(engine.binding().properties().keySet());
      boolean all = true;
      for (Fsync other : engine.fsync().keySet()) {
        if (other != fsync) {
          known.addAll(engine.fsync().get(other).properties().keySet());
          all = engine.fsync().get(other).unsupported().isEmpty();
        }
      }
      for (String name : engine.fsync().get(fsync).properties().keySet()) {
        if (all && !known.contains(name)) {
          report(
              List.of("fsync", fsync.label(), "properties", name),
              "neither binding.properties nor the other level has '%s'%s"
                  .formatted(name, Suggestion.of(name, known)));
        }
      }
    }
  }

  /** A library that the binding is not told of would never be loaded. */
  private void checkLibrary() {
    List<String> path = List.of("binding", "library");
    if (engine.binding().library().isPresent() && !embedded) {
      report(path, "only an embedded engine has a native library");
    } else if (engine.binding().library().isPresent()
        && !engine.binding().properties().containsValue(LIBRARY)) {
      report(path, "no property is '%s', so the binding would not find it".formatted(LIBRARY));
    }
  }

  private void checkServer(ServerDefinition server) {
    for (String argument : server.arguments()) {
      if (!argument.equals(ALL_SETTINGS)) {
        placeholders(List.of("server", "arguments"), argument);
      }
    }
    server
        .files()
        .forEach((name, content) -> placeholders(List.of("server", "files", name), content));
    if (server.arguments().contains(ALL_SETTINGS) && server.setting().isEmpty()) {
      report(
          List.of("server", "arguments"),
          "'%s' needs server.setting, which says how one setting is given".formatted(ALL_SETTINGS));
    }
  }

  private void placeholders(List<String> path, SortedMap<String, String> texts) {
    texts.forEach((name, text) -> placeholders(and(path, name), text));
  }

  private void placeholders(List<String> path, String text) {
    Matcher matcher = PLACEHOLDER.matcher(text);
    while (matcher.find()) {
      if (!placeholderNames().contains(matcher.group(1))) {
        report(
            path,
            "unknown placeholder '%s'%s"
                .formatted(matcher.group(), Suggestion.of(matcher.group(1), placeholderNames())));
      }
    }
  }

  private Set<String> placeholderNames() {
    if (embedded) {
      Set<String> names = new TreeSet<>(List.of("data", "key-bytes", "records", "value-bytes"));
      if (engine.binding().library().isPresent()) {
        names.add("library");
      }
      return names;
    }
    Set<String> names = new TreeSet<>(List.of("bind", "data", "executable", "host", "port"));
    List<String> settings = new ArrayList<>(engine.settings().keySet());
    engine.fsync().values().forEach(level -> settings.addAll(level.settings().keySet()));
    settings.forEach(setting -> names.add("settings." + setting));
    return names;
  }

  private void report(List<String> path, String message) {
    root.find(path).report(message);
  }

  private static List<String> and(List<String> path, String... more) {
    List<String> result = new ArrayList<>(path);
    result.addAll(List.of(more));
    return result;
  }
}

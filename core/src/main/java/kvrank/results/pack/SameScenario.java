package kvrank.results.pack;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import kvrank.input.Diagnostics;
import kvrank.input.YamlFile;
import kvrank.input.YamlValue;
import kvrank.results.Manifest;

/**
 * Finds executions that share the name of a scenario, but not what it measures. Engines,
 * repetitions, seeds and what only a report needs may differ.
 */
final class SameScenario {

  /** The most differences that a sentence names. */
  private static final int MOST = 5;

  private static final Set<String> FREE =
      Set.of(
          "name",
          "repetitions",
          "budget",
          "patience",
          "seed",
          "order-seed",
          "isolation",
          "tables",
          "expect",
          "prefer");

  /** Texts for readers, and places of one machine. */
  private static final Set<String> FREE_BELOW =
      Set.of("description", "notes", "server", "bindings", "data", "classpath");

  private static final String ENGINES = "engines";
  private static final String PHASES = "phases";
  private static final String LABEL = "as";

  /** A resolved scenario, and where it is from. */
  private record Known(String place, SortedMap<String, String> settings) {}

  private final Function<String, Optional<String>> shipped;
  private final Map<String, List<Known>> known = new HashMap<>();

  /**
   * Creates a comparison with earlier executions and with the installed scenarios.
   *
   * @param shipped returns the resolved YAML of the scenario of a name, if kvrank comes with one
   */
  SameScenario(Function<String, Optional<String>> shipped) {
    this.shipped = shipped;
  }

  /** Returns the settings of a resolved scenario by path; empty if it is not one. */
  static SortedMap<String, String> settings(String yaml) {
    SortedMap<String, String> settings = new TreeMap<>();
    YamlFile.parse(new Diagnostics(), yaml, Path.of("scenario.yaml"))
        .map(YamlValue::tree)
        .filter(Map.class::isInstance)
        .ifPresent(tree -> add("", tree, settings));
    settings.keySet().removeIf(path -> FREE.contains(path.replaceFirst("\\..*", "")));
    return settings;
  }

  private static void add(String path, Object node, SortedMap<String, String> settings) {
    if (node instanceof Map<?, ?> map) {
      map.forEach(
          (key, value) -> {
            if (!FREE_BELOW.contains(key)) {
              add(path.isEmpty() ? key.toString() : path + "." + key, value, settings);
            }
          });
    } else if (node instanceof List<?> list
        && list.stream()
            .anyMatch(each -> each instanceof Map<?, ?> map && map.containsKey(LABEL))) {
      List<String> names = new ArrayList<>();
      for (Object each : list) {
        String name = each instanceof Map<?, ?> map ? String.valueOf(map.get(LABEL)) : "";
        names.add(name);
        add(path + "." + name, each, settings);
      }
      settings.put(path, String.join(", ", names));
    } else {
      settings.put(path, String.valueOf(node));
    }
  }

  /** Returns the crashes of each run; empty without a crash test. */
  static OptionalInt crashes(SortedMap<String, String> settings) {
    String crashes = settings.getOrDefault("verify.crashes", "");
    return crashes.matches("[0-9]{1,6}")
        ? OptionalInt.of(Integer.parseInt(crashes))
        : OptionalInt.empty();
  }

  /**
   * Returns a sentence about the first place with another scenario of the name. If there is none,
   * remembers this place: later ones are compared with it, but first with the installed scenario.
   */
  List<String> differences(String name, String place, SortedMap<String, String> settings) {
    List<Known> others =
        known.computeIfAbsent(
            name,
            any ->
                new ArrayList<>(
                    shipped
                        .apply(name)
                        .map(yaml -> new Known("this kvrank", settings(yaml)))
                        .stream()
                        .toList()));
    List<String> differences = new ArrayList<>();
    for (Known other : others) {
      List<String> differing = differing(settings, other.settings());
      if (!differing.isEmpty() && differences.isEmpty()) {
        differences.add(
            "is not the scenario '%s' of %s: %s; measure it without --set, or under another name"
                .formatted(name, other.place(), String.join(", ", shortened(differing))));
      }
    }
    if (differences.isEmpty()) {
      others.add(new Known(place, settings));
    }
    return differences;
  }

  private static List<String> shortened(List<String> all) {
    if (all.size() <= MOST) {
      return all;
    }
    List<String> some = new ArrayList<>(all.subList(0, MOST));
    some.add("and %d more".formatted(all.size() - MOST));
    return some;
  }

  private static List<String> differing(
      SortedMap<String, String> ours, SortedMap<String, String> theirs) {
    Set<String> paths = new TreeSet<>(ours.keySet());
    paths.addAll(theirs.keySet());
    List<String> differing = new ArrayList<>();
    for (String path : paths) {
      String own = ours.getOrDefault(path, "missing");
      String other = theirs.getOrDefault(path, "missing");
      if (!own.equals(other) && compared(path, ours) && compared(path, theirs)) {
        differing.add("%s is %s instead of %s".formatted(path, own, other));
      }
    }
    return differing;
  }

  /** Returns whether a setting is not that of an engine which {@code settings} do not have. */
  private static boolean compared(String path, SortedMap<String, String> settings) {
    if (!path.startsWith(ENGINES)) {
      return true;
    }
    return !path.equals(ENGINES)
        && List.of(settings.getOrDefault(ENGINES, "").split(", ", -1)).stream()
            .anyMatch(engine -> path.startsWith(ENGINES + "." + engine + "."));
  }

  /**
   * Returns a sentence for each part of a plan that the scenario in the same folder contradicts.
   */
  static List<String> contradictions(Manifest plan, SortedMap<String, String> settings) {
    List<String> found = new ArrayList<>();
    if (!String.join(", ", plan.phases()).equals(settings.getOrDefault(PHASES, ""))) {
      found.add("plan.json: phases are not those of scenario.yaml");
    }
    if (!plan.medium().equals(settings.getOrDefault("storage.medium", ""))) {
      found.add("plan.json: medium is not that of scenario.yaml");
    }
    plan.factors()
        .forEach(
            (label, values) -> {
              String stated = values.size() == 1 ? values.get(0) : values.toString();
              for (String place : List.of(label, "measure." + label, "factors." + label)) {
                String other = settings.getOrDefault(place, stated);
                if (!other.equals(stated)) {
                  found.add(
                      "plan.json: %s is %s, but scenario.yaml has %s"
                          .formatted(label, stated, other));
                }
              }
            });
    return found;
  }
}

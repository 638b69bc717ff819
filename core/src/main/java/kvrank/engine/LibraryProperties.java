package kvrank.engine;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import kvrank.engine.EngineDefinition.Binding;
import kvrank.input.SourceLocation;
import kvrank.input.YamlValue;

/**
 * The properties that a native library reads. {@code bindings/properties} extracts them from its
 * sources during the build.
 *
 * @param properties by name: the kind, and the words of a choice
 */
public record LibraryProperties(String library, SortedMap<String, List<String>> properties) {

  private static final String SUFFIX = ".properties";

  /** The name under which computed property names are listed. */
  private static final String COMPUTED = "*";

  /** Properties of the Java class that loads the library. */
  private static final Set<String> OF_THE_CLASS = Set.of("library", "dir");

  /** Returns the properties; empty if there is no library or it is not built. */
  public static Optional<LibraryProperties> of(Binding binding) {
    return binding.library().flatMap(library -> read(binding.module(), library));
  }

  /** Reports a library that the module does not build and that has no sources. */
  static void require(SourceLocation place, Path module, String library) {
    try (Stream<Path> files = Files.list(folder(module))) {
      List<String> built =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith(SUFFIX))
              .map(name -> name.substring(0, name.length() - SUFFIX.length()))
              .sorted()
              .toList();
      if (!built.isEmpty() && !Files.exists(module.resolveSibling(library))) {
        place.has("module '%s' builds no library".formatted(module.getFileName()), library, built);
      }
    } catch (IOException e) {
      // Nothing is built yet.
    }
  }

  private static Path folder(Path module) {
    return BuiltModule.target(module).resolve("native");
  }

  private static Optional<LibraryProperties> read(Path module, String library) {
    Path file = folder(module).resolve(library + SUFFIX);
    SortedMap<String, List<String>> properties = new TreeMap<>();
    try {
      for (String line : Files.readAllLines(file)) {
        List<String> words = Arrays.asList(line.split(" "));
        properties.put(words.get(0), words.subList(1, words.size()));
      }
    } catch (IOException e) {
      return Optional.empty();
    }
    return properties.isEmpty()
        ? Optional.empty()
        : Optional.of(new LibraryProperties(library, properties));
  }

  /** Reports unknown properties, and values that the library refuses. */
  public void check(YamlValue map) {
    String complaint = "library '" + library + "' has no property";
    map.texts()
        .forEach(
            (name, value) -> {
              SourceLocation place = map.at(name);
              if (!OF_THE_CLASS.contains(name)
                  && (properties.containsKey(COMPUTED)
                      || place.has(complaint, name, properties.keySet()))) {
                check(place, name, value);
              }
            });
  }

  /** Reports each value of {@code options} that the library refuses. */
  public void check(Map<String, SourceLocation> places, SortedMap<String, List<String>> options) {
    options.forEach(
        (name, values) -> values.forEach(value -> check(places.get(name), name, value)));
  }

  /** Reports an option that cannot be tuned because it is not a number. */
  public void checkTuned(SourceLocation place, String name) {
    if (properties.containsKey(name) && !properties.get(name).get(0).equals("number")) {
      place.report("'%s' of library '%s' is not a number, so it cannot be tuned", name, library);
    }
  }

  /** Reports a value that the library refuses; a value with a placeholder is unknown yet. */
  private void check(SourceLocation place, String name, String value) {
    List<String> kind = properties.getOrDefault(name, List.of(""));
    boolean number = kind.get(0).equals("number");
    List<String> words =
        kind.get(0).equals("flag") ? List.of("true", "false") : kind.subList(1, kind.size());
    if (value.contains("${") || Tuning.isPlaceholder(value)) {
      return;
    }
    if (number && !value.matches("\\+?\\d+")) {
      place.report("'%s' is not a whole number; write only digits", value);
    } else if (number && new BigInteger(value).bitLength() > 63) {
      place.report("'%s' is too large; it must be at most %d", value, Long.MAX_VALUE);
    } else if (!words.isEmpty() && !words.contains(value)) {
      place.report("'%s' is not one of %s", value, String.join(", ", words));
    }
  }

  /**
   * Reports properties of the library that are not among {@code names}. If one of these is unknown,
   * it is probably misspelt, and nothing more is reported.
   */
  void require(SourceLocation place, Set<String> names) {
    Set<String> others = new TreeSet<>(names);
    others.removeAll(OF_THE_CLASS);
    if (properties.keySet().containsAll(others)) {
      properties.keySet().stream()
          .filter(name -> !name.equals(COMPUTED) && !names.contains(name))
          .forEach(name -> place.report("library '%s' needs property '%s'", library, name));
    }
  }
}

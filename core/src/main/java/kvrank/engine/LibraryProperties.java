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
 * The properties that a native library asks for, which {@code bindings/properties} reads in its
 * sources when Maven builds it.
 *
 * @param library its name
 * @param asked by name the kind, as the library's function that asks is called, and the words of a
 *     choice
 */
public record LibraryProperties(String library, SortedMap<String, List<String>> asked) {

  private static final String SUFFIX = ".properties";

  /** The name of those that the sources ask for by other means than a text. */
  private static final String OTHERS = "*";

  /** Those of the Java class that loads it. */
  private static final Set<String> OF_THE_CLASS = Set.of("library", "dir");

  /** Returns them, unless there is no library or nobody knows what it asks for. */
  public static Optional<LibraryProperties> of(Binding binding) {
    return binding.library().flatMap(library -> read(binding.module(), library));
  }

  /**
   * Reports a library that the build of a module knows nothing of, unless its sources are there.
   */
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
      // Nothing is built yet, so nobody knows.
    }
  }

  private static Path folder(Path module) {
    return BuiltModule.target(module).resolve("native");
  }

  private static Optional<LibraryProperties> read(Path module, String library) {
    Path file = folder(module).resolve(library + SUFFIX);
    SortedMap<String, List<String>> asked = new TreeMap<>();
    try {
      for (String line : Files.readAllLines(file)) {
        List<String> words = Arrays.asList(line.split(" "));
        asked.put(words.get(0), words.subList(1, words.size()));
      }
    } catch (IOException e) {
      return Optional.empty();
    }
    return Optional.of(new LibraryProperties(library, asked)).filter(each -> !asked.isEmpty());
  }

  /** Reports each that the library does not know, or that has a value that it refuses. */
  public void check(YamlValue properties) {
    String complaint = "library '" + library + "' asks for no";
    for (var each : properties.texts().entrySet()) {
      SourceLocation place = properties.at(each.getKey());
      if (!OF_THE_CLASS.contains(each.getKey())
          && (asked.containsKey(OTHERS) || place.has(complaint, each.getKey(), asked.keySet()))) {
        check(place, each.getKey(), each.getValue());
      }
    }
  }

  /** Reports each value of {@code options} that the library refuses. */
  public void check(Map<String, SourceLocation> places, SortedMap<String, List<String>> options) {
    options.forEach(
        (name, values) -> values.forEach(value -> check(places.get(name), name, value)));
  }

  /** Reports an option that is to be tuned and is no number. */
  public void checkTuned(SourceLocation place, String name) {
    if (asked.containsKey(name) && !asked.get(name).get(0).equals("number")) {
      place.report("'%s' of library '%s' is not a number, so it cannot be tuned", name, library);
    }
  }

  /** One with a placeholder is not known yet. */
  private void check(SourceLocation place, String name, String value) {
    List<String> kind = asked.getOrDefault(name, List.of(""));
    boolean number = kind.get(0).equals("number");
    List<String> words =
        kind.get(0).equals("flag") ? List.of("true", "false") : kind.subList(1, kind.size());
    if (value.contains("${") || Tuning.isPlaceholder(value)) {
      return;
    }
    if (number && !value.matches("\\+?\\d+")) {
      place.report("'%s' is not a whole number from 0 on, in digits alone", value);
    } else if (number && new BigInteger(value).bitLength() > 63) {
      place.report("'%s' is more than %d", value, Long.MAX_VALUE);
    } else if (!words.isEmpty() && !words.contains(value)) {
      place.report("'%s' is not one of %s", value, String.join(", ", words));
    }
  }

  /**
   * Reports at {@code place} what the library asks for and {@code names} lack, unless one of these
   * that it does not know is likely to be meant.
   */
  void require(SourceLocation place, Set<String> names) {
    Set<String> others = new TreeSet<>(names);
    others.removeAll(OF_THE_CLASS);
    if (asked.keySet().containsAll(others)) {
      asked.keySet().stream()
          .filter(name -> !name.equals(OTHERS) && !names.contains(name))
          .forEach(
              name -> place.report("library '%s' asks for '%s', which is missing", library, name));
    }
  }
}

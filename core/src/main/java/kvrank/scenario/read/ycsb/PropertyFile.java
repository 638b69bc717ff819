package kvrank.scenario.read.ycsb;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.input.Diagnostics;
import kvrank.input.InputFile;
import kvrank.input.SourceLocation;
import kvrank.input.YamlFile;
import kvrank.input.YamlValue;

/** A Java property file with the positions of its properties, and those of {@code -p}. */
public final class PropertyFile {

  /** The option that replaces properties. */
  public static final Path OPTION = Path.of("-p");

  /** Properties in the order of the file, then those of the command line. */
  private final Map<String, YamlValue> values = new LinkedHashMap<>();

  private final SourceLocation whole;

  private PropertyFile(SourceLocation whole) {
    this.whole = whole;
  }

  /**
   * Reads {@code file}.
   *
   * @param options {@code KEY=VALUE}, which replace those of the file
   * @return empty, with a problem, if it cannot be read
   */
  public static Optional<PropertyFile> read(Diagnostics reading, Path file, List<String> options) {
    reading.opened(file);
    List<String> lines = new ArrayList<>();
    SourceLocation whole = SourceLocation.of(reading, file, lines);
    PropertyFile read = new PropertyFile(whole);
    try {
      lines.addAll(InputFile.text(file, YamlFile.LARGEST_MEBIBYTES).lines().toList());
      read.addLines();
    } catch (IOException | IllegalArgumentException e) {
      whole.report("%s", "the file cannot be read: " + e.getMessage());
      return Optional.empty();
    }
    SourceLocation option = SourceLocation.of(reading, OPTION, List.of());
    SortedMap<String, String> set = new TreeMap<>();
    for (String text : options) {
      int equals = text.indexOf('=');
      if (equals < 1) {
        option.report("a text is not of the form KEY=VALUE"); // it may be a password
        continue;
      }
      String key = text.substring(0, equals).strip();
      if (set.put(key, text) != null) {
        option.key(key, null).report("is set twice; keep one of the two");
      }
      read.put(key, text.substring(equals + 1), option.key(key, null));
    }
    return Optional.of(read);
  }

  private void put(String key, String value, SourceLocation place) {
    values.remove(key);
    values.put(key, new YamlValue(YamlValue.scalar(value.strip()), place));
  }

  private void addLines() throws IOException {
    List<String> lines = whole.lines();
    for (int first = 0; first < lines.size(); first++) {
      StringBuilder logical = new StringBuilder(lines.get(first));
      int last = first;
      boolean comment = logical.toString().stripLeading().matches("[#!].*");
      while (!comment && last + 1 < lines.size() && continues(lines.get(last))) {
        logical.append('\n').append(lines.get(++last));
      }
      Properties one = new Properties();
      one.load(new StringReader(logical.toString()));
      for (String key : one.stringPropertyNames()) {
        int column = lines.get(first).length() - lines.get(first).stripLeading().length();
        SourceLocation place =
            new SourceLocation(whole.reading(), whole.file(), lines, first + 1, column + 1, key);
        YamlValue earlier = values.get(key);
        String value = one.getProperty(key).strip();
        if (earlier != null && !earlier.tree().equals(value)) {
          place.report(
              "'%s' replaces '%s' on %s; keep one of the two",
              value, earlier.tree(), earlier.place().reference());
        }
        put(key, value, place);
      }
      first = last;
    }
  }

  private static boolean continues(String line) {
    int end = line.length();
    while (end > 0 && line.charAt(end - 1) == '\\') {
      end--;
    }
    return (line.length() - end) % 2 == 1;
  }

  /** Returns the place of the file as a whole. */
  SourceLocation place() {
    return whole;
  }

  /** Returns every property, by its name. */
  Map<String, YamlValue> values() {
    return values;
  }

  /** Returns the value of {@code key}; an absent value at the file as a whole if it is missing. */
  YamlValue get(String key) {
    YamlValue value = values.get(key);
    return value == null ? new YamlValue(null, whole.key(key, null)) : value;
  }

  /** Returns the texts by name. */
  SortedMap<String, String> texts() {
    SortedMap<String, String> texts = new TreeMap<>();
    values.forEach((key, value) -> texts.put(key, value.tree().toString()));
    return texts;
  }
}

package kvrank.scenario;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.zip.CRC32;

/**
 * What tells a row of the tables from the others.
 *
 * @param name the engine's, or what {@code as} says
 * @param options those of the engine that are factors, each with one value
 */
public record EngineRow(String name, SortedMap<String, String> options) {

  private static final int LONGEST_FOLDER = 120;

  /** A row of an engine without such options. */
  public static EngineRow of(String name) {
    return new EngineRow(name, new TreeMap<>());
  }

  /** Returns the options of {@code rows} with their values. */
  public static SortedMap<String, Set<String>> values(List<EngineRow> rows) {
    SortedMap<String, Set<String>> values = new TreeMap<>();
    for (EngineRow row : rows) {
      row.options()
          .forEach(
              (option, value) ->
                  values.computeIfAbsent(option, any -> new LinkedHashSet<>()).add(value));
    }
    return values;
  }

  /** Returns the row's name and its options, for example {@code redis io-threads=2}. */
  public String label() {
    return name + options.entrySet().stream().map(each -> " " + each).collect(Collectors.joining());
  }

  /** Returns the label as part of a folder's name. */
  public String folder() {
    String label = label();
    String folder = label.replace(' ', '.').replace('=', '-').replaceAll("[^\\w.-]", "_");
    boolean whole = label.matches("[\\w. =-]*") && folder.length() <= LONGEST_FOLDER;
    CRC32 sum = new CRC32();
    sum.update(label.getBytes(StandardCharsets.UTF_8));
    return whole
        ? folder
        : folder.substring(0, Math.min(folder.length(), LONGEST_FOLDER))
            + "-%08x".formatted(sum.getValue());
  }
}

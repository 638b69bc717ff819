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
 * The identity of a row in the tables.
 *
 * @param name the engine's name, or the value of {@code as}
 * @param options the engine's options that are factors, each with one value
 */
public record EngineRow(String name, SortedMap<String, String> options) {

  private static final int MAX_FOLDER_LENGTH = 120;

  /** Returns the row of an engine without options that are factors. */
  public static EngineRow of(String name) {
    return new EngineRow(name, new TreeMap<>());
  }

  /** Returns the options of {@code rows} with all their values. */
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
    return name + options.entrySet().stream().map(o -> " " + o).collect(Collectors.joining());
  }

  /** Returns the label in a form for folder names; a CRC-32 follows if characters are replaced. */
  public String folder() {
    String label = label();
    String folder = label.replace(' ', '.').replace('=', '-').replaceAll("[^\\w.-]", "_");
    if (label.matches("[\\w. =-]*") && folder.length() <= MAX_FOLDER_LENGTH) {
      return folder;
    }
    CRC32 sum = new CRC32();
    sum.update(label.getBytes(StandardCharsets.UTF_8));
    return folder.substring(0, Math.min(folder.length(), MAX_FOLDER_LENGTH))
        + "-%08x".formatted(sum.getValue());
  }
}

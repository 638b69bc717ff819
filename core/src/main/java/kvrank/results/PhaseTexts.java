package kvrank.results;

import static java.util.stream.Collectors.joining;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import kvrank.input.Diagnostics;
import kvrank.input.YamlFile;
import kvrank.input.YamlValue;

/** What a resolved scenario says about the work of its phases, for readers. */
public final class PhaseTexts {

  private PhaseTexts() {}

  /**
   * Returns the descriptions of workloads by phase, or the operations and the distribution of keys
   * without one; empty if {@code yaml} is not a resolved scenario.
   */
  public static Map<String, String> of(String yaml) {
    Map<String, String> texts = new LinkedHashMap<>();
    Optional<Object> tree =
        YamlFile.parse(new Diagnostics(), yaml, Path.of("scenario.yaml")).map(YamlValue::tree);
    if (tree.isPresent() && child(tree.get(), "phases") instanceof List<?> phases) {
      for (Object phase : phases) {
        texts.put(text(phase, "as"), phase(phase));
      }
    }
    texts.values().removeIf(String::isEmpty);
    return texts;
  }

  private static String phase(Object phase) {
    if (child(phase, "groups") instanceof Map<?, ?> groups) {
      return groups.entrySet().stream()
          .map(
              each ->
                  "%s: %s".formatted(each.getKey(), workload(child(each.getValue(), "workload"))))
          .collect(joining(" "));
    }
    return workload(child(phase, "workload"));
  }

  private static String workload(Object workload) {
    String description = text(workload, "description");
    if (!description.isEmpty() || !(child(workload, "operations") instanceof Map<?, ?> shares)) {
      return description;
    }
    String operations =
        shares.entrySet().stream()
            .map(each -> each.getKey() + " " + each.getValue())
            .collect(joining(", ", "Operations: ", ""));
    String keys = text(child(workload, "keys"), "distribution");
    return operations + (keys.isEmpty() ? "" : "; keys: " + keys) + ".";
  }

  private static Object child(Object node, String name) {
    return node instanceof Map<?, ?> map ? map.get(name) : null;
  }

  /** Returns the text as one line; empty if there is none. */
  private static String text(Object node, String name) {
    return child(node, name) instanceof String text ? text.strip().replaceAll("\\s+", " ") : "";
  }
}

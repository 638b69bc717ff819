package kvrank.results;

import static java.util.stream.Collectors.joining;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
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
    YamlFile.parse(new Diagnostics(), yaml, Path.of("scenario.yaml"))
        .ifPresent(
            scenario ->
                scenario
                    .get("phases")
                    .items()
                    .forEach(phase -> texts.put(text(phase, "as"), phase(phase))));
    texts.values().removeIf(String::isEmpty);
    return texts;
  }

  private static String phase(YamlValue phase) {
    Map<String, YamlValue> groups = phase.get("groups").entries();
    return groups.isEmpty()
        ? workload(phase.get("workload"))
        : groups.entrySet().stream()
            .map(each -> each.getKey() + ": " + workload(each.getValue().get("workload")))
            .collect(joining(" "));
  }

  private static String workload(YamlValue workload) {
    String description = text(workload, "description");
    Map<String, String> shares = workload.get("operations").texts();
    if (!description.isEmpty() || shares.isEmpty()) {
      return description;
    }
    String operations =
        shares.entrySet().stream()
            .map(each -> each.getKey() + " " + each.getValue())
            .collect(joining(", ", "Operations: ", ""));
    String keys = text(workload.get("keys"), "distribution");
    return operations + (keys.isEmpty() ? "" : "; keys: " + keys) + ".";
  }

  /** Returns the text as one line; empty if there is none. */
  private static String text(YamlValue node, String name) {
    return node.get(name).text().orElse("").strip().replaceAll("\\s+", " ");
  }
}

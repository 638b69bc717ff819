package kvrank.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.Yaml;

/**
 * The action of GitHub in {@code action.yml}.
 *
 * @param inputs the default of each input; empty for none
 */
record ActionFile(Map<String, String> inputs, List<Step> steps) {

  private static final Pattern EXPRESSION = Pattern.compile("\\$\\{\\{ *(.+?) *}}");

  /** One step: {@code run} is empty if it uses another action, which is in {@code uses}. */
  record Step(
      String name,
      String id,
      String uses,
      String run,
      String shell,
      String condition,
      Map<String, String> env) {

    /** Returns the script with its variables, whose expressions {@code values} resolve. */
    String script(Map<String, String> values) {
      return env.entrySet().stream()
              .map(each -> "export %s=%s".formatted(each.getKey(), quoted(each.getValue(), values)))
              .collect(Collectors.joining("\n", "set -eo pipefail\n", "\n"))
          + run;
    }

    private static String quoted(String text, Map<String, String> values) {
      String resolved =
          EXPRESSION
              .matcher(text)
              .replaceAll(
                  found -> {
                    String value = values.get(found.group(1));
                    if (value == null) {
                      throw new IllegalArgumentException("no value of " + found.group());
                    }
                    return Matcher.quoteReplacement(value);
                  });
      return "'" + resolved.replace("'", "'\\''") + "'";
    }

    /** Returns the expressions of the variables and the condition. */
    List<String> expressions() {
      return EXPRESSION
          .matcher(condition + " " + String.join(" ", env.values()))
          .results()
          .map(found -> found.group(1))
          .toList();
    }
  }

  static ActionFile read() throws IOException {
    Path file = Path.of(System.getProperty("kvrank.home"), "action.yml");
    Map<String, Object> root = new Yaml().load(Files.readString(file));
    Map<String, String> inputs = new LinkedHashMap<>();
    map(root, "inputs")
        .forEach((name, input) -> inputs.put(name, text(cast(input).get("default"))));
    List<Step> steps =
        ((List<?>) map(root, "runs").get("steps")).stream().map(step -> step(cast(step))).toList();
    return new ActionFile(inputs, steps);
  }

  private static Step step(Map<String, Object> step) {
    Map<String, String> env = new LinkedHashMap<>();
    if (step.containsKey("env")) {
      map(step, "env").forEach((name, value) -> env.put(name, text(value)));
    }
    return new Step(
        text(step.get("name")),
        text(step.get("id")),
        text(step.get("uses")),
        text(step.get("run")),
        text(step.get("shell")),
        text(step.get("if")),
        env);
  }

  private static Map<String, Object> map(Map<String, Object> parent, String key) {
    return cast(parent.get(key));
  }

  @SuppressWarnings("unchecked") // keys of a YAML file are texts
  private static Map<String, Object> cast(Object map) {
    return (Map<String, Object>) map;
  }

  private static String text(Object value) {
    return value == null ? "" : value.toString();
  }
}

package kvrank.scenario;

import java.util.Map;
import java.util.Optional;

/**
 * What {@code verify} asks for.
 *
 * @param values whether each value that is read is checked against its key
 * @param crashes how often the engine is killed after a run, to see what it lost; 0 for no crash
 *     test
 */
record Verification(boolean values, int crashes) {

  static final int DEFAULT_CRASHES = 3;
  static final int MOST_CRASHES = 1_000;

  private static final Map<String, Verification> WORDS =
      Map.of(
          "none", new Verification(false, 0),
          "values", new Verification(true, 0),
          "crash", new Verification(false, DEFAULT_CRASHES));

  private static final Map<String, String> RENAMED = Map.of("kill", "crash");

  /** Reads {@code none}, {@code values}, {@code crash} or {@code {after: crash, …}}. */
  static Optional<Verification> read(YamlValue element) {
    if (!element.isMap()) {
      return element.choice("verification", WORDS, RENAMED);
    }
    return element.section(
        section -> {
          section
              .required("after")
              .ifPresent(after -> after.choice("event", Map.of("crash", "crash"), RENAMED));
          long crashes =
              section
                  .optional("crashes", "kills")
                  .flatMap(count -> count.integer(1, MOST_CRASHES))
                  .orElse((long) DEFAULT_CRASHES);
          boolean values = section.optional("values").flatMap(YamlValue::flag).orElse(false);
          return new Verification(values, (int) crashes);
        });
  }

  /** Returns the part of it that is a setting. */
  String setting() {
    return values ? "values" : "none";
  }
}

package kvrank.scenario;

import java.util.Map;
import java.util.Optional;

/**
 * What {@code verify} asks for.
 *
 * @param values whether each value that is read is checked against its key
 * @param kills how often the engine is killed after a run, to see what it lost; 0 for no kill test
 */
record Verification(boolean values, int kills) {

  static final int DEFAULT_KILLS = 3;
  static final int MOST_KILLS = 1_000;

  private static final Map<String, Verification> WORDS =
      Map.of(
          "none", new Verification(false, 0),
          "values", new Verification(true, 0),
          "kill", new Verification(false, DEFAULT_KILLS));

  /** Reads {@code none}, {@code values}, {@code kill} or {@code {after: kill, …}}. */
  static Optional<Verification> read(YamlValue element) {
    if (!element.isMap()) {
      return element.choice("verification", WORDS);
    }
    return element.section(
        section -> {
          section
              .required("after")
              .ifPresent(after -> after.choice("event", Map.of("kill", "kill")));
          long kills =
              section
                  .optional("kills")
                  .flatMap(count -> count.integer(1, MOST_KILLS))
                  .orElse((long) DEFAULT_KILLS);
          boolean values = section.optional("values").flatMap(YamlValue::flag).orElse(false);
          return new Verification(values, (int) kills);
        });
  }

  /** The part of it that is a setting. */
  String setting() {
    return values ? "values" : "none";
  }
}

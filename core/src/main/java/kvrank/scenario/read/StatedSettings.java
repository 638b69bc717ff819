package kvrank.scenario.read;

import java.util.List;
import java.util.SortedMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import kvrank.input.Located;
import kvrank.input.SourceLocation;
import kvrank.scenario.PhaseSpec;
import kvrank.scenario.Setting;

/**
 * The values of a scenario's settings, and where they are stated.
 *
 * @param stated those in the scenario; the others have their default
 */
record StatedSettings(SourceLocation root, SortedMap<Setting, Located<List<String>>> stated) {

  boolean has(Setting setting) {
    return stated.containsKey(setting);
  }

  /** Returns the values of {@code setting} in {@code phase}. */
  List<String> of(Located<PhaseSpec> phase, Setting setting) {
    String ofPhase = phase.value().settings().get(setting);
    return ofPhase == null ? values(setting) : List.of(ofPhase);
  }

  /** Returns the largest value of {@code setting} in {@code phase}. */
  long most(Located<PhaseSpec> phase, Setting setting) {
    return numbers(of(phase, setting)).max().orElseThrow();
  }

  static LongStream numbers(List<String> values) {
    return values.stream().filter(value -> !value.isEmpty()).mapToLong(Long::parseLong);
  }

  /** Returns the scenario's values of {@code setting}. */
  List<String> values(Setting setting) {
    return stated.containsKey(setting)
        ? stated.get(setting).value()
        : List.of(setting.defaultValue());
  }

  /** Returns the place of {@code setting}, or the scenario's. */
  SourceLocation place(Setting setting) {
    return stated.containsKey(setting) ? stated.get(setting).place() : root;
  }

  /** Returns the place of the phase if it states one of {@code settings}, else the scenario's. */
  SourceLocation place(Located<PhaseSpec> phase, Setting... settings) {
    boolean inPhase =
        Stream.of(settings).anyMatch(setting -> phase.value().settings().containsKey(setting));
    return Stream.of(settings)
        .filter(setting -> !inPhase && stated.containsKey(setting))
        .findFirst()
        .map(this::place)
        .orElse(phase.place());
  }
}

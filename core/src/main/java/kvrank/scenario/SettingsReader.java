package kvrank.scenario;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reads the settings of a scenario: at its top level, in {@code measure}, in {@code factors} and
 * from the command line.
 */
final class SettingsReader {

  private static final Set<Setting> MEASURE =
      EnumSet.of(Setting.WARMUP, Setting.DURATION, Setting.OPERATIONS);

  private final Overrides overrides;
  private final Map<Setting, YamlValue> fixed = new EnumMap<>(Setting.class);
  private final Map<Setting, YamlValue> factors = new EnumMap<>(Setting.class);

  SettingsReader(Overrides overrides) {
    this.overrides = overrides;
  }

  /** Returns the settings that are stated, each with its values. */
  SortedMap<Setting, Located<List<String>>> read(YamlMap root) {
    collect(root);
    replace();
    refuseContradictions();
    SortedMap<Setting, Located<List<String>>> result = new TreeMap<>();
    for (Setting setting : Setting.values()) {
      stated(setting).ifPresent(element -> result.put(setting, values(setting, element)));
    }
    if (!result.containsKey(Setting.FSYNC)) {
      root.place()
          .key("fsync", null)
          .report("missing key 'fsync'; say 'fsync: on' or 'fsync: off', or make it a factor");
    }
    return result;
  }

  private void collect(YamlMap root) {
    for (Setting setting : Setting.values()) {
      if (!MEASURE.contains(setting)) {
        root.optional(setting.label()).ifPresent(element -> fixed.put(setting, element));
      }
    }
    root.optional("measure")
        .ifPresent(
            element ->
                element.inside(
                    measure -> {
                      for (Setting setting : MEASURE) {
                        measure
                            .optional(setting.label())
                            .ifPresent(value -> fixed.put(setting, value));
                      }
                    }));
    root.optional("factors")
        .ifPresent(
            element ->
                element.section(
                    "setting",
                    section -> {
                      for (Setting setting : Setting.values()) {
                        section
                            .optional(setting.label())
                            .ifPresent(values -> factors.put(setting, values));
                      }
                      return section;
                    }));
  }

  /** What the command line sets, the file no longer says. */
  private void replace() {
    for (Setting setting : Setting.values()) {
      if (overrides.get(setting).isPresent()) {
        fixed.remove(setting);
        factors.remove(setting);
        opposite(setting).ifPresent(other -> fixed.remove(other));
        opposite(setting).ifPresent(other -> factors.remove(other));
      }
    }
  }

  private void refuseContradictions() {
    factors.forEach(
        (setting, element) -> {
          if (fixed.containsKey(setting)) {
            single(setting, fixed.get(setting));
            element.report(
                "'%s' has one value for all on %s; keep one of the two"
                    .formatted(setting.label(), fixed.get(setting).place().reference()));
          }
        });
    if (stated(Setting.DURATION).isPresent()) {
      stated(Setting.OPERATIONS)
          .ifPresent(
              operations ->
                  operations.report("'operations' and 'duration' exclude each other; keep one"));
    }
  }

  private Optional<YamlValue> stated(Setting setting) {
    return overrides
        .get(setting)
        .or(() -> Optional.ofNullable(factors.get(setting)))
        .or(() -> Optional.ofNullable(fixed.get(setting)));
  }

  private Located<List<String>> values(Setting setting, YamlValue element) {
    boolean factor = factors.get(setting) == element;
    boolean override = overrides.get(setting).isPresent();
    List<String> values = new ArrayList<>();
    if (element.isList() && (factor || override)) {
      for (YamlValue item : element.items()) {
        SettingFormat.read(setting, item)
            .ifPresent(
                value -> {
                  if (values.contains(value)) {
                    item.report("'" + value + "' is there twice");
                  } else {
                    values.add(value);
                  }
                });
      }
      if (element.items().isEmpty()) {
        element.report("needs at least one value");
      }
    } else if (element.isList()) {
      element.report(
          "expected one value; to vary it, write factors: {%s: [...]}".formatted(setting.label()));
    } else if (factor) {
      element.report("expected a list of values, such as [1, 8]");
    } else {
      single(setting, element).ifPresent(values::add);
    }
    return new Located<>(values.isEmpty() ? List.of(fallback(setting)) : values, element.place());
  }

  /**
   * Returns the normal form of a value that holds for all; only there does verify have its long
   * form.
   */
  private static Optional<String> single(Setting setting, YamlValue element) {
    return setting == Setting.VERIFY
        ? Verification.read(element).map(Verification::setting)
        : SettingFormat.read(setting, element);
  }

  /** Stands in for a value that is a problem already. */
  private static String fallback(Setting setting) {
    return setting == Setting.FSYNC ? Fsync.OFF.label() : setting.defaultValue();
  }

  private static Optional<Setting> opposite(Setting setting) {
    return switch (setting) {
      case DURATION -> Optional.of(Setting.OPERATIONS);
      case OPERATIONS -> Optional.of(Setting.DURATION);
      default -> Optional.empty();
    };
  }
}

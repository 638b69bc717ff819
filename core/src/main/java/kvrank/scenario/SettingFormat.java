package kvrank.scenario;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import kvrank.workload.Arrivals;
import kvrank.workload.DurationFormat;
import kvrank.workload.Pacing;

/** Reads the value of a setting and gives it the one form in which it is compared and printed. */
final class SettingFormat {

  private static final Map<String, String> ARRIVALS =
      Arrays.stream(Arrivals.values())
          .collect(Collectors.toUnmodifiableMap(Arrivals::label, Arrivals::label));

  private SettingFormat() {}

  /**
   * Returns the normal form; empty, with a problem, if {@code element} is not a value of the
   * setting.
   */
  static Optional<String> read(Setting setting, YamlValue element) {
    return switch (setting.kind()) {
      case FSYNC -> element.choice("fsync level", Map.of("on", "on", "off", "off"));
      case VERIFY -> element.choice("verification", Map.of("values", "values", "none", "none"));
      case SWITCH -> element.choice("switch", Map.of("true", "true", "false", "false"));
      case ARRIVALS -> element.choice("kind of arrivals", ARRIVALS);
      case COUNT -> element.integer(1, setting.most()).map(String::valueOf);
      case BYTES -> element.bytes(setting.most()).map(String::valueOf);
      case RATE -> rate(element);
      case DURATION -> duration(setting, element);
    };
  }

  private static Optional<String> rate(YamlValue element) {
    Optional<String> text = element.text();
    if (text.isEmpty() || text.get().equals(Pacing.UNLIMITED)) {
      return text;
    }
    return element
        .number("'max' or greater than 0 and at most 10^9", rate -> rate > 0 && rate <= 1e9)
        .map(Pacing::decimal);
  }

  private static Optional<String> duration(Setting setting, YamlValue element) {
    Optional<String> text = element.text();
    if (text.isEmpty()) {
      return text;
    }
    Optional<Duration> duration = DurationFormat.parse(text.get());
    if (duration.isEmpty()) {
      element.report(
          "'" + text.get() + "' is not a duration; write a number and ms, s, m or h, such as 10s");
    } else if (setting == Setting.DURATION && duration.get().isZero()) {
      element.report("'" + text.get() + "' is too short; a phase must last");
      return Optional.empty();
    }
    return duration.map(DurationFormat::format);
  }
}

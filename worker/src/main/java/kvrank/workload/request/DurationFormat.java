package kvrank.workload.request;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations in YAML: {@code 500ms}, {@code 1.5s}, {@code 2m}, {@code 1h}. */
public final class DurationFormat {

  private static final Pattern FORM = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(ms|s|m|h)");

  private DurationFormat() {}

  /**
   * Returns the duration; empty if {@code text} has another form or a fraction of a millisecond.
   */
  public static Optional<Duration> parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    BigDecimal millis = new BigDecimal(matcher.group(1)).multiply(unitMillis(matcher.group(2)));
    return millis.stripTrailingZeros().scale() > 0
        ? Optional.empty()
        : Optional.of(Duration.ofMillis(millis.longValueExact()));
  }

  /** Returns the shortest form in one unit, exact to the millisecond. */
  public static String format(Duration duration) {
    long millis = duration.toMillis();
    if (millis % 1000 != 0) {
      return millis + "ms";
    }
    if (millis == 0 || millis % 60_000 != 0) {
      return millis / 1000 + "s";
    }
    return millis % 3_600_000 == 0 ? millis / 3_600_000 + "h" : millis / 60_000 + "m";
  }

  private static BigDecimal unitMillis(String unit) {
    return BigDecimal.valueOf(
        switch (unit) {
          case "ms" -> 1L;
          case "s" -> 1_000L;
          case "m" -> 60_000L;
          default -> 3_600_000L;
        });
  }
}

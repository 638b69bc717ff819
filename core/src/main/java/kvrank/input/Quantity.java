package kvrank.input;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers with a prefix, such as {@code 10k}, {@code 1.5M} or {@code 4Ki}. */
final class Quantity {

  private static final Pattern QUANTITY = Pattern.compile("(.*?[0-9_]) ?([kMGT]|[KMG]i|)");

  /** A number with a prefix, in any case, and perhaps with a unit of bytes. */
  private static final Pattern MISSPELT =
      Pattern.compile("([0-9][0-9_.]* ?)([kKmMgGtT])i?([bB]?)(?:ytes?)?");

  /** Prefixes of the SI and of IEC 80000-13. */
  private static final Map<String, Double> PREFIXES =
      Map.of(
          "", 1e0, "k", 1e3, "M", 1e6, "G", 1e9, "T", 1e12, "Ki", 0x1p10, "Mi", 0x1p20, "Gi",
          0x1p30);

  private Quantity() {}

  /** Returns a whole number; empty if {@code text} is not one. */
  static Optional<BigDecimal> whole(String text) {
    return Optional.of(text)
        .filter(value -> value.matches("[+-]?[0-9]([0-9_.]*[0-9])? ?[A-Za-z]*"))
        .flatMap(Quantity::of)
        .filter(number -> number.stripTrailingZeros().scale() <= 0);
  }

  /** Returns any number; empty if {@code text} is not one. */
  static Optional<BigDecimal> of(String text) {
    Matcher matcher = QUANTITY.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    try {
      BigDecimal factor = new BigDecimal(PREFIXES.get(matcher.group(2)));
      return Optional.of(new BigDecimal(matcher.group(1).replace("_", "")).multiply(factor));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** Returns {@code ; write '1kB' (1000) or '1KiB' (1024)} for a prefix in the wrong case. */
  static String advice(String text, String unit) {
    Matcher matcher = MISSPELT.matcher(text);
    if (!matcher.matches() || (unit.isEmpty() && !matcher.group(3).isEmpty())) {
      return "";
    }
    String prefix = matcher.group(2).toUpperCase(Locale.ROOT);
    String decimal = matcher.group(1) + (prefix.equals("K") ? "k" : prefix);
    String bytes = matcher.group(3).isEmpty() ? "" : "B";
    return prefix.equals("T")
        ? "; write '%s%s'".formatted(decimal, bytes)
        : "; write '%1$s%2$s' (powers of 1000) or '%3$s%4$si%2$s' (of 1024)"
            .formatted(decimal, bytes, matcher.group(1), prefix);
  }
}

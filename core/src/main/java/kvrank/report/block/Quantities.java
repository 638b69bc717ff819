package kvrank.report.block;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.List;
import java.util.Locale;
import kvrank.metric.Unit;

/** Formats quantities for people: three digits and a unit. */
public final class Quantities {

  /** The text for a missing value. */
  public static final String NONE = "-";

  /** Ratios above this are printed as {@code >999x}, in values and intervals alike. */
  private static final int MOST = 999;

  private static final MathContext THREE_DIGITS = new MathContext(3, RoundingMode.HALF_UP);

  private static final List<Scale> RATE =
      List.of(new Scale(1, "/s"), new Scale(1e3, "k/s"), new Scale(1e6, "M/s"));
  private static final List<Scale> TIME =
      List.of(new Scale(1, "ns"), new Scale(1e3, "µs"), new Scale(1e6, "ms"), new Scale(1e9, "s"));
  private static final List<Scale> SIZE =
      List.of(
          new Scale(1, "B"),
          new Scale(0x1p10, "KiB"),
          new Scale(0x1p20, "MiB"),
          new Scale(0x1p30, "GiB"),
          new Scale(0x1p40, "TiB"));

  private Quantities() {}

  private record Scale(double factor, String suffix) {}

  /** Returns for example {@code 1.23 M/s}, {@code 87.1 µs}, {@code 1.3 GiB}. */
  public static String of(Unit unit, double value) {
    if (!Double.isFinite(value)) {
      return NONE;
    }
    return switch (unit) {
      case PER_SECOND, NANOSECONDS, SECONDS, BYTES -> range(unit, value, value);
      case FACTOR -> ratio(value);
      case PERCENT -> portion(value / 100);
      case CORES -> fixed(value, 2);
      case COUNT -> count(value);
    };
  }

  /** Returns a range in one unit, for example {@code 398–421 k/s}. */
  public static String range(Unit unit, double low, double high) {
    if (!Double.isFinite(low) || !Double.isFinite(high)) {
      return NONE;
    }
    return switch (unit) {
      case PER_SECOND -> range(RATE, low, high, 2);
      case NANOSECONDS -> range(TIME, low, high, 2);
      case SECONDS -> range(TIME, low * 1e9, high * 1e9, 2);
      case BYTES -> range(SIZE, low, high, 1);
      case FACTOR -> ratios(low, high);
      case PERCENT -> portion(low / 100).replace(" %", "–") + portion(high / 100);
      case CORES -> fixed(low, 2) + "–" + fixed(high, 2);
      case COUNT -> low == high ? count(high) : count(low) + "–" + count(high);
    };
  }

  /** Returns the reach of an interval to each side, for example {@code ±5.2%}, {@code ×÷3.1}. */
  public static String spread(double low, double high) {
    double factor = Math.sqrt(high / low);
    if (!Double.isFinite(factor)) {
      return NONE;
    }
    double percent = (factor - 1) * 100;
    return factor >= 2
        ? "×÷" + (factor < 100 ? fixed(factor, factor < 9.95 ? 1 : 0) : ">99")
        : "±" + fixed(percent, percent < 9.95 ? 1 : 0) + "%";
  }

  /** Returns a round value without trailing zeros, for example {@code 2 M/s}. */
  public static String tick(Unit unit, double value) {
    return value == 0 ? "0" : unit == Unit.FACTOR ? multiple(value) : withoutZeros(of(unit, value));
  }

  /** Returns a number and its unit without trailing zeros: {@code 2 M/s} for {@code 2.00 M/s}. */
  public static String withoutZeros(String text) {
    return text.replaceFirst("(\\.[0-9]*?)0+(?= )", "$1").replaceFirst("\\.(?= )", "");
  }

  /** Returns a frequency per something, for example {@code 1.00}, {@code <0.01}. */
  public static String rare(double value) {
    return !Double.isFinite(value)
        ? NONE
        : value > 0 && value < 0.005 ? "<0.01" : value == 0 ? "0" : fixed(value, 2);
  }

  /** Returns a percentage with all its digits, for example {@code 99.99 %}. */
  public static String percent(double percent) {
    return BigDecimal.valueOf(percent)
            .setScale(6, RoundingMode.HALF_UP)
            .stripTrailingZeros()
            .toPlainString()
        + " %";
  }

  /** Returns a share as {@code 12.3 %}, {@code >99.9 %}; only 0 and 1 are 0 % and 100 %. */
  public static String portion(double share) {
    double percent = share * 100;
    return percent == 0 || percent == 100
        ? fixed(percent, 0) + " %"
        : percent > 99.9
            ? ">99.9 %"
            : percent < 0.01 ? "<0.01 %" : fixed(percent, percent < 0.995 ? 2 : 1) + " %";
  }

  /** Returns for example {@code 0.048x}, {@code 1.00x}, {@code 13x}, {@code >999x}. */
  public static String ratio(double ratio) {
    return Double.isFinite(ratio) && ratio > MOST ? ">999x" : multiple(ratio);
  }

  /** Returns a ratio in full, for an axis. */
  public static String multiple(double ratio) {
    return !Double.isFinite(ratio)
        ? NONE
        : (ratio > 0 && ratio < 0.0005 ? "<0.001" : fixed(ratio, decimals(ratio))) + "x";
  }

  /** Returns for example {@code 0.46–0.51x}, {@code 1.9–2.3x}. */
  public static String ratios(double low, double high) {
    if (!Double.isFinite(low) || !Double.isFinite(high)) {
      return NONE;
    }
    boolean far = high > 10 * low;
    String from = low < 0.0005 ? "<0.001" : low > MOST ? ">999" : bound(low, decimals(low));
    String to =
        high < 0.0005 ? "<0.001" : high > MOST ? ">999" : bound(high, decimals(far ? high : low));
    return (from.equals(to) ? to : from + "–" + to) + "x";
  }

  /** Adds decimals, up to 4, until the text differs from 1. */
  private static String bound(double ratio, int decimals) {
    String text = fixed(ratio, decimals);
    return ratio == 1 || decimals >= 4 || Double.parseDouble(text) != 1
        ? text
        : bound(ratio, decimals + 1);
  }

  /** Returns a detectable ratio, for example {@code 1.07x}, {@code >999x}. */
  public static String factor(double ratio) {
    return (ratio > MOST ? ">999" : fixed(ratio, 2)) + "x";
  }

  private static int decimals(double ratio) {
    return ratio > 0 && ratio < 0.0995 ? 3 : ratio < 1.095 ? 2 : ratio < 9.95 ? 1 : 0;
  }

  /** Returns for example {@code 1 phase}, {@code 2 phases}. */
  public static String counted(long number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }

  /** Returns a ratio as a change, for example {@code +5.2%}, {@code −18%}, {@code 13x}. */
  public static String change(double ratio) {
    if (!Double.isFinite(ratio)) {
      return NONE;
    }
    if (ratio >= 3) {
      return ratio(ratio);
    }
    double percent = Math.abs(ratio - 1) * 100;
    String number = fixed(percent, percent < 9.95 ? 1 : 0);
    return (ratio < 1 ? "−" : "+") + number + "%";
  }

  /** Returns {@code value} with three digits: {@code 0.00312}, {@code 1.20}, {@code 1234}. */
  public static String digits(double value) {
    BigDecimal rounded = BigDecimal.valueOf(value).round(THREE_DIGITS);
    return value == 0 ? "0" : fixed(value, Math.max(0, 3 + rounded.scale() - rounded.precision()));
  }

  /** Formats {@code value} by a pattern of {@link DecimalFormat}. */
  public static String formatted(String pattern, double value) {
    if (!Double.isFinite(value)) {
      return NONE;
    }
    DecimalFormat format =
        new DecimalFormat(pattern, DecimalFormatSymbols.getInstance(Locale.ROOT));
    format.setRoundingMode(RoundingMode.HALF_UP);
    return format.format(BigDecimal.valueOf(value));
  }

  public static String fixed(double value, int decimals) {
    return BigDecimal.valueOf(value).setScale(decimals, RoundingMode.HALF_UP).toPlainString();
  }

  private static String count(double value) {
    return String.format(Locale.ROOT, value == Math.rint(value) ? "%,.0f" : "%,.1f", value);
  }

  private static String range(List<Scale> scales, double low, double high, int decimals) {
    if (low > 0 && high > 100 * low) {
      return range(scales, low, low, decimals) + "–" + range(scales, high, high, decimals);
    }
    Scale scale = scale(scales, high);
    int digits = decimals(high, scale, decimals);
    String from = fixed(low / scale.factor(), digits);
    String to = fixed(high / scale.factor(), digits);
    return (from.equals(to) ? to : from + "–" + to) + " " + scale.suffix();
  }

  /** Returns the largest scale with a rounded value of at least 1: 999,600 is 1.00 M. */
  private static Scale scale(List<Scale> scales, double value) {
    double rounded = BigDecimal.valueOf(value).round(THREE_DIGITS).doubleValue();
    return scales.stream()
        .filter(scale -> Math.abs(rounded) >= scale.factor())
        .reduce(scales.get(0), (smaller, larger) -> larger);
  }

  /** Returns the number of decimals that leaves three digits, at most {@code most}. */
  private static int decimals(double value, Scale scale, int most) {
    double shown =
        Math.abs(BigDecimal.valueOf(value / scale.factor()).round(THREE_DIGITS).doubleValue());
    if (shown == 0 || (scale.suffix().equals("B") && shown == Math.rint(shown))) {
      return 0;
    }
    return Math.min(most, shown >= 100 ? 0 : shown >= 10 ? 1 : 2);
  }
}

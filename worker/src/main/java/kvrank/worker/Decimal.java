package kvrank.worker;

import java.math.BigDecimal;
import java.math.MathContext;

/** Numbers as facts state them: six significant digits, no exponent. */
final class Decimal {

  private static final MathContext DIGITS = new MathContext(6);

  private Decimal() {}

  /** The text of {@code value}, which is finite. */
  static String of(double value) {
    BigDecimal rounded = new BigDecimal(value).round(DIGITS);
    return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
  }
}

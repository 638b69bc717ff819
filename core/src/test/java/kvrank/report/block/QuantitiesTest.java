package kvrank.report.block;

import static org.assertj.core.api.Assertions.assertThat;

import kvrank.metric.Unit;
import org.junit.jupiter.api.Test;

class QuantitiesTest {

  @Test
  void ratesHaveThreeDigits() {
    assertThat(rate(1_234_567)).isEqualTo("1.23 M/s");
    assertThat(rate(411_600)).isEqualTo("412 k/s");
    assertThat(rate(87_149)).isEqualTo("87.1 k/s");
    assertThat(rate(824.69)).isEqualTo("825 /s");
    assertThat(rate(0.5)).isEqualTo("0.50 /s");
    assertThat(rate(0)).isEqualTo("0 /s");
    assertThat(rate(1.2e10)).isEqualTo("12000 M/s");
  }

  @Test
  void roundingDoesNotLeaveAScale() {
    assertThat(rate(999_499)).isEqualTo("999 k/s");
    assertThat(rate(999_500)).isEqualTo("1.00 M/s");
    assertThat(rate(9_996)).isEqualTo("10.0 k/s");
    assertThat(rate(99_960)).isEqualTo("100 k/s");
    assertThat(Quantities.of(Unit.BYTES, 1023.9 * 1024)).isEqualTo("1.0 MiB");
  }

  @Test
  void timesAndSizes() {
    assertThat(Quantities.of(Unit.NANOSECONDS, 87_100)).isEqualTo("87.1 µs");
    assertThat(Quantities.of(Unit.NANOSECONDS, 4_020_000)).isEqualTo("4.02 ms");
    assertThat(Quantities.of(Unit.NANOSECONDS, 320)).isEqualTo("320 ns");
    assertThat(Quantities.of(Unit.SECONDS, 139.4)).isEqualTo("139 s");
    assertThat(Quantities.of(Unit.SECONDS, 0.25)).isEqualTo("250 ms");
    assertThat(Quantities.of(Unit.BYTES, 1.3 * (1 << 30))).isEqualTo("1.3 GiB");
    assertThat(Quantities.of(Unit.BYTES, 512)).isEqualTo("512 B");
    assertThat(Quantities.of(Unit.COUNT, 1_234_567)).isEqualTo("1,234,567");
    assertThat(Quantities.of(Unit.COUNT, 2.5)).isEqualTo("2.5");
  }

  /** 3 ms in seconds were 0.00. */
  @Test
  void digitsAreThree() {
    assertThat(Quantities.digits(0.003)).isEqualTo("0.00300");
    assertThat(Quantities.digits(0.123_456)).isEqualTo("0.123");
    assertThat(Quantities.digits(1.2)).isEqualTo("1.20");
    assertThat(Quantities.digits(9.996)).isEqualTo("10.0");
    assertThat(Quantities.digits(99.96)).isEqualTo("100");
    assertThat(Quantities.digits(1_234)).isEqualTo("1234");
    assertThat(Quantities.digits(-0.5)).isEqualTo("-0.500");
    assertThat(Quantities.digits(0)).isEqualTo("0");
  }

  @Test
  void rangesShareOneUnit() {
    assertThat(Quantities.range(Unit.PER_SECOND, 398_000, 421_000)).isEqualTo("398–421 k/s");
    assertThat(Quantities.range(Unit.PER_SECOND, 980_000, 1_210_000)).isEqualTo("0.98–1.21 M/s");
    assertThat(Quantities.range(Unit.BYTES, 4096, 4096)).isEqualTo("4.0 KiB");
    assertThat(Quantities.range(Unit.COUNT, 0, 15)).isEqualTo("0–15");
  }

  @Test
  void ratios() {
    assertThat(Quantities.ratio(2.1)).isEqualTo("2.1x");
    assertThat(Quantities.ratio(0.483)).isEqualTo("0.48x");
    assertThat(Quantities.ratio(1)).isEqualTo("1.00x");
    assertThat(Quantities.ratio(1.04)).isEqualTo("1.04x");
    assertThat(Quantities.ratio(12.7)).isEqualTo("13x");
    assertThat(Quantities.ratio(0.0381)).isEqualTo("0.038x");
    assertThat(Quantities.ratio(0.0001)).isEqualTo("<0.001x");
    assertThat(Quantities.ratio(0)).isEqualTo("0.00x");
    assertThat(Quantities.ratio(1161)).as("as the end of its interval").isEqualTo(">999x");
    assertThat(Quantities.multiple(1161)).isEqualTo("1161x");
  }

  @Test
  void rangesOfRatios() {
    assertThat(Quantities.ratios(0.0361, 0.0402)).isEqualTo("0.036–0.040x");
    assertThat(Quantities.ratios(0.981, 1.2)).isEqualTo("0.98–1.20x");
    assertThat(Quantities.ratios(1.9, 2.3)).isEqualTo("1.9–2.3x");
    assertThat(Quantities.ratios(23.6, 29.4)).isEqualTo("24–29x");
    assertThat(Quantities.ratios(0.0001, 5879.5)).isEqualTo("<0.001–>999x");
    assertThat(Quantities.ratios(1582, 3590)).as("as the value").isEqualTo(">999x");
    assertThat(Quantities.ratios(0.0001, 0.0002)).isEqualTo("<0.001x");
    assertThat(Quantities.ratios(1.0021, 1.9)).as("not 1").isEqualTo("1.002–1.90x");
    assertThat(Quantities.ratios(0.8, 0.9996)).as("not 1").isEqualTo("0.80–0.9996x");
    assertThat(Quantities.ratios(0.082, 4.885)).isEqualTo("0.082–4.9x");
    assertThat(Quantities.ratios(Double.NaN, 1)).isEqualTo("-");
  }

  @Test
  void changes() {
    assertThat(Quantities.change(1.052)).isEqualTo("+5.2%");
    assertThat(Quantities.change(0.82)).isEqualTo("−18%");
    assertThat(Quantities.change(1)).isEqualTo("+0.0%");
    assertThat(Quantities.change(13)).isEqualTo("13x");
  }

  @Test
  void whatIsNoNumberIsNotShownAsOne() {
    assertThat(rate(Double.NaN)).isEqualTo("-");
    assertThat(Quantities.range(Unit.BYTES, Double.NaN, Double.NaN)).isEqualTo("-");
    assertThat(Quantities.ratio(Double.POSITIVE_INFINITY)).isEqualTo("-");
  }

  private static String rate(double value) {
    return Quantities.of(Unit.PER_SECOND, value);
  }

  @Test
  void aPortionIsOnlyAllOrNothingIfItIs() {
    assertThat(Quantities.portion(0)).isEqualTo("0 %");
    assertThat(Quantities.portion(1e-9)).isEqualTo("<0.01 %");
    assertThat(Quantities.portion(0.0012345)).isEqualTo("0.12 %");
    assertThat(Quantities.portion(0.12345)).isEqualTo("12.3 %");
    assertThat(Quantities.portion(0.99999999)).isEqualTo(">99.9 %");
    assertThat(Quantities.portion(1)).isEqualTo("100 %");
  }
}

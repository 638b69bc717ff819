package kvrank.report.section;

import java.util.List;
import kvrank.metric.Metric;
import kvrank.report.block.Quantities;
import kvrank.stats.ExpectationResult;
import kvrank.stats.Requirements;
import kvrank.stats.Requirements.Row;

/** The text of values beside their bounds: how far an engine is from a requirement. */
public final class RequirementText {

  private static final String NOT_PROVEN = "durability not proven";

  private static final String NO_VALUE = "no value";

  /** A longer reason is not in the sentence, but below the table. */
  private static final int LONGEST = 60;

  private RequirementText() {}

  /** Returns for example {@code read p99 1.2 ms}. */
  public static String figure(ExpectationResult result) {
    return subject(result) + " " + ExpectationReport.value(result);
  }

  /** Returns the first doubt about an engine. */
  static String doubt(Row row) {
    return row.open().isEmpty() ? NOT_PROVEN : detail(row.open().get(0));
  }

  /** Returns the preferred value with its interval. */
  static String value(Metric metric, Row row) {
    return row.value()
        .map(each -> Quantities.of(metric.unit(), each.value()) + spread(each.low(), each.high()))
        .orElse(Quantities.NONE);
  }

  /** Returns for example {@code ±5.2%}; empty without an interval, or with one of no width. */
  static String spread(double low, double high) {
    return low < high ? " " + Quantities.spread(low, high) : "";
  }

  /** Returns the first requirement that an engine fails with a value, and the number of others. */
  static String failure(Row row) {
    List<ExpectationResult> failed = row.broken();
    ExpectationResult first =
        failed.stream()
            .filter(result -> !Double.isNaN(result.value()))
            .findFirst()
            .orElse(failed.get(0));
    if (Double.isNaN(first.value())) {
      String reason = first.reason();
      return missing(first).equals(NO_VALUE)
          ? subject(first) + ": " + NO_VALUE
          : reason.length() > LONGEST ? missing(first) : reason;
    }
    return detail(first) + (failed.size() > 1 ? ", and %d more".formatted(failed.size() - 1) : "");
  }

  private static String subject(ExpectationResult result) {
    return result.expectation().requirement().split("[<>]", 2)[0].strip();
  }

  /** Returns the short reason for a missing value, for example {@code failed}. */
  static String missing(ExpectationResult result) {
    return result.reason().split(":", 2)[0];
  }

  /**
   * Returns for example {@code read p99 31 ms, wanted < 2ms: 15x the bound}; without a value, the
   * reason.
   */
  public static String detail(ExpectationResult result) {
    if (Double.isNaN(result.value())) {
      return subject(result) + ": " + result.reason();
    }
    String text = result.expectation().requirement();
    int sign = Math.max(text.indexOf('<'), text.indexOf('>'));
    String open = Requirements.open(result) ? ", " + ExpectationReport.interval(result) : "";
    return figure(result)
        + open
        + ", wanted "
        + text.substring(sign)
        + (result.failed() && open.isEmpty() ? ": " + excess(result) : "");
  }

  /**
   * Returns the distance of a value from its bound, for example {@code 15x the bound}, {@code 6 %
   * short}.
   */
  private static String excess(ExpectationResult result) {
    double excess = result.excess();
    return result.expectation().below()
        ? excess < 2
            ? portion(excess - 1) + " over"
            : (excess > 999 ? ">999x" : Quantities.ratio(excess)) + " the bound"
        : portion(1 - 1 / excess) + " short";
  }

  private static String portion(double share) {
    return share == 0 ? "0 %" : share < 0.001 ? "under 0.1 %" : Quantities.portion(share);
  }
}

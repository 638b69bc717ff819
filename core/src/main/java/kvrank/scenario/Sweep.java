package kvrank.scenario;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import kvrank.metric.Metric;
import kvrank.workload.pace.Pacing;
import kvrank.workload.request.Operation;

/** The rates that a phase goes through, within one run and on one server. */
public sealed interface Sweep {

  /** The rates of a throughput–latency curve, in the order of measuring. */
  record Curve(List<Rate> rates) implements Sweep {
    public boolean relative() {
      return rates.stream().anyMatch(Rate::relative);
    }
  }

  /** Operations per second, or percent of the engine's throughput without a limit. */
  record Rate(double value, boolean relative) {

    /** Returns the form in YAML: {@code 1000} or {@code 50%}. */
    public String text() {
      return Pacing.decimal(value) + (relative ? "%" : "");
    }

    /** Returns operations per second for an engine with this {@code maximum}. */
    public double of(double maximum) {
      return relative ? maximum * value / 100 : value;
    }
  }

  /** The highest rate at which a latency of an operation stays below a bound. */
  record Search(Operation operation, Metric statistic, Duration below) implements Sweep {

    /** Returns the bound with its unit, for example {@code 2ms}. */
    public String bound() {
      BigDecimal nanos = BigDecimal.valueOf(below.toNanos());
      int digits = below.toMillis() >= 1000 ? 9 : below.toNanos() >= 1_000_000 ? 6 : 3;
      return nanos.movePointLeft(digits).stripTrailingZeros().toPlainString()
          + Map.of(9, "s", 6, "ms", 3, "us").get(digits);
    }

    /** Returns the metric's name in YAML, for example {@code read.p99}. */
    public String metric() {
      return operation.label() + "." + statistic.shortName();
    }
  }
}

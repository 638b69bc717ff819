package kvrank.scenario;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import kvrank.metric.Metric;
import kvrank.workload.pace.Pacing;
import kvrank.workload.request.Operation;

/** How a phase varies its own rate, within one run and on one server. */
public sealed interface Sweep {

  /** One point per rate, in the order of measuring, for a throughput–latency curve. */
  record Curve(List<Rate> rates) implements Sweep {
    /** Returns whether a rate is a share of what the engine reaches without one. */
    public boolean relative() {
      return rates.stream().anyMatch(Rate::relative);
    }
  }

  /** Operations per second, or percent of what the engine reaches when nothing holds it back. */
  record Rate(double value, boolean relative) {

    /** Returns it as YAML writes it: {@code 1000} or {@code 50%}. */
    public String text() {
      return Pacing.decimal(value) + (relative ? "%" : "");
    }

    /** Returns operations per second for an engine that has {@code reached} so many. */
    public double of(double reached) {
      return relative ? reached * value / 100 : value;
    }
  }

  /** The highest rate at which a latency of an operation stays below a bound. */
  record Search(Operation operation, Metric statistic, Duration below) implements Sweep {

    /** Returns the bound as people write it, for example {@code 2ms}. */
    public String bound() {
      BigDecimal nanos = BigDecimal.valueOf(below.toNanos());
      int digits = below.toMillis() >= 1000 ? 9 : below.toNanos() >= 1_000_000 ? 6 : 3;
      return nanos.movePointLeft(digits).stripTrailingZeros().toPlainString()
          + Map.of(9, "s", 6, "ms", 3, "us").get(digits);
    }

    /** Returns the metric as YAML writes it, for example {@code read.p99}. */
    public String metric() {
      return operation.label() + "." + statistic.shortName();
    }
  }
}

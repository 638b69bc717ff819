package kvrank.scenario;

import static java.util.Objects.requireNonNull;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import kvrank.metric.Metric;
import kvrank.workload.Operation;

/** How a phase varies its own rate, within one run and on one server. */
public sealed interface Sweep {

  /**
   * One point per rate, for a throughput–latency curve.
   *
   * @param rates operations per second, or a percentage ({@code 50%}) of what the engine reaches
   *     when nothing holds it back
   */
  record Curve(List<String> rates) implements Sweep {
    public Curve {
      rates = List.copyOf(rates);
    }
  }

  /**
   * The highest rate at which a latency stays below a bound.
   *
   * @param operation the operation whose latency counts
   * @param statistic which latency of that operation
   * @param below the bound
   */
  record Search(Operation operation, Metric statistic, Duration below) implements Sweep {

    public Search {
      requireNonNull(operation, "operation is null");
      requireNonNull(statistic, "statistic is null");
      requireNonNull(below, "below is null");
    }

    /** The bound as people write it, for example {@code 2ms}. */
    public String bound() {
      BigDecimal nanos = BigDecimal.valueOf(below.toNanos());
      int digits = below.toMillis() >= 1000 ? 9 : below.toNanos() >= 1_000_000 ? 6 : 3;
      return nanos.movePointLeft(digits).stripTrailingZeros().toPlainString()
          + Map.of(9, "s", 6, "ms", 3, "us").get(digits);
    }

    /** The metric as YAML writes it, for example {@code read.p99}. */
    public String metric() {
      return operation.label() + "." + statistic.shortName();
    }
  }
}

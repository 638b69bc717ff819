package kvrank.scenario;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
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
   * @param statistic {@code p50}, {@code p90}, {@code p95}, {@code p99}, {@code p999}, {@code
   *     p9999}, {@code mean} or {@code max}
   * @param below the bound
   */
  record Search(Operation operation, String statistic, Duration below) implements Sweep {

    /** What a search can bound. */
    public static final List<String> STATISTICS =
        List.of("p50", "p90", "p95", "p99", "p999", "p9999", "mean", "max");

    public Search {
      requireNonNull(operation, "operation is null");
      requireNonNull(statistic, "statistic is null");
      requireNonNull(below, "below is null");
    }

    /** The metric as YAML writes it, for example {@code read.p99}. */
    public String metric() {
      return operation.label() + "." + statistic;
    }
  }
}

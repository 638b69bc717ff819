package kvrank.stats;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import kvrank.fact.Fact;
import kvrank.metric.Latency;
import kvrank.results.OperationRecord;
import kvrank.results.PhaseRecord;
import kvrank.workload.request.Operation;

/**
 * The metric that a phase is judged by: throughput, or p99 latency if the rate was given and every
 * engine has enough requests. It is the p99 of reads, else of the operation with the most requests.
 * Fills do not count: they follow from reads and have no intended start.
 */
final class DecidingMetric {

  private DecidingMetric() {}

  /** Returns whether any of {@code completed} was to keep a given rate, without a search. */
  static boolean rateGiven(Collection<PhaseRecord> completed) {
    return completed.stream()
        .anyMatch(phase -> phase.points().isEmpty() && phase.facts().has(Fact.RATE_ASKED));
  }

  /** Returns the operations whose p99 may decide, the preferred first; none without a rate. */
  static List<String> operations(Collection<PhaseRecord> completed) {
    if (!rateGiven(completed)) {
      return List.of();
    }
    Map<String, Long> requests = new TreeMap<>();
    for (PhaseRecord phase : completed) {
      phase
          .operations()
          .forEach((name, operation) -> requests.merge(name, count(operation), Long::sum));
    }
    requests.remove(Operation.FILL.label());
    return requests.keySet().stream()
        .sorted(
            Comparator.comparing((String name) -> !name.equals(Operation.READ.label()))
                .thenComparing(name -> -requests.get(name)))
        .toList();
  }

  private static long count(OperationRecord operation) {
    return operation.latencyNanos().stream().mapToLong(Latency::count).sum();
  }
}

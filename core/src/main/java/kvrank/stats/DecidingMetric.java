package kvrank.stats;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import kvrank.fact.Fact;
import kvrank.metric.Latency;
import kvrank.results.OperationRecord;
import kvrank.results.PhaseRecord;
import kvrank.workload.request.Operation;

/**
 * The metric that a phase is judged by: throughput, or p99 latency if the rate was given, as that
 * sets the throughput. It is the p99 of reads, else of the operation with the most requests, unless
 * more engines have enough requests of another. Fills and operations within transactions do not
 * count: they have no intended start.
 */
final class DecidingMetric {

  private DecidingMetric() {}

  /** Returns whether any of {@code completed} was to keep a given rate, without a search. */
  static boolean rateGiven(Collection<PhaseRecord> completed) {
    return completed.stream()
        .anyMatch(phase -> phase.points().isEmpty() && phase.facts().has(Fact.RATE_ASKED));
  }

  /**
   * Returns the ranking that decides; empty if the rate was given, but no engine has enough
   * requests for a p99.
   *
   * @param throughput of {@code completed}, all phases of one comparison group
   * @param latency the p99 of an operation, by its name
   * @param engines the number of engines that have a value
   */
  static <R> Optional<R> choose(
      Collection<PhaseRecord> completed,
      R throughput,
      Function<String, Optional<R>> latency,
      ToIntFunction<R> engines) {
    return rateGiven(completed)
        ? operations(completed).stream()
            .flatMap(name -> latency.apply(name).stream())
            .filter(each -> engines.applyAsInt(each) > 0)
            .reduce((one, next) -> engines.applyAsInt(next) > engines.applyAsInt(one) ? next : one)
        : Optional.of(throughput);
  }

  /**
   * Returns the operation of {@code phaseGroup} whose p99 is to decide at a given rate, whether or
   * not it has enough requests; the phase itself without any operation.
   */
  static Group asked(Collection<PhaseRecord> completed, Group phaseGroup) {
    return operations(completed).stream()
        .findFirst()
        .map(phaseGroup::forOperation)
        .orElse(phaseGroup);
  }

  /** Returns the operations whose p99 decides at a given rate, the preferred first. */
  static List<String> operations(Collection<PhaseRecord> completed) {
    Map<String, Long> requests = new TreeMap<>();
    for (PhaseRecord phase : completed) {
      phase
          .operations()
          .forEach((name, operation) -> requests.merge(name, count(operation), Long::sum));
    }
    Set<String> all = Set.copyOf(requests.keySet());
    requests.keySet().removeIf(name -> Operation.withinTransaction(name, all));
    requests.keySet().removeIf(name -> is(name, Operation.FILL));
    return requests.keySet().stream()
        .sorted(
            Comparator.comparing((String name) -> !is(name, Operation.READ))
                .thenComparing(name -> -requests.get(name)))
        .toList();
  }

  private static boolean is(String name, Operation operation) {
    return Operation.ofResult(name).equals(Optional.of(operation));
  }

  private static long count(OperationRecord operation) {
    return operation.latencyNanos().stream().mapToLong(Latency::count).sum();
  }
}

package kvrank.run;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.plan.RunSpec;
import kvrank.results.OperationRecord;
import kvrank.workload.KeyChoice;
import kvrank.workload.Operation;
import kvrank.workload.ValueShape;

/**
 * How many bytes of keys and values a user had written and has there: what amplification is
 * measured against. Values of several sizes count with the mean of their distribution.
 */
final class LogicalBytes {

  /** From here on the sums over Zipf's ranks are integrals. */
  private static final int RANKS = 100_000;

  private LogicalBytes() {}

  /**
   * {@code user.writtenBytes}, keys and values of the OK writes and keys of the deletes, and {@code
   * user.liveBytes}, keys and values of the records that are there at the end. Nothing where the
   * records are another's: of a hosted workload.
   *
   * @param operations of the phase, by label
   * @param records the number of records at its end
   */
  static SortedMap<String, String> of(
      RunSpec run, SortedMap<String, OperationRecord> operations, long records) {
    if (run.phases().stream().anyMatch(phase -> phase.spec().workload().hosted().isPresent())) {
      return Collections.emptySortedMap();
    }
    double key = run.dataset().keys().bytes();
    double record = key + meanBytes(run.dataset().values());
    double written = 0;
    for (Operation operation : Operation.values()) {
      double size = operation.storesValue() ? record : operation == Operation.DELETE ? key : 0;
      OperationRecord done = operations.get(operation.label());
      written += done == null ? 0 : done.ok() * size;
    }
    SortedMap<String, String> facts = new TreeMap<>();
    facts.put("user.writtenBytes", Long.toString(Math.round(written)));
    facts.put("user.liveBytes", Long.toString(Math.round(records * record)));
    return facts;
  }

  /** Returns the mean size of the values, in bytes. */
  static double meanBytes(ValueShape shape) {
    long sizes = shape.maxBytes() - shape.minBytes() + 1L;
    return switch (shape.sizes()) {
      case UNIFORM -> shape.minBytes() + (sizes - 1) / 2.0;
      case ZIPFIAN -> {
        double exponent = KeyChoice.DEFAULT_EXPONENT;
        yield shape.minBytes() + powers(sizes, 1 - exponent) / powers(sizes, -exponent) - 1;
      }
    };
  }

  /** Returns the sum of {@code rank^power} over the ranks from 1 to {@code last}. */
  private static double powers(long last, double power) {
    double sum = 0;
    for (double rank = 1; rank <= Math.min(last, RANKS); rank++) {
      sum += Math.pow(rank, power);
    }
    return last <= RANKS
        ? sum
        : sum + (Math.pow(last + 0.5, power + 1) - Math.pow(RANKS + 0.5, power + 1)) / (power + 1);
  }
}

package kvrank.run;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.plan.RunSpec;
import kvrank.results.OperationRecord;
import kvrank.workload.Operation;

/**
 * How many bytes of keys and values a user had written and has there: what amplification is
 * measured against. Values of several sizes count with the mean of their distribution.
 */
final class LogicalBytes {

  private LogicalBytes() {}

  /**
   * {@code user.writtenBytes}, keys and values of the OK writes and keys of the deletes, and {@code
   * user.liveBytes}, keys and values of the records that are there at the end, unless the engine
   * may have given up some. Nothing where the records are another's: of a hosted workload or a
   * trace.
   *
   * @param operations of the phase, by label
   * @param records the number of records at its end
   */
  static SortedMap<String, String> of(
      RunSpec run, SortedMap<String, OperationRecord> operations, long records) {
    if (run.dataset().trace().isPresent()
        || run.phases().stream().anyMatch(p -> p.spec().workload().hosted().isPresent())) {
      return Collections.emptySortedMap();
    }
    double key = run.dataset().keys().bytes();
    double record = key + run.dataset().values().sizes().mean();
    double written = 0;
    for (Operation operation : Operation.values()) {
      double size = operation.storesValue() ? record : operation == Operation.DELETE ? key : 0;
      OperationRecord done = operations.get(operation.label());
      written += done == null ? 0 : done.ok() * size;
    }
    SortedMap<String, String> facts = new TreeMap<>();
    facts.put("user.writtenBytes", Long.toString(Math.round(written)));
    if (run.dataset().stays()) {
      facts.put("user.liveBytes", Long.toString(Math.round(records * record)));
    }
    return facts;
  }
}

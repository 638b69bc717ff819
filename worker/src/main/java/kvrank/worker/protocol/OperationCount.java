package kvrank.worker.protocol;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The outcomes of one operation in one phase, in records; a scan counts as one, an iteration as the
 * records that it walked over.
 *
 * @param ok acknowledged and, for reads, found
 * @param notFound answered that the record does not exist
 * @param errors everything else, by the name of the {@link site.ycsb.Status}
 */
public record OperationCount(long ok, long notFound, SortedMap<String, Long> errors) {

  public OperationCount {
    SortedMap<String, Long> shown = new TreeMap<>();
    errors.forEach((status, count) -> shown.merge(EngineText.of(status), count, Long::sum));
    errors = Collections.unmodifiableSortedMap(shown);
  }

  public long errorTotal() {
    return errors.values().stream().mapToLong(Long::longValue).sum();
  }
}

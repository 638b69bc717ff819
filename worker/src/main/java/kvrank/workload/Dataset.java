package kvrank.workload;

import java.util.Optional;
import kvrank.workload.key.KeyShape;
import kvrank.workload.trace.Replay;
import kvrank.workload.value.ValueShape;

/**
 * The records that the load inserts.
 *
 * @param records how many there are; of a trace, how many it has in all
 * @param keys what keys look like
 * @param values what values look like
 * @param evicts whether the engine may give some of them up to make room
 * @param trace the trace whose records these are, and whose requests say how long values are
 */
public record Dataset(
    long records, KeyShape keys, ValueShape values, boolean evicts, Optional<Replay> trace) {

  /** Records that are no trace's. */
  public Dataset(long records, KeyShape keys, ValueShape values, boolean evicts) {
    this(records, keys, values, evicts, Optional.empty());
  }

  /** Returns whether a record that was written is there until it is deleted. */
  public boolean stays() {
    return !evicts && !expires();
  }

  /** Returns whether some values have a time to live. */
  public boolean expires() {
    return values.ttl().share() > 0 || trace.filter(Replay::expires).isPresent();
  }

  /** Returns how many of the records the load inserts. */
  public long loaded() {
    return trace.map(Replay::loaded).orElse(records);
  }
}

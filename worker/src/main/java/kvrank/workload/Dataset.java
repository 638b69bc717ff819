package kvrank.workload;

import java.util.Optional;
import kvrank.workload.key.KeyShape;
import kvrank.workload.trace.Replay;
import kvrank.workload.value.ValueShape;

/**
 * The records that the load inserts.
 *
 * @param records their number; of a trace, that of all its records
 * @param evicts whether the engine may evict records
 * @param trace the trace of these records, whose requests decide the lengths of values
 */
public record Dataset(
    long records, KeyShape keys, ValueShape values, boolean evicts, Optional<Replay> trace) {

  /** Records that do not come from a trace. */
  public Dataset(long records, KeyShape keys, ValueShape values, boolean evicts) {
    this(records, keys, values, evicts, Optional.empty());
  }

  /** Returns whether records exist until they are deleted. */
  public boolean stays() {
    return !evicts && !expires();
  }

  public boolean expires() {
    return values.ttl().share() > 0 || trace.filter(Replay::expires).isPresent();
  }

  /** Returns the mean size of a record, key and value; requests of a trace state sizes instead. */
  public double recordBytes() {
    return keys.bytes() + values.sizes().mean();
  }

  /** Returns the number of records that the load inserts. */
  public long loaded() {
    return trace.map(Replay::loaded).orElse(records);
  }
}

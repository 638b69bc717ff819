package kvrank.workload;

import static java.util.Objects.requireNonNull;

/**
 * The records that the load inserts.
 *
 * @param records how many there are
 * @param keys what keys look like
 * @param values what values look like
 */
public record Dataset(long records, KeyShape keys, ValueShape values) {

  public Dataset {
    requireNonNull(keys, "keys is null");
    requireNonNull(values, "values is null");
  }
}

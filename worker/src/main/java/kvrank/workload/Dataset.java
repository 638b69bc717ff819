package kvrank.workload;

/**
 * The records that the load inserts.
 *
 * @param records how many there are
 * @param keys what keys look like
 * @param values what values look like
 */
public record Dataset(long records, KeyShape keys, ValueShape values) {}

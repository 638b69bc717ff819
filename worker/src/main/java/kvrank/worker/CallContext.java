package kvrank.worker;

import static java.util.Objects.requireNonNull;

import java.util.OptionalLong;
import kvrank.workload.KeyFormat;
import kvrank.workload.KeyShape;
import kvrank.workload.ValueSource;
import site.ycsb.DB;

/**
 * What the calls of one thread share.
 *
 * @param binding the thread's own instance
 * @param table the table of which YCSB's API speaks; kvrank has one
 * @param keys the thread's own key format
 * @param keyShape what keys look like
 * @param values where values come from
 * @param verify whether values that are read are checked
 * @param scanRecords the number of records that a range scan asks for
 * @param complete if every record from 0 to a number is there while the phase runs, that number
 */
record CallContext(
    DB binding,
    String table,
    KeyFormat keys,
    KeyShape keyShape,
    ValueSource values,
    boolean verify,
    int scanRecords,
    OptionalLong complete) {

  CallContext {
    requireNonNull(binding, "binding is null");
    requireNonNull(table, "table is null");
    requireNonNull(keys, "keys is null");
    requireNonNull(keyShape, "keyShape is null");
    requireNonNull(values, "values is null");
    requireNonNull(complete, "complete is null");
  }
}

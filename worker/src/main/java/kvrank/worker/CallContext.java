package kvrank.worker;

import java.util.OptionalLong;
import kvrank.binding.KeyValueStore;
import kvrank.binding.ValueBuffer;
import kvrank.workload.KeyFormat;
import kvrank.workload.KeyShape;
import kvrank.workload.ValueSource;
import site.ycsb.DB;

/**
 * What the calls of one thread share.
 *
 * @param binding the thread's own instance
 * @param store the same in bytes
 * @param keyShape what keys look like
 * @param keys how keys are written
 * @param values where values come from
 * @param verify whether values that are read are checked
 * @param scanRecords the number of records that a range scan asks for
 * @param complete if every record from 0 to a number is there while the phase runs, that number
 */
record CallContext(
    DB binding,
    KeyValueStore store,
    KeyShape keyShape,
    KeyFormat keys,
    ValueSource values,
    boolean verify,
    int scanRecords,
    OptionalLong complete) {

  /** Returns a buffer for values that are read, large enough for those that were written. */
  ValueBuffer newValueBuffer() {
    return new ValueBuffer(values.maxBytes());
  }
}

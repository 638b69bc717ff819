package kvrank.worker;

import java.util.HashMap;
import java.util.Map;
import kvrank.binding.Values;
import kvrank.workload.Value;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

/** Reads records that are spread over the key space after a load, and compares every byte. */
final class SampleCheck {

  private static final int SAMPLE = 1_000;

  private final CallContext context;
  private final Value expected;
  private int wrong;
  private String finding = "";

  SampleCheck(CallContext context) {
    this.context = context;
    this.expected = context.values().value();
  }

  /** Reads up to {@value #SAMPLE} of the {@code records} records. */
  Findings check(long records) {
    if (context.binding() instanceof NoopBinding) {
      return new Findings(0, 0, "");
    }
    int size = (int) Math.min(SAMPLE, records);
    for (int i = 0; i < size; i++) {
      long last = Math.max(1, size - 1);
      // In two steps, since i * (records - 1) may exceed a long.
      long id = (records - 1) / last * i + (records - 1) % last * i / last;
      check(context.keys().key(id), id);
    }
    return new Findings(size, wrong, finding);
  }

  /**
   * What a check found.
   *
   * @param sample the number of records that were read
   * @param wrong how many of them were missing or not what was inserted
   * @param finding how the last of these was wrong
   */
  record Findings(int sample, int wrong, String finding) {}

  private void check(String key, long id) {
    Map<String, ByteIterator> record = new HashMap<>();
    Status status;
    try {
      status = context.binding().read(context.table(), key, null, record);
    } catch (RuntimeException | LinkageError e) {
      wrong(key, WorkerException.summary(e));
      return;
    }
    expected.set(id, Value.FIRST_VERSION);
    if (!Status.OK.equals(status)) {
      wrong(key, status == null ? "no status" : status.getName());
    } else if (!equal(record)) {
      wrong(key, "not the value that was inserted");
    }
  }

  private boolean equal(Map<String, ByteIterator> record) {
    try {
      return expected.equalTo(Values.bytes(record));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private void wrong(String key, String what) {
    wrong++;
    finding = "read " + key + ": " + what;
  }
}

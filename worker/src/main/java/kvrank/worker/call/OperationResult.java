package kvrank.worker.call;

import kvrank.workload.request.Operation;
import site.ycsb.Status;

/** The outcome of one request, in records; reusable. */
public final class OperationResult {

  /** The status of a request that ended with an exception. */
  public static final Status EXCEPTION = new Status("EXCEPTION", "the binding threw an exception");

  private long ok;
  private long notFound;
  private long errors;
  private String error = "";
  private long writtenBytes;
  private long readBytes;
  private int stale;
  private int incorrect;
  private String finding = "";

  /** Resets this to {@code records} records, all with {@code status}. */
  public void set(Status status, long records) {
    ok = 0;
    notFound = 0;
    errors = 0;
    writtenBytes = 0;
    readBytes = 0;
    stale = 0;
    incorrect = 0;
    // BATCHED_OK is not an acknowledgement.
    if (is(status, Status.OK)) {
      ok = records;
    } else if (is(status, Status.NOT_FOUND)) {
      notFound = records;
    } else {
      errors = records;
      error = status == null ? "NULL" : status.getName();
    }
  }

  /** Compares names; the names of YCSB's statuses are interned, so this is cheap. */
  private static boolean is(Status status, Status expected) {
    return status != null && status.getName().equals(expected.getName());
  }

  /** Marks {@code missing} of the records as not found. */
  void missing(long records, long missing) {
    ok = records - missing;
    notFound = missing;
  }

  /** Adds keys and values that the request wrote. */
  void wrote(long bytes) {
    writtenBytes += bytes;
  }

  /** Adds keys and values that the request returned. */
  void read(long bytes) {
    readBytes += bytes;
  }

  void stale() {
    stale++;
  }

  void wrong(Operation operation, String key, String what) {
    incorrect++;
    finding = operation.label() + " " + key + ": " + what;
  }

  /** Adds the wrong answers of {@code other}, and the bytes that it returned. */
  void add(OperationResult other) {
    readBytes += other.readBytes;
    incorrect += other.incorrect;
    finding = other.incorrect > 0 ? other.finding : finding;
  }

  public long ok() {
    return ok;
  }

  public long notFound() {
    return notFound;
  }

  public long errors() {
    return errors;
  }

  public String error() {
    return error;
  }

  /** Returns the bytes of keys and values that were written, and of keys that were deleted. */
  public long writtenBytes() {
    return writtenBytes;
  }

  /** Returns the bytes of keys and values of the records that were found. */
  public long readBytes() {
    return readBytes;
  }

  public int staleReads() {
    return stale;
  }

  public int incorrect() {
    return incorrect;
  }

  public String finding() {
    return finding;
  }

  public long records() {
    return ok + notFound + errors;
  }
}

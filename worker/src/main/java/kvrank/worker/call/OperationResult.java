package kvrank.worker.call;

import kvrank.workload.request.Operation;
import site.ycsb.Status;

/** What became of one request, in records. Reused for the next. */
public final class OperationResult {

  /** The status of a request that ended with an exception. */
  public static final Status EXCEPTION = new Status("EXCEPTION", "the binding threw an exception");

  private int ok;
  private int notFound;
  private int errors;
  private String error = "";
  private int stale;
  private int incorrect;
  private String finding = "";

  /** Starts anew: {@code records} records, all with {@code status}. */
  public void set(Status status, int records) {
    ok = 0;
    notFound = 0;
    errors = 0;
    stale = 0;
    incorrect = 0;
    // BATCHED_OK is no OK: the engine has not acknowledged anything.
    if (is(status, Status.OK)) {
      ok = records;
    } else if (is(status, Status.NOT_FOUND)) {
      notFound = records;
    } else {
      errors = records;
      error = status == null ? "NULL" : status.getName();
    }
  }

  /** By name, which for YCSB's own statuses is one and the same string and so costs nothing. */
  private static boolean is(Status status, Status expected) {
    return status != null && status.getName().equals(expected.getName());
  }

  /** Of the records, {@code missing} were not found and the others were. */
  void missing(int records, int missing) {
    ok = records - missing;
    notFound = missing;
  }

  /** A record was found that should have been gone. */
  void stale() {
    stale++;
  }

  /** The answer is wrong. */
  void wrong(Operation operation, String key, String what) {
    incorrect++;
    finding = operation.label() + " " + key + ": " + what;
  }

  public int ok() {
    return ok;
  }

  public int notFound() {
    return notFound;
  }

  public int errors() {
    return errors;
  }

  /** The name of the status of the errors. */
  public String error() {
    return error;
  }

  /** The number of records that should have been gone. */
  public int staleReads() {
    return stale;
  }

  public int incorrect() {
    return incorrect;
  }

  /** How the last wrong answer was wrong. */
  public String finding() {
    return finding;
  }

  public int records() {
    return ok + notFound + errors;
  }
}

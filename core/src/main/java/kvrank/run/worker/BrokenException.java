package kvrank.run.worker;

import kvrank.failure.Cause;
import kvrank.failure.Failure;

/** The worker, or its server, broke or took too long. */
public final class BrokenException extends Exception {

  private static final long serialVersionUID = 1L;

  private final Cause cause;
  private final boolean late;
  private final boolean ofWorker;

  public BrokenException(Failure failure) {
    this(failure, false, false);
  }

  BrokenException(Failure failure, boolean late, boolean ofWorker) {
    super(failure.message());
    this.cause = failure.cause();
    this.late = late;
    this.ofWorker = ofWorker;
  }

  public Failure failure() {
    return new Failure(cause, getMessage());
  }

  /** Returns whether the only known problem is that it took too long. */
  public boolean late() {
    return late;
  }

  /** Returns whether a worker that does not run the engine itself ended or was stopped. */
  public boolean ofWorker() {
    return ofWorker;
  }
}

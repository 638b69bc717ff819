package kvrank.metric;

/** The part of a run that a metric describes. */
public enum Scope {
  /** One operation of a phase. */
  OPERATION("operation"),
  /** A phase as a whole, and each of its operations. */
  PHASE_AND_OPERATION("phase, operation"),
  /** A phase as a whole. */
  PHASE("phase"),
  /** The load as a whole. */
  LOAD("the load"),
  /** All phases of a run together. */
  RUN("run");

  private final String label;

  Scope(String label) {
    this.label = label;
  }

  public String label() {
    return label;
  }

  /** Returns whether an operation can have a value. */
  public boolean ofOperations() {
    return this == OPERATION || this == PHASE_AND_OPERATION;
  }

  /** Returns whether a phase as a whole can have a value. */
  public boolean ofPhases() {
    return this == PHASE_AND_OPERATION || this == PHASE || this == LOAD;
  }
}

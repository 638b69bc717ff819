package kvrank.fact;

/** The subject of a fact, which decides where it is recorded. */
public enum Level {
  /** The machine, before the runs: {@code environment.json}. */
  MACHINE,
  /** One run, its server and its workers: {@code facts} of {@code record.json}. */
  RUN,
  /** One phase of a run: {@code facts} of a phase in {@code record.json}. */
  PHASE,
  /** One of several generators and its part of a phase: only in its messages to the controller. */
  GENERATOR
}

package kvrank.scenario;

import kvrank.workload.request.Labelled;

/** The storage medium that a scenario asks for. */
public enum Medium implements Labelled {
  /** Any medium. */
  ANY,
  SSD,
  HDD,
  /** A file system in memory. */
  MEMORY;
}

package kvrank.workload.random;

import kvrank.workload.request.Labelled;

/** How the next key is chosen among the existing records. */
public enum Distribution implements Labelled {
  ZIPFIAN,
  UNIFORM,
  LATEST,
  HOTSPOT,
  EXPONENTIAL,
  SEQUENTIAL,
  REVERSE,
  RANDOM,
  TIMESTAMP
}

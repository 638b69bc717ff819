package kvrank.binding;

import java.util.SortedMap;

/** Counters of an embedded engine, such as its write stalls or the hits of its cache. */
public interface EngineReports {

  /**
   * Returns counters since the engine was opened, by name, such as {@code write-stalls}. kvrank
   * calls this before and after each phase, and records {@code engine.write-stalls}. It must not
   * read data from storage, which would count as read in the phase.
   */
  SortedMap<String, String> reports();
}

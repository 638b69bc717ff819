package kvrank.binding;

import java.util.SortedMap;

/** Counters of an embedded engine, such as its write stalls or the hits of its cache. */
public interface EngineReports {

  /**
   * Returns counters since the engine was opened, by name, such as {@code write-stalls}. kvrank
   * calls this after each phase, outside of the measurement, and records {@code
   * engine.write-stalls}.
   */
  SortedMap<String, String> reports();
}

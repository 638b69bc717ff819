package kvrank.binding;

import java.util.SortedMap;

/** What an embedded engine says about its work, beside {@link EngineFacts} that do not change. */
public interface EngineReports {

  /**
   * Facts by name, for example {@code write-stalls}, which a record has as {@code
   * engine.write-stalls}; asked after each phase, when nothing is measured. Counters are since the
   * engine was opened.
   */
  SortedMap<String, String> reports();
}

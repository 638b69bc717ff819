package kvrank.run;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.machine.SyncProbe;

/**
 * What was found before a run that its measurements are judged by.
 *
 * @param baselines what the harness reaches without an engine, by phase
 * @param probe what was found of the device under the data directories, if it was looked at
 */
record RunContext(SortedMap<String, HarnessBaseline> baselines, Optional<SyncProbe> probe) {

  RunContext {
    baselines = Collections.unmodifiableSortedMap(new TreeMap<>(baselines));
    requireNonNull(probe, "probe is null");
  }
}

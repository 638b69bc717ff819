package kvrank.run;

import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the harness does in a phase without an engine.
 *
 * @param perSecond the operations per second that it reaches
 * @param residentBytes the worker's resident memory at the end, which is its own share of what a
 *     worker takes that holds an embedded engine
 */
record HarnessBaseline(double perSecond, OptionalLong residentBytes) {

  /** {@code harness.baseline} and {@code harness.residentBytes}. */
  SortedMap<String, String> facts() {
    SortedMap<String, String> facts = new TreeMap<>();
    facts.put("harness.ceiling", Long.toString(Math.round(perSecond)));
    residentBytes.ifPresent(bytes -> facts.put("harness.residentBytes", Long.toString(bytes)));
    return facts;
  }
}

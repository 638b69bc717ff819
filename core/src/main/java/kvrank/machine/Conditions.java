package kvrank.machine;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How a machine is before anything is measured on it.
 *
 * @param facts what was found
 * @param warnings what will make measurements mean less, each with the next step
 */
public record Conditions(SortedMap<String, String> facts, List<String> warnings) {

  public Conditions {
    warnings = List.copyOf(warnings);
    SortedMap<String, String> all = new TreeMap<>(facts);
    for (int i = 0; i < warnings.size(); i++) {
      all.put("machine.warning." + (i + 1), warnings.get(i));
    }
    facts = Collections.unmodifiableSortedMap(all);
  }
}

package kvrank.site.advice;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.results.ExecutionResults;
import kvrank.results.pack.MachineName;

/**
 * A machine that measured.
 *
 * @param name its public name, with a digest
 * @param label the same without the digest, with a letter if several machines would share it
 */
public record Machine(String name, String label) {

  /** Returns the executions of each machine, the machines by their labels. */
  public static SortedMap<Machine, List<ExecutionResults>> of(List<ExecutionResults> executions) {
    SortedMap<String, List<ExecutionResults>> byName = new TreeMap<>();
    for (ExecutionResults each : executions) {
      byName
          .computeIfAbsent(MachineName.of(each.environment()), any -> new ArrayList<>())
          .add(each);
    }
    Map<String, Integer> sharing = new HashMap<>();
    byName.keySet().forEach(name -> sharing.merge(MachineName.brief(name), 1, Integer::sum));
    Map<String, Integer> seen = new HashMap<>();
    SortedMap<Machine, List<ExecutionResults>> machines =
        new TreeMap<>((first, second) -> first.label().compareTo(second.label()));
    byName.forEach(
        (name, own) -> {
          String brief = MachineName.brief(name);
          int number = seen.merge(brief, 1, Integer::sum);
          String label = sharing.get(brief) == 1 ? brief : brief + "-" + number;
          machines.put(new Machine(name, label), own);
        });
    return machines;
  }

  public String file() {
    return Links.file(label);
  }
}

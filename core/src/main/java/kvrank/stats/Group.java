package kvrank.stats;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A comparison group: engines are ranked inside it and never across. All factors belong to it, so
 * that the durability class always does.
 *
 * @param phase the phase's name
 * @param workload the workload's name
 * @param operation the operation's label; empty for all operations of the phase together
 * @param factors the factor point, constants included
 * @param varying the factors that differ between groups; the others need no display
 */
public record Group(
    String phase,
    String workload,
    Optional<String> operation,
    SortedMap<String, String> factors,
    SortedSet<String> varying) {

  /** The factor that is the durability class. */
  static final String FSYNC = "fsync";

  public Group {
    requireNonNull(phase, "phase is null");
    requireNonNull(workload, "workload is null");
    requireNonNull(operation, "operation is null");
    factors = Collections.unmodifiableSortedMap(new TreeMap<>(factors));
    varying = Collections.unmodifiableSortedSet(new TreeSet<>(varying));
  }

  /** The group of {@code operation} in this phase at this factor point. */
  public Group of(String operation) {
    return new Group(phase, workload, Optional.of(operation), factors, varying);
  }

  /** The durability class and the factors that vary, for example {@code fsync=off, threads=8}. */
  public String point() {
    StringJoiner point = new StringJoiner(", ");
    if (factors.containsKey(FSYNC)) {
      point.add(FSYNC + "=" + factors.get(FSYNC));
    }
    for (String factor : varying) {
      if (!factor.equals(FSYNC)) {
        point.add(factor + "=" + factors.getOrDefault(factor, "-"));
      }
    }
    return point.toString();
  }
}

package kvrank.stats;

import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.stream.Collectors;
import kvrank.engine.Fsync;
import kvrank.metric.Metric;
import kvrank.metric.Scope;

/**
 * A comparison group: engines are ranked within a group, never across groups. All factors belong to
 * it, including the durability class.
 *
 * @param phase the phase's name; empty for whole runs
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

  /** The factor that names the durability class. */
  public static final String FSYNC = "fsync";

  /** The durability class of engines without a log, also if the scenario says {@code off}. */
  public static final String NO_LOG = "none";

  public Group forOperation(String operation) {
    return new Group(phase, workload, Optional.of(operation), factors, varying);
  }

  static Group forWholeRuns(SortedMap<String, String> factors, SortedSet<String> varying) {
    return new Group("", "", Optional.empty(), factors, varying);
  }

  public boolean ofWholeRuns() {
    return phase.isEmpty();
  }

  public boolean has(Metric metric) {
    return ofWholeRuns()
        ? metric.scope() == Scope.RUN
        : operation.isPresent() ? metric.scope().ofOperations() : metric.scope().ofPhases();
  }

  /** Returns the group that has {@code metric}: this, its phase's or its whole runs'. */
  public Group forMetric(Metric metric) {
    return has(metric) || metric.scope() == Scope.OPERATION
        ? this
        : metric.scope() == Scope.RUN ? forWholeRuns(factors, varying) : phaseGroup();
  }

  /** Returns the group of all operations of this phase together. */
  public Group phaseGroup() {
    return operation.isEmpty()
        ? this
        : new Group(phase, workload, Optional.empty(), factors, varying);
  }

  /** Returns the same group, of which a label shows these factors. */
  public Group showing(SortedSet<String> factorsShown) {
    return new Group(phase, workload, operation, factors, factorsShown);
  }

  /** Returns for example {@code set-get, read at fsync=off, threads=8}. */
  public String label() {
    String place =
        (ofWholeRuns() ? "all phases" : phase) + operation.map(label -> ", " + label).orElse("");
    return place + pointSuffix();
  }

  /** Returns {@code " at "} and the factor point; empty if there is none. */
  public String pointSuffix() {
    return point().isEmpty() ? "" : " at " + point();
  }

  /** Returns the meaning of the level for writes, such as {@code no log}; may be empty. */
  public String promise() {
    boolean also = Fsync.atLeast(fsync()).filter(each -> !each.interval().isZero()).isPresent();
    return Fsync.weakest(fsync()).map(Fsync::meaning).orElse("") + (also ? " or more often" : "");
  }

  /** Returns whether the level may promise flushes, as {@code off} and {@code none} do not. */
  public boolean promisesFlushes() {
    return Fsync.mayPromise(fsync());
  }

  /** Returns whether the engines of the group have no log. */
  public boolean withoutLog() {
    return NO_LOG.equals(fsync());
  }

  /** Returns the durability level; empty if the records have none. */
  public String fsync() {
    return factors.getOrDefault(FSYNC, "");
  }

  /** Returns durability class and varying factors, for example {@code fsync=off, threads=8}. */
  public String point() {
    String level = factors.containsKey(FSYNC) ? FSYNC + "=" + fsync() : "";
    String others = pointAtLevel();
    return level + (level.isEmpty() || others.isEmpty() ? "" : ", ") + others;
  }

  /** Returns the varying factors without the durability class, for example {@code threads=8}. */
  public String pointAtLevel() {
    return varying.stream()
        .filter(factor -> !factor.equals(FSYNC))
        .map(factor -> factor + "=" + factors.getOrDefault(factor, "-"))
        .collect(Collectors.joining(", "));
  }
}

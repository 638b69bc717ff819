package kvrank.worker.protocol;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import kvrank.workload.ClientGroup;
import kvrank.workload.ClientSettings;
import kvrank.workload.HostedWorkload;
import kvrank.workload.OperationMix;
import kvrank.workload.pace.Pacing;
import kvrank.workload.request.Operation;

/**
 * One measured phase of a run, completely resolved.
 *
 * @param name unique in its run
 * @param mix the operations; a crash test uses only their weights, and groups have their own
 * @param settings how clients apply them; groups have their own rates
 * @param hosted a YCSB workload that replaces the mix or the load, with its own keys and values
 * @param groups of threads with operations of their own, in order; empty if all threads have the
 *     same
 */
public record WorkerPhase(
    String name,
    Kind kind,
    OperationMix mix,
    ClientSettings settings,
    Optional<HostedWorkload> hosted,
    List<ClientGroup> groups) {

  public WorkerPhase {
    groups = List.copyOf(groups);
  }

  /** A phase whose threads have the same operations. */
  public WorkerPhase(
      String name,
      Kind kind,
      OperationMix mix,
      ClientSettings settings,
      Optional<HostedWorkload> hosted) {
    this(name, kind, mix, settings, hosted, List.of());
  }

  /** Returns the groups, or else one without a name that has all threads. */
  public List<ClientGroup> clientGroups() {
    return groups.isEmpty()
        ? List.of(new ClientGroup("", mix, settings.threads(), settings.pacing()))
        : groups;
  }

  /** Returns the number of the first client of {@code group}. */
  public int firstClient(ClientGroup group) {
    return clientGroups().stream()
            .takeWhile(other -> !other.name().equals(group.name()))
            .mapToInt(ClientGroup::threads)
            .sum()
        * settings.connections();
  }

  /** Returns the group of {@code client}, a number among those of all machines. */
  public ClientGroup groupOf(int client) {
    int thread = client / settings.connections();
    for (ClientGroup group : clientGroups()) {
      if (thread < group.threads()) {
        return group;
      }
      thread -= group.threads();
    }
    throw new IllegalArgumentException("there is no client " + client);
  }

  /** Returns whether each request of some client is due at a time. */
  public boolean paced() {
    return clientGroups().stream().anyMatch(group -> group.pacing().open());
  }

  /**
   * Returns a step of a sweep over this phase.
   *
   * @param rate operations per second of all threads, 0 for unlimited
   * @param times factor of the phase's measured time
   */
  public WorkerPhase step(String name, double rate, int times) {
    Pacing pacing = new Pacing(rate, settings.pacing().arrivals());
    ClientSettings stepSettings = settings.with(pacing).with(settings.limits().times(times));
    return new WorkerPhase(name, kind, mix, stepSettings, hosted, groups);
  }

  public Set<Operation> operations() {
    return mix.operations();
  }

  /** Returns whether it writes records that may not exist. */
  public boolean updates() {
    return mix.fill()
        || operations().contains(Operation.UPDATE)
        || operations().contains(Operation.READ_MODIFY_WRITE);
  }

  public enum Kind {
    /** Inserts every record once, without limits. */
    LOAD,
    MIX,
    /** Applies the requests of the trace, up to the limits. */
    TRACE,
    /** Applies the mix to the records as the previous phase left them. */
    PROOF,
    /** Writes as fast as possible until the engine is killed; without pacing and limits. */
    CRASH_WRITES,
    /** Checks acknowledged writes after the kill. */
    CRASH_CHECK;

    public boolean ofCrashTest() {
      return this == CRASH_WRITES || this == CRASH_CHECK;
    }
  }
}

package kvrank.worker.client;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongConsumer;
import kvrank.binding.KeyValueStore;
import kvrank.worker.call.CallContext;
import kvrank.worker.call.ExceptionLog;
import kvrank.worker.call.NoopBinding;
import kvrank.worker.call.YcsbStore;
import kvrank.worker.protocol.WorkerException;
import kvrank.worker.protocol.WorkerPhase;
import kvrank.worker.protocol.WorkerSpec;
import kvrank.workload.RequestPlan;
import kvrank.workload.ValueSource;
import kvrank.workload.key.KeyFormat;
import kvrank.workload.pace.ArrivalSchedule;
import kvrank.workload.request.Limits;
import kvrank.workload.request.Operation;
import kvrank.workload.request.Requests;
import kvrank.workload.request.Slice;
import site.ycsb.DB;

/** What the clients of one phase share. */
public final class PhaseSetup {

  private static final String TABLE_PROPERTY = "table";
  private static final String DEFAULT_TABLE = "usertable";

  private final WorkerSpec spec;
  private final WorkerPhase phase;
  private final Slice slice;
  private final PhaseRequests requests;
  private final RequestPlan plan;
  private final ValueSource values;
  private final List<DB> bindings;
  private final Optional<YcsbWorkloadHost> ycsbHost;
  private final boolean complete;
  private final PhaseStages stages;
  private final ExceptionLog exceptions = new ExceptionLog(System.err);
  private volatile Optional<String> refusal = Optional.empty();
  private volatile boolean stopped;

  /**
   * @param requests the phase's requests
   * @param slice the machine's part of the threads
   * @param bindings one for each client of this slice
   * @param ycsbHost the workload, if it is one of YCSB
   */
  public PhaseSetup(
      WorkerSpec spec,
      PhaseRequests requests,
      Slice slice,
      ValueSource values,
      List<DB> bindings,
      Optional<YcsbWorkloadHost> ycsbHost) {
    this.spec = spec;
    this.phase = requests.phase();
    this.slice = slice;
    this.values = values;
    this.bindings = bindings;
    this.ycsbHost = ycsbHost;
    this.requests = requests;
    this.plan = requests.plan();
    this.stages = new PhaseStages(phase);
    this.complete =
        phase.kind() == WorkerPhase.Kind.MIX
            && spec.dataset().stays()
            && !phase.operations().contains(Operation.INSERT)
            && !phase.operations().contains(Operation.DELETE);
  }

  public WorkerPhase phase() {
    return phase;
  }

  /** The number of records that the load inserts, on all machines. */
  public long loaded() {
    return spec.dataset().loaded();
  }

  public RequestPlan plan() {
    return plan;
  }

  /** The threads of this machine. */
  public int threads() {
    return slice.size(phase.settings().threads());
  }

  /** The clients of this machine. */
  public int clients() {
    return threads() * phase.settings().connections();
  }

  /** The number of the first of them, among those of all machines. */
  public int firstClient() {
    return slice.first(phase.settings().threads()) * phase.settings().connections();
  }

  /** The part of all clients that are of this machine. */
  public double share() {
    return (double) clients() / phase.settings().clients();
  }

  public ExceptionLog exceptions() {
    return exceptions;
  }

  Requests requests(int thread) {
    return requests.of(thread);
  }

  /** The workload, if it is one of YCSB. */
  public Optional<YcsbWorkloadHost> ycsbHost() {
    return ycsbHost;
  }

  /** Whether reads may miss records that nobody deleted. */
  public boolean losesRecords() {
    return phase.operations().contains(Operation.READ)
        && (phase.mix().fill() || !spec.dataset().stays());
  }

  /** What values look like, and by when they have to be gone. */
  public ValueSource values() {
    return values;
  }

  public PhaseStages stages() {
    return stages;
  }

  /** The number of records of {@code client} that count, or {@link Long#MAX_VALUE}. */
  long records(int client) {
    if (phase.kind() == WorkerPhase.Kind.TRACE) {
      return Long.MAX_VALUE;
    }
    if (phase.kind() == WorkerPhase.Kind.LOAD) {
      return ycsbHost.isPresent() ? plan.owned(client) : Long.MAX_VALUE;
    }
    Limits limits = phase.settings().limits();
    int clients = phase.settings().clients();
    return limits.counted()
        ? (limits.operations() - client + clients - 1) / clients
        : Long.MAX_VALUE;
  }

  /** The number of records that the phase is for on this machine, or 0 if that is not known. */
  public double target() {
    if (ycsbHost.isPresent()) {
      // It says how many transactions there are, and not how many requests each makes.
      return 0;
    }
    Limits limits = phase.settings().limits();
    boolean deletesAlone = phase.operations().equals(Set.of(Operation.DELETE));
    boolean empties = phase.mix().drain() && deletesAlone && !limits.counted();
    if (phase.kind() == WorkerPhase.Kind.TRACE && !limits.counted() && limits.duration().isZero()) {
      return spec.dataset().trace().orElseThrow().requests();
    }
    boolean load = phase.kind() == WorkerPhase.Kind.LOAD;
    long total = load ? spec.dataset().loaded() : plan.records();
    return share() * (load || empties ? total : limits.operations());
  }

  DB binding(int client) {
    return bindings.get(client - firstClient());
  }

  /** Returns {@code binding} in bytes. */
  static KeyValueStore store(WorkerSpec spec, DB binding) {
    return binding instanceof KeyValueStore store
        ? store
        : new YcsbStore(binding, spec.properties().getOrDefault(TABLE_PROPERTY, DEFAULT_TABLE));
  }

  /** What the calls of {@code thread} share, whose misses nobody asks for. */
  public CallContext context(int thread) {
    return context(thread, id -> {});
  }

  /**
   * What the calls of {@code thread} share.
   *
   * @param missed is told of each record that a read did not find
   */
  public CallContext context(int thread, LongConsumer missed) {
    DB binding = binding(thread);
    boolean stores = !(binding instanceof NoopBinding);
    return new CallContext(
        binding,
        store(spec, binding),
        spec.dataset(),
        new KeyFormat(spec.dataset().keys()),
        values,
        spec.verify() && stores,
        phase.mix().scanRecords(),
        complete && stores ? OptionalLong.of(plan.records()) : OptionalLong.empty(),
        missed);
  }

  /** When the requests of {@code thread} are due, null in a closed loop. */
  ArrivalSchedule arrivalSchedule(int thread) {
    return requests.schedule(thread);
  }

  /** Returns what the calling thread, a client's, waits by. */
  Wait newWait() {
    return phase.settings().pacing().open() ? Wait.ofThread(threads()) : new Wait(false);
  }

  /** Returns empty statistics for one stage of one client. */
  ThreadStats stats() {
    Set<Operation> expected = EnumSet.copyOf(List.of(Operation.INSERT));
    expected.addAll(phase.operations());
    return new ThreadStats(expected, phase.settings().pacing().open());
  }

  /** Checks, right after a request failed, whether the system refuses this process something. */
  void checkForRefusal() {
    if (refusal.isEmpty()) {
      refusal = WorkerException.refusal();
    }
  }

  /** Returns what the system refused, for a message; empty if nothing was observed. */
  public Optional<String> refusal() {
    return refusal;
  }

  /** Whether the clients have to end now. */
  public boolean stopped() {
    return stopped;
  }

  public void stop() {
    stopped = true;
  }
}

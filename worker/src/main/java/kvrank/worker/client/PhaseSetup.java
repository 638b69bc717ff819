package kvrank.worker.client;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import kvrank.binding.EngineCounters;
import kvrank.binding.KeyValueStore;
import kvrank.worker.call.CallContext;
import kvrank.worker.call.ExceptionLog;
import kvrank.worker.call.NoopBinding;
import kvrank.worker.call.Population;
import kvrank.worker.call.YcsbStore;
import kvrank.worker.protocol.WorkerException;
import kvrank.worker.protocol.WorkerPhase;
import kvrank.worker.protocol.WorkerSpec;
import kvrank.workload.ClientGroup;
import kvrank.workload.OperationMix;
import kvrank.workload.RequestPlan;
import kvrank.workload.ValueSource;
import kvrank.workload.key.KeyFormat;
import kvrank.workload.pace.ArrivalSchedule;
import kvrank.workload.request.Limits;
import kvrank.workload.request.Operation;
import kvrank.workload.request.Requests;
import kvrank.workload.request.Slice;
import site.ycsb.DB;

/** State that the clients of one phase share. */
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
  private final Optional<Population> population;
  private final PhaseStages stages;
  private final LongAdder walked = new LongAdder();
  private final ExceptionLog exceptions = new ExceptionLog(System.err);
  private volatile Optional<String> refusal = Optional.empty();
  private volatile boolean stopped;

  /**
   * @param slice the machine's part of the threads
   * @param bindings one for each client of this slice
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
    this.stages = new PhaseStages(phase, share() * plan.records(), spec.dataset().recordBytes());
    this.population = population();
  }

  /**
   * Returns the records that exist throughout the phase, if that is known. A thread asks only for
   * its own new records. A server that kvrank did not start may answer from a replica.
   */
  private Optional<Population> population() {
    boolean grows = phase.operations().contains(Operation.INSERT);
    boolean each =
        phase.groups().isEmpty()
            && phase.mix().transaction().isEmpty()
            && spec.dataset().trace().isEmpty()
            && !spec.external();
    boolean known =
        phase.kind() == WorkerPhase.Kind.MIX
            && spec.dataset().stays()
            && !phase.settings().errorsAllowed()
            && !phase.operations().contains(Operation.DELETE)
            && (!grows || each);
    return known ? Optional.of(new Population(plan.records(), grows)) : Optional.empty();
  }

  public WorkerPhase phase() {
    return phase;
  }

  /** Returns the number of records that the load inserts on all machines. */
  public long loaded() {
    return spec.dataset().loaded();
  }

  public RequestPlan plan() {
    return plan;
  }

  /** Returns the number of threads of this machine. */
  public int threads() {
    return slice.size(phase.settings().threads());
  }

  /** Returns the number of clients of this machine. */
  public int clients() {
    return threads() * phase.settings().connections();
  }

  /** Returns the number of the first of them among those of all machines. */
  public int firstClient() {
    return slice.first(phase.settings().threads()) * phase.settings().connections();
  }

  /** Returns this machine's share of all clients. */
  public double share() {
    return (double) clients() / phase.settings().clients();
  }

  public ExceptionLog exceptions() {
    return exceptions;
  }

  Requests requests(int thread) {
    return requests.of(thread);
  }

  public Optional<YcsbWorkloadHost> ycsbHost() {
    return ycsbHost;
  }

  /** Returns whether reads may miss records that were not deleted. */
  public boolean losesRecords() {
    return phase.operations().contains(Operation.READ)
        && (phase.mix().fill() || !spec.dataset().stays());
  }

  /** Returns whether the sizes of the records that the phase writes are known. */
  public boolean measuresWrites() {
    return ycsbHost.isEmpty() && spec.dataset().trace().isEmpty();
  }

  /** Returns the same for those that it reads: YCSB's scans return only their number. */
  public boolean measuresReads() {
    return measuresWrites()
        && (bindings.stream().allMatch(KeyValueStore.class::isInstance)
            || Collections.disjoint(
                phase.operations(), Set.of(Operation.RANGE_SCAN, Operation.ITERATE)));
  }

  /** Returns the number of records that iterations have seen so far. */
  public long walked() {
    return walked.sum();
  }

  public ValueSource values() {
    return values;
  }

  public PhaseStages stages() {
    return stages;
  }

  /** Returns the number of records of {@code client} that count, or {@link Long#MAX_VALUE}. */
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

  /** Returns the number of this machine's records in the phase, 0 if unknown. */
  public double target() {
    if (ycsbHost.isPresent()) {
      // A hosted workload counts transactions, not requests.
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

  static KeyValueStore store(WorkerSpec spec, DB binding) {
    return binding instanceof KeyValueStore store
        ? store
        : new YcsbStore(binding, spec.properties().getOrDefault(TABLE_PROPERTY, DEFAULT_TABLE));
  }

  /** Returns the context of {@code thread}, without a receiver of misses. */
  public CallContext context(int thread) {
    return context(thread, id -> {});
  }

  /** Returns the context of {@code thread}, whose misses {@code missed} receives. */
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
        population.filter(any -> stores),
        phase.settings().errorsAllowed(),
        walked,
        missed);
  }

  /** Returns when the requests of {@code thread} are due, null in a closed loop. */
  ArrivalSchedule arrivalSchedule(int thread) {
    return requests.schedule(thread);
  }

  Wait newWait() {
    return phase.paced() ? Wait.ofThread(threads()) : new Wait(false);
  }

  /** Returns the engine's figures over time, if it has some. */
  public Optional<EngineCounters> counters() {
    return bindings.stream()
        .limit(1)
        .flatMap(binding -> binding instanceof EngineCounters e ? Stream.of(e) : Stream.empty())
        .findFirst();
  }

  /** Returns the mix of {@code client}, or of its group. */
  OperationMix mix(int client) {
    return phase.groupOf(client).mix();
  }

  /** Returns whether each request of {@code client} is due at a time. */
  boolean paced(int client) {
    return phase.groupOf(client).pacing().open();
  }

  ThreadStats stats(int client) {
    Set<Operation> expected = EnumSet.copyOf(List.of(Operation.INSERT));
    expected.addAll(mix(client).operations());
    return new ThreadStats(expected, paced(client));
  }

  /** Returns the part of {@code clients}, those of this machine, in {@code group}. */
  public <C> List<C> of(ClientGroup group, List<C> clients) {
    if (phase.groups().isEmpty()) {
      return clients;
    }
    // Groups are on one machine.
    int first = phase.firstClient(group);
    return clients.subList(first, first + group.threads() * phase.settings().connections());
  }

  /** Records that an insert failed. */
  void insertFailed() {
    population.ifPresent(Population::insertFailed);
  }

  /** Checks, right after a failed request, whether the system refuses files or threads. */
  void checkForRefusal() {
    if (refusal.isEmpty()) {
      refusal = WorkerException.refusal();
    }
  }

  /** Returns the refusal that was observed, for a message. */
  public Optional<String> refusal() {
    return refusal;
  }

  public boolean stopped() {
    return stopped;
  }

  public void stop() {
    stopped = true;
  }
}

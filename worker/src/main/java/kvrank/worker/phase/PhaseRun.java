package kvrank.worker.phase;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.worker.call.CallContext;
import kvrank.worker.call.NoopBinding;
import kvrank.worker.check.AliveSample;
import kvrank.worker.check.PopulationCheck;
import kvrank.worker.client.Client;
import kvrank.worker.client.Multiplexer;
import kvrank.worker.client.PhaseSetup;
import kvrank.worker.client.PhaseStages;
import kvrank.worker.client.ThreadStats;
import kvrank.worker.protocol.MachineBarrier;
import kvrank.worker.protocol.OperationCount;
import kvrank.worker.protocol.PhaseResult;
import kvrank.worker.protocol.WorkerException;
import kvrank.worker.protocol.WorkerMessage;
import kvrank.worker.protocol.WorkerPhase;
import kvrank.workload.ClientGroup;
import kvrank.workload.Expirations;
import kvrank.workload.MixRequests;
import kvrank.workload.pace.Pacing;
import kvrank.workload.request.Operation;
import org.HdrHistogram.Histogram;

public final class PhaseRun {

  private static final long GRACE_SECONDS = 2;

  /** Suffix of the status of errors in the warm-up. */
  private static final String IN_WARMUP = " in the warm-up";

  private final PhaseSetup setup;
  private final MachineBarrier machines;
  private final Client[] clients;
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  /**
   * @param machines synchronises the start with all machines
   */
  public PhaseRun(PhaseSetup setup, MachineBarrier machines) {
    this.setup = setup;
    this.machines = machines;
    this.clients = new Client[setup.clients()];
  }

  /** Loads classes that each phase needs, mostly the JDK's of its management. */
  public static void loadClasses() {
    JvmUsage.now(new CompilerThreads()::nanos);
    PhaseLog.loadClasses();
  }

  private interface Task {
    void run(int number)
        throws WorkerException, InterruptedException, BrokenBarrierException, IOException;
  }

  /**
   * Runs the phase and writes its files.
   *
   * @throws WorkerException if the phase fails
   */
  public PhaseResult run(PhaseLog log, Consumer<WorkerMessage> messages)
      throws WorkerException, InterruptedException {
    StartBarrier start = new StartBarrier(setup.threads() + 1, machines);
    CompilerThreads compiler = new CompilerThreads();
    HiccupMonitor hiccupMonitor =
        new HiccupMonitor(() -> warmedUp(compiler), compiler::nanos, () -> done(Client::measured));
    CountDownLatch ended = inThreads(setup.threads(), thread -> clients(thread, start));
    List<Client> clientList = Arrays.asList(clients);
    Optional<CounterSampler> counters = CounterSampler.of(setup, log);
    long origin = 0;
    Facts counted = new Facts();
    try {
      origin = start.await();
      if (!setup.stopped()) {
        long started = origin;
        hiccupMonitor.start(
            origin,
            setup.stages(),
            machines,
            window -> log.window(setup.phase().name(), window.nanos() - started, window.done()));
        counters.ifPresent(sampler -> sampler.start(started));
        try {
          Consumer<WorkerMessage> heard =
              message -> {
                messages.accept(message);
                if (message instanceof WorkerMessage.Measuring) {
                  counters.ifPresent(CounterSampler::measure);
                }
              };
          new PhaseMonitor(setup, clientList, log, heard).watch(origin, ended);
        } finally {
          if (counters.isPresent()) {
            counted = counters.get().stop();
          }
        }
      }
    } catch (BrokenBarrierException e) {
      setup.stop();
    }
    try {
      finish(ended);
    } finally {
      hiccupMonitor.stop();
    }
    long elapsed = elapsedNanos();
    long end = System.nanoTime() - origin;
    long agreed = Math.min(end, setup.stages().measureNanos());
    log.latencies(
        setup,
        origin,
        new PhaseLog.Span(began(), began() + elapsed),
        clientList,
        hiccupMonitor.hiccups(),
        new PhaseLog.Span(agreed, end));
    Facts facts =
        PhaseFacts.of(setup, clientList, elapsed, hiccupMonitor, records()).putAll(counted);
    if (machines != MachineBarrier.NONE) {
      begun(origin, facts);
    }
    return new PhaseResult(setup.phase().name(), elapsed, counts(), incorrect(), facts);
  }

  /** Adds the start of the measured time, which must be the same on all machines. */
  private void begun(long origin, Facts facts) {
    facts
        .put(Fact.GENERATOR_AGREED_NANOS, origin + setup.stages().measureNanos())
        .put(Fact.GENERATOR_BEGAN_NANOS, origin + began())
        .put(Fact.GENERATOR_CLIENTS, clients.length)
        .put(Fact.GENERATOR_PLANNED_RECORDS, setup.plan().records())
        .put(Fact.GENERATOR_TIMED, Boolean.toString(setup.stages().timed()));
  }

  /**
   * Returns the start of the measured time, in nanoseconds after the phase's start: of a closed
   * loop the first counted request's, unless the engine kept the clients waiting until then.
   */
  private long began() {
    long agreed = setup.stages().measureNanos();
    long first = firstStart();
    boolean open = setup.phase().settings().pacing().open();
    return open || first == Long.MAX_VALUE || (agreed > 0 && first - agreed > 2 * longest())
        ? agreed
        : first;
  }

  /** Returns the longest counted latency; a longer wait was that for a request of the warm-up. */
  private long longest() {
    return Arrays.stream(clients)
        .flatMap(client -> Arrays.stream(Operation.values()).map(client.measured()::latency))
        .flatMap(Optional::stream)
        .mapToLong(Histogram::getMaxValue)
        .max()
        .orElse(0);
  }

  private long firstStart() {
    return Arrays.stream(clients).mapToLong(c -> c.measured().firstStart()).min().orElseThrow();
  }

  private long done(Function<Client, ThreadStats> stage) {
    long sum = 0;
    for (Client client : clients) {
      sum += stage.apply(client).ok();
    }
    return sum;
  }

  private PhaseStages.Look warmedUp(CompilerThreads compiler) {
    long hits = 0;
    long misses = 0;
    long written = 0;
    for (Client client : clients) {
      hits += client.warmup().answered(Operation.READ, true);
      misses += client.warmup().answered(Operation.READ, false);
      written += client.warmup().writtenBytes();
    }
    return new PhaseStages.Look(
        System.nanoTime(), done(Client::warmup), hits, misses, compiler.nanos(), written);
  }

  private void clients(int thread, StartBarrier start)
      throws WorkerException, InterruptedException, BrokenBarrierException, IOException {
    int connections = setup.phase().settings().connections();
    int first = thread * connections;
    // Each thread creates its own objects, so that no two threads share a cache line.
    try {
      clients[first] = new Client(setup, setup.firstClient() + first);
      for (int client = first + 1; client < first + connections; client++) {
        clients[client] = clients[first].another(setup.firstClient() + client);
      }
    } catch (RuntimeException | Error e) {
      failure.compareAndSet(null, e);
      setup.stop();
    }
    long origin = start.await();
    if (setup.stopped()) {
      return;
    }
    if (connections == 1) {
      clients[first].run(origin);
    } else {
      new Multiplexer(setup).run(Arrays.asList(clients), first, connections, origin);
    }
    long now = System.nanoTime() - origin;
    for (int client = first; client < first + connections && !setup.stopped(); client++) {
      clients[client].enterUnsent(now);
    }
  }

  private CountDownLatch inThreads(int number, Task task) {
    CountDownLatch ended = new CountDownLatch(number);
    for (int i = 0; i < number; i++) {
      int thread = i;
      Thread client = new Thread(() -> attempt(task, thread, ended), "client-" + thread);
      client.setDaemon(true);
      client.start();
    }
    return ended;
  }

  private void attempt(Task task, int thread, CountDownLatch ended) {
    try {
      task.run(thread);
    } catch (Exception | Error e) {
      failure.compareAndSet(null, e);
      setup.stop();
    } finally {
      ended.countDown();
    }
  }

  /** Waits for the clients, after a failure only for the longest last request. */
  private void finish(CountDownLatch ended) throws WorkerException, InterruptedException {
    while (ended.getCount() > 0 && failure.get() == null) {
      ended.await(100, TimeUnit.MILLISECONDS);
    }
    Throwable thrown = failure.get();
    if (thrown != null) {
      ended.await(GRACE_SECONDS, TimeUnit.SECONDS);
      throw WorkerException.of(setup.phase().name(), thrown);
    }
  }

  /** Returns the number of records after the phase; negative if unknown. */
  private long records() {
    if (setup.phase().kind() == WorkerPhase.Kind.TRACE) {
      return -1;
    }
    if (setup.phase().kind() == WorkerPhase.Kind.LOAD) {
      return setup.loaded();
    }
    return setup.plan().records() + mixes().mapToLong(MixRequests::surplus).sum();
  }

  private Stream<MixRequests> mixes() {
    return Arrays.stream(clients).map(Client::mix).flatMap(Optional::stream);
  }

  /**
   * Checks which records exist, see {@link WorkerMessage.Looked}. Inserts of other machines, and
   * deletes of traces and hosted workloads, are unknown.
   */
  public Facts look() {
    if (setup.share() < 1 || setup.ycsbHost().isPresent()) {
      return new Facts();
    }
    CallContext context = setup.context(0);
    if (context.dataset().stays()) {
      return setup.phase().kind() != WorkerPhase.Kind.MIX
              || context.binding() instanceof NoopBinding
          ? new Facts()
          : new PopulationCheck(context)
              .facts(setup.plan().records(), mixes().toList(), setup.phase().updates());
    }
    Expirations ends = context.values().expirations();
    if (ends.known() && ends.now() < 1_000L * context.dataset().values().ttl().seconds()) {
      return new Facts(); // what is missing by now is not past its time
    }
    long end = mixes().mapToLong(MixRequests::end).max().orElse(context.dataset().records());
    return new AliveSample(context).facts(end);
  }

  /**
   * Restores the population of the phase's start, unmeasured, so that every phase begins with the
   * same records.
   *
   * @throws WorkerException if the engine refuses
   */
  public void restore(Consumer<WorkerMessage> messages)
      throws WorkerException, InterruptedException {
    Restoration restoration = new Restoration(setup);
    CountDownLatch ended =
        inThreads(
            setup.threads(),
            thread -> {
              for (int client = thread; client < clients.length; client += setup.threads()) {
                if (clients[client].mix().isPresent()) {
                  restoration.restore(setup.firstClient() + client, clients[client].mix().get());
                }
              }
            });
    while (!ended.await(1, TimeUnit.SECONDS) && failure.get() == null) {
      messages.accept(new WorkerMessage.Progress(setup.phase().name(), 0, restoration.done(), 0));
    }
    finish(ended);
  }

  /**
   * Returns the time from {@link #began} to the last counted request's end. In an open loop it is
   * the planned time, or until the last answer if that is later.
   */
  private long elapsedNanos() {
    long last = Long.MIN_VALUE;
    for (Client client : clients) {
      last = Math.max(last, client.measured().lastEnd());
    }
    if (firstStart() == Long.MAX_VALUE) {
      return 0;
    }
    Pacing pacing = setup.phase().settings().pacing();
    if (setup.phase().kind() == WorkerPhase.Kind.TRACE && pacing.open()) {
      return last - setup.stages().measureNanos();
    }
    if (!pacing.open()) {
      return last - began();
    }
    Duration duration = setup.phase().settings().limits().duration();
    boolean known = setup.stages().timed() && !setup.phase().mix().drain();
    long counted = Arrays.stream(clients).mapToLong(Client::counted).sum();
    long planned =
        known ? duration.toNanos() : Math.round(counted / (pacing.rate() * setup.share()) * 1e9);
    return Math.max(planned, last - setup.stages().measureNanos());
  }

  private SortedMap<String, OperationCount> counts() {
    SortedMap<String, OperationCount> counts = new TreeMap<>();
    for (ClientGroup group : setup.phase().clientGroups()) {
      count(group, setup.of(group, Arrays.asList(clients)), counts);
    }
    return counts;
  }

  private static void count(
      ClientGroup group, List<Client> members, SortedMap<String, OperationCount> counts) {
    int kinds = Operation.values().length;
    long[] ok = new long[kinds];
    long[] notFound = new long[kinds];
    long[] failed = new long[kinds];
    SortedMap<Operation, SortedMap<String, Long>> errors = new TreeMap<>();
    for (Client client : members) {
      client.measured().addTo(ok, notFound, failed);
      for (Operation operation : Operation.values()) {
        SortedMap<String, Long> counted = errors.computeIfAbsent(operation, o -> new TreeMap<>());
        client.measured().errors(operation).forEach((name, n) -> counted.merge(name, n, Long::sum));
        client
            .warmup()
            .errors(operation)
            .forEach((name, n) -> counted.merge(name + IN_WARMUP, n, Long::sum));
      }
    }
    for (Operation operation : Operation.values()) {
      int kind = operation.index();
      boolean asked = group.mix().operations().contains(operation);
      SortedMap<String, Long> failures = errors.getOrDefault(operation, new TreeMap<>());
      if (asked || ok[kind] + notFound[kind] > 0 || !failures.isEmpty()) {
        counts.put(group.label(operation), new OperationCount(ok[kind], notFound[kind], failures));
      }
    }
  }

  private long incorrect() {
    return Arrays.stream(clients)
        .mapToLong(client -> client.warmup().incorrect() + client.measured().incorrect())
        .sum();
  }
}

package kvrank.worker.check;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import kvrank.binding.Pipelined;
import kvrank.binding.ValueBuffer;
import kvrank.fact.Facts;
import kvrank.failure.Cause;
import kvrank.worker.call.Call;
import kvrank.worker.call.CallContext;
import kvrank.worker.call.Calls;
import kvrank.worker.call.OperationResult;
import kvrank.worker.client.PhaseSetup;
import kvrank.worker.protocol.CrashFindings;
import kvrank.worker.protocol.PhaseResult;
import kvrank.worker.protocol.WorkerException;
import kvrank.worker.protocol.WorkerMessage;
import kvrank.worker.protocol.WorkerPhase;
import kvrank.worker.protocol.WorkerSpec;
import kvrank.workload.CrashWrites;
import kvrank.workload.key.KeyFormat;
import kvrank.workload.request.Operation;
import kvrank.workload.value.Value;
import site.ycsb.Status;

/** One half of a crash test: the writes before the kill, or the check after it. */
public final class CrashPhase {

  private final WorkerSpec spec;
  private final PhaseSetup setup;
  private final Consumer<WorkerMessage> messages;
  private final Optional<List<Long>> acknowledged;
  private final LongAdder done = new LongAdder();

  /**
   * @param acknowledged the writes of each thread to check; empty to read the ack counters
   * @param messages receives {@link WorkerMessage.Measuring} at the first acknowledged write
   */
  public CrashPhase(
      WorkerSpec spec,
      PhaseSetup setup,
      Optional<List<Long>> acknowledged,
      Consumer<WorkerMessage> messages) {
    this.spec = spec;
    this.setup = setup;
    this.acknowledged = acknowledged;
    this.messages = messages;
  }

  private interface Task<T> {
    T run(int thread) throws WorkerException, IOException;
  }

  /** Runs the phase, and sends why the writes ended or what the check found. */
  public PhaseResult run() throws WorkerException, IOException, InterruptedException {
    long start = System.nanoTime();
    messages.accept(
        setup.phase().kind() == WorkerPhase.Kind.CRASH_WRITES
            ? write()
            : new WorkerMessage.CrashChecked(check()));
    long elapsedNanos = System.nanoTime() - start;
    return new PhaseResult(setup.phase().name(), elapsedNanos, new TreeMap<>(), 0, new Facts());
  }

  private WorkerMessage.WritesEnded write()
      throws WorkerException, IOException, InterruptedException {
    AckCounters ackCounters =
        AckCounters.create(AckCounters.file(spec.output()), setup.phase().settings().threads());
    AtomicBoolean begun = new AtomicBoolean();
    List<ThreadWrites> written =
        inThreads(thread -> new ThreadWrites(ackCounters.of(thread), begun).by(thread));
    String reason =
        written.stream()
            .map(each -> each.failure)
            .filter(failure -> !failure.isEmpty())
            .findFirst()
            .orElse("all records are inserted and deleted");
    return new WorkerMessage.WritesEnded(reason, written.stream().map(each -> each.count).toList());
  }

  /** The acknowledged writes of one thread. */
  private final class ThreadWrites {

    private final AckCounters.Counter counter;
    private final AtomicBoolean begun;
    private long count;

    /** The reason that the last write was not acknowledged; empty if another thread's was first. */
    private String failure = "";

    private ThreadWrites(AckCounters.Counter counter, AtomicBoolean begun) {
      this.counter = counter;
      this.begun = begun;
    }

    /** Writes until a write fails. */
    private ThreadWrites by(int thread) throws WorkerException {
      CallContext context = setup.context(thread);
      int window = setup.phase().settings().pipeline();
      if (window == 1) {
        single(writes(thread), new Calls(context, batch()));
      } else {
        pipelined(writes(thread), context, window);
      }
      if (!failure.isEmpty()) {
        // Otherwise the writes of other threads would hide a failure before the kill.
        setup.stop();
      }
      return this;
    }

    private void single(CrashWrites writes, Calls calls) {
      while (failure.isEmpty() && !setup.stopped() && writes.next(batch())) {
        Call call = calls.of(writes.operation());
        call.prepare(writes);
        OperationResult result = new OperationResult();
        failure = failure(writes.operation(), result, () -> call.judge(call.apply(), result));
        acknowledged(writes.size());
      }
    }

    private void pipelined(CrashWrites writes, CallContext context, int window) {
      Pipelined engine = (Pipelined) context.binding();
      List<Operation> sent = new ArrayList<>();
      OperationResult result = new OperationResult();
      while (failure.isEmpty() && !setup.stopped()) {
        sent.clear();
        while (failure.isEmpty() && sent.size() < window && writes.next(1)) {
          Operation operation = writes.operation();
          result.set(Status.OK, 1);
          failure = failure(operation, result, () -> send(engine, context, writes));
          sent.add(operation);
        }
        if (sent.isEmpty()) {
          return;
        }
        for (Operation operation : sent) {
          if (failure.isEmpty()) {
            failure = failure(operation, result, () -> result.set(engine.receive(null), 1));
            acknowledged(1);
          }
        }
      }
    }

    private void acknowledged(int writes) {
      if (!failure.isEmpty()) {
        return;
      }
      count += writes;
      counter.acknowledged(count);
      done.add(writes);
      if (begun.compareAndSet(false, true)) {
        messages.accept(new WorkerMessage.Measuring(setup.phase().name(), System.nanoTime()));
      }
    }
  }

  private static void send(Pipelined engine, CallContext context, CrashWrites writes) {
    byte[] key = context.keys().newKey();
    context.keys().write(writes.id(0), key);
    Value value = context.values().value();
    switch (writes.operation()) {
      case INSERT -> {
        value.set(writes, 0);
        engine.sendInsert(key, value);
      }
      case UPDATE -> {
        value.set(writes, 0);
        engine.sendUpdate(key, value);
      }
      default -> engine.sendDelete(key);
    }
  }

  private int batch() {
    return setup.phase().settings().batch();
  }

  private interface Step {
    void run() throws Exception;
  }

  /** Returns the reason that {@code step} was not acknowledged, or "". */
  private String failure(Operation operation, OperationResult result, Step step) {
    try {
      step.run();
    } catch (Exception | LinkageError | AssertionError e) {
      setup.exceptions().add(operation.label(), e);
      return operation.label() + ": " + WorkerException.summary(e);
    }
    if (result.ok() == result.records()) {
      return "";
    }
    return operation.label()
        + ": "
        + (result.notFound() > 0 ? "an existing record was not found" : result.error());
  }

  private CrashFindings check() throws WorkerException, IOException, InterruptedException {
    Path file = AckCounters.file(spec.output());
    long[] counts = AckCounters.read(file, setup.phase().settings().threads());
    for (int thread = 0; acknowledged.isPresent() && thread < counts.length; thread++) {
      counts[thread] = acknowledged.get().get(thread);
    }
    return inThreads(thread -> check(thread, counts[thread])).stream()
        .reduce(CrashFindings.NONE, CrashFindings::plus);
  }

  private CrashFindings check(int thread, long count) throws WorkerException, IOException {
    long inFlight = (long) batch() * setup.phase().settings().pipeline();
    CrashVerifier judge = new CrashVerifier(after(thread, count), after(thread, count + inFlight));
    CrashWrites ids = writes(thread);
    CallContext context = setup.context(thread);
    Value value = context.values().value();
    byte[] key = context.keys().newKey();
    for (int index = 0; index < judge.records(); index++) {
      long id = ids.number(index);
      context.keys().write(id, key);
      judge.see(index, KeyFormat.text(key), seen(context, value, key, id, judge.newest(index)));
      done.increment();
    }
    Optional<long[]> lost = judge.lost(writes(thread), count, batch());
    if (lost.isEmpty()) {
      return judge.findings(count, Optional.empty());
    }
    long[] times = AckCounters.times(AckCounters.file(spec.output()), thread, lost.get());
    return judge.findings(count, Optional.of(new CrashFindings.Span(times[0], times[1])));
  }

  /** Returns which version up to {@code newest} exists. */
  private static long seen(CallContext context, Value value, byte[] key, long id, long newest)
      throws WorkerException {
    ValueBuffer read = context.newValueBuffer();
    String what = "read " + KeyFormat.text(key) + " after the kill: ";
    Status status;
    try {
      status = context.store().read(key, read);
    } catch (RuntimeException | LinkageError e) {
      throw WorkerException.ofEngine("", what + WorkerException.summary(e), e);
    }
    if (Status.NOT_FOUND.equals(status)) {
      return CrashWrites.ABSENT;
    }
    if (!Status.OK.equals(status) || !read.isPresent()) {
      throw WorkerException.ofEngine(
          "", what + (status == null ? "no status" : status.getName()), null);
    }
    for (long version = newest; version >= Value.FIRST_VERSION; version--) {
      value.set(id, version);
      if (value.equalTo(read.array(), 0, read.length())) {
        return version;
      }
    }
    return CrashVerifier.WRONG;
  }

  /** Returns the writes of {@code thread} after the first {@code count}. */
  private CrashWrites after(int thread, long count) throws WorkerException {
    CrashWrites writes = writes(thread);
    writes.skip(count, batch());
    return writes;
  }

  private CrashWrites writes(int thread) throws WorkerException {
    SortedMap<Operation, Integer> weights = setup.phase().mix().weights();
    int threads = setup.phase().settings().threads();
    try {
      return new CrashWrites(
          spec.seed(), weights, thread, threads, spec.dataset().keys().capacity());
    } catch (IllegalArgumentException e) {
      throw new WorkerException(Cause.INPUT, setup.phase().name(), e.getMessage(), e);
    }
  }

  /** Runs {@code task} in each thread and reports the number of records each second. */
  private <T> List<T> inThreads(Task<T> task) throws WorkerException, InterruptedException {
    ExecutorService pool = Executors.newFixedThreadPool(setup.phase().settings().threads());
    try {
      List<Future<T>> futures = new ArrayList<>();
      for (int i = 0; i < setup.phase().settings().threads(); i++) {
        int thread = i;
        futures.add(pool.submit(() -> task.run(thread)));
      }
      pool.shutdown();
      long before = 0;
      while (!pool.awaitTermination(1, TimeUnit.SECONDS)) {
        long now = done.sum();
        messages.accept(new WorkerMessage.Progress(setup.phase().name(), 0, now, now - before));
        before = now;
      }
      List<T> results = new ArrayList<>();
      for (Future<T> future : futures) {
        results.add(future.get());
      }
      return results;
    } catch (ExecutionException e) {
      throw WorkerException.of(setup.phase().name(), e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }
}

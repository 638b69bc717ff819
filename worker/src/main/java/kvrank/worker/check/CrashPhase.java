package kvrank.worker.check;

import java.io.IOException;
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
  private final LongAdder done = new LongAdder();

  /**
   * @param messages receives {@link WorkerMessage.Measuring} at the first acknowledged write
   */
  public CrashPhase(WorkerSpec spec, PhaseSetup setup, Consumer<WorkerMessage> messages) {
    this.spec = spec;
    this.setup = setup;
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
            ? new WorkerMessage.WritesEnded(write())
            : new WorkerMessage.CrashChecked(check()));
    long elapsedNanos = System.nanoTime() - start;
    return new PhaseResult(setup.phase().name(), elapsedNanos, new TreeMap<>(), 0, new Facts());
  }

  private String write() throws WorkerException, IOException, InterruptedException {
    AckCounters ackCounters =
        AckCounters.create(AckCounters.file(spec.output()), setup.phase().settings().threads());
    AtomicBoolean begun = new AtomicBoolean();
    return inThreads(thread -> write(thread, ackCounters.of(thread), begun)).stream()
        .filter(failure -> !failure.isEmpty())
        .findFirst()
        .orElse("all records are inserted and deleted");
  }

  /**
   * Writes until a write fails; returns the reason, or "" if another thread's write failed first.
   */
  private String write(int thread, AckCounters.Counter counter, AtomicBoolean begun)
      throws WorkerException {
    CrashWrites writes = writes(thread);
    Calls calls = new Calls(setup.context(thread), 1);
    for (long count = 1; !setup.stopped() && writes.next(1); count++) {
      String failure = failure(calls.of(writes.operation()), writes);
      if (!failure.isEmpty()) {
        // Otherwise the writes of other threads would hide a failure before the kill.
        setup.stop();
        return failure;
      }
      counter.acknowledged(count);
      done.increment();
      if (count == 1 && begun.compareAndSet(false, true)) {
        messages.accept(new WorkerMessage.Measuring(setup.phase().name(), System.nanoTime()));
      }
    }
    return "";
  }

  /** Returns the reason that the current write was not acknowledged, or "". */
  private String failure(Call call, CrashWrites writes) {
    call.prepare(writes);
    OperationResult result = new OperationResult();
    try {
      call.judge(call.apply(), result);
    } catch (Exception | LinkageError | AssertionError e) {
      setup.exceptions().add(writes.operation().label(), e);
      return writes.operation().label() + ": " + WorkerException.summary(e);
    }
    if (result.ok() == 1) {
      return "";
    }
    return writes.operation().label()
        + ": "
        + (result.notFound() == 1 ? "an existing record was not found" : result.error());
  }

  private CrashFindings check() throws WorkerException, IOException, InterruptedException {
    long[] acknowledged =
        AckCounters.read(AckCounters.file(spec.output()), setup.phase().settings().threads());
    return inThreads(thread -> check(thread, acknowledged[thread])).stream()
        .reduce(CrashFindings.NONE, CrashFindings::plus);
  }

  private CrashFindings check(int thread, long acknowledged) throws WorkerException, IOException {
    CrashVerifier judge =
        new CrashVerifier(after(thread, acknowledged), after(thread, acknowledged + 1));
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
    Optional<long[]> lost = judge.lost(writes(thread), acknowledged);
    if (lost.isEmpty()) {
      return judge.findings(acknowledged, Optional.empty());
    }
    long[] times = AckCounters.times(AckCounters.file(spec.output()), thread, lost.get());
    return judge.findings(acknowledged, Optional.of(new CrashFindings.Span(times[0], times[1])));
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
    for (long i = 0; i < count; i++) {
      writes.next(1);
    }
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

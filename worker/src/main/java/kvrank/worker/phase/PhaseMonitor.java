package kvrank.worker.phase;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import kvrank.worker.client.Client;
import kvrank.worker.client.LatencyCounts;
import kvrank.worker.client.PhaseSetup;
import kvrank.worker.client.PhaseStages;
import kvrank.worker.client.ThreadStats;
import kvrank.worker.protocol.WorkerMessage;
import kvrank.workload.ClientGroup;
import kvrank.workload.request.Operation;

/** Writes the timeline and reports progress of a phase each second. */
final class PhaseMonitor {

  private static final long SECOND_NANOS = 1_000_000_000;

  /** Interval to check for the end of the warm-up, which is announced well ahead. */
  private static final long LOOK_NANOS = 5_000_000;

  /** The progress of a counted phase stays below this until it ends. */
  private static final double NEARLY = 0.9999;

  private final PhaseSetup setup;
  private final List<Client> clients;
  private final PhaseLog log;
  private final Consumer<WorkerMessage> messages;
  private final PhaseStages stages;
  private final List<Counts> warmup = new ArrayList<>();
  private final List<Counts> measured = new ArrayList<>();
  private long reportedNanos;
  private long reportedRecords;

  PhaseMonitor(
      PhaseSetup setup, List<Client> clients, PhaseLog log, Consumer<WorkerMessage> messages) {
    this.setup = setup;
    this.clients = clients;
    this.log = log;
    this.messages = messages;
    this.stages = setup.stages();
    for (ClientGroup group : setup.phase().clientGroups()) {
      warmup.add(new Counts(group, true, Client::warmup));
      measured.add(new Counts(group, false, Client::measured));
    }
  }

  /**
   * Watches until {@code ended} is zero or the phase is stopped.
   *
   * @param origin the start, by {@link System#nanoTime}
   */
  void watch(long origin, CountDownLatch ended) throws InterruptedException {
    String phase = setup.phase().name();
    boolean measuring = false;
    long second = 0;
    while (true) {
      long next = (second + 1) * SECOND_NANOS;
      long warmupNanos = stages.measureNanos();
      long now = System.nanoTime() - origin;
      if (warmupNanos == Long.MAX_VALUE && now + LOOK_NANOS < next) {
        if (!ended.await(LOOK_NANOS, TimeUnit.NANOSECONDS) && !setup.stopped()) {
          continue;
        }
      } else if (!measuring && warmupNanos <= next) {
        boolean over = ended.await(origin + warmupNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        messages.accept(new WorkerMessage.Measuring(phase, origin + warmupNanos));
        measuring = true;
        if (warmupNanos > 0) {
          sample(second, origin, true);
        }
        if (over || warmupNanos == next) {
          second++;
        }
        continue;
      }
      boolean over = ended.await(origin + next - System.nanoTime(), TimeUnit.NANOSECONDS);
      sample(second, origin, !measuring);
      if (over || setup.stopped()) {
        return;
      }
      progress(System.nanoTime() - origin);
      second++;
    }
  }

  private void sample(long second, long origin, boolean warmingUp) {
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - origin);
    warmup.forEach(counts -> counts.write(second, millis, warmingUp));
    measured.forEach(counts -> counts.write(second, millis, !warmingUp));
    log.flush();
  }

  private void progress(long elapsed) {
    long counted = total(measured);
    long records = total(warmup) + counted + setup.walked();
    double target = setup.target();
    double done = target > 0 ? Math.min(NEARLY, counted / target) : stages.over(elapsed);
    if (setup.phase().operations().equals(Set.of(Operation.ITERATE)) && (target > 0 || done == 1)) {
      done = 0; // the last iteration may take long
    }
    double rate = (records - reportedRecords) * 1e9 / (elapsed - reportedNanos);
    reportedRecords = records;
    reportedNanos = elapsed;
    messages.accept(new WorkerMessage.Progress(setup.phase().name(), done, records, rate));
  }

  private static long total(List<Counts> groups) {
    return groups.stream().mapToLong(Counts::total).sum();
  }

  /** The counts of one stage of one group, and how many of them are written. */
  private final class Counts {

    private final ClientGroup group;
    private final boolean warmupStage;
    private final Function<Client, ThreadStats> stage;
    private long[] ok = new long[Operation.values().length];
    private long[] notFound = new long[Operation.values().length];
    private long[] errors = new long[Operation.values().length];
    private final Map<Operation, LatencyCounts> latencies = new EnumMap<>(Operation.class);
    private long total;

    private Counts(ClientGroup group, boolean warmupStage, Function<Client, ThreadStats> stage) {
      this.group = group;
      this.warmupStage = warmupStage;
      this.stage = stage;
    }

    private long total() {
      return total;
    }

    private List<Client> members() {
      return setup.of(group, clients);
    }

    /** Writes the new counts; those of the {@code current} stage even if there are none. */
    private void write(long second, long millis, boolean current) {
      long[] okNow = new long[ok.length];
      long[] notFoundNow = new long[ok.length];
      long[] errorsNow = new long[ok.length];
      members().forEach(client -> stage.apply(client).addTo(okNow, notFoundNow, errorsNow));
      for (Operation operation : Operation.values()) {
        int i = operation.index();
        long newOk = okNow[i] - ok[i];
        long newNotFound = notFoundNow[i] - notFound[i];
        long newErrors = errorsNow[i] - errors[i];
        boolean expected = current && group.mix().operations().contains(operation);
        if (expected || newOk + newNotFound + newErrors > 0) {
          log.interval(
              setup.phase().name(),
              second,
              millis,
              warmupStage,
              group.label(operation),
              newOk,
              newNotFound,
              newErrors,
              p99(operation));
        }
        // Iterations are counted by walked().
        boolean counts = group.mix().counts(operation) && operation != Operation.ITERATE;
        total += counts ? newOk + newNotFound + newErrors : 0;
      }
      ok = okNow;
      notFound = notFoundNow;
      errors = errorsNow;
    }

    /** Returns the 99th percentile since the last call in nanoseconds; 0 for too few requests. */
    private long p99(Operation operation) {
      LatencyCounts now = new LatencyCounts();
      members().forEach(client -> stage.apply(client).addTo(now, operation));
      LatencyCounts before = latencies.put(operation, now);
      return now.p99Since(before == null ? new LatencyCounts() : before);
    }
  }
}

package kvrank.worker.client;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.worker.call.OperationResult;
import kvrank.workload.request.Operation;
import org.HdrHistogram.Histogram;

/**
 * Counts and latencies of one thread in one stage of a phase. Other threads may read only the
 * counts until the thread has ended.
 */
public final class ThreadStats {

  public static final int SIGNIFICANT_DIGITS = 3;

  private static final VarHandle COUNTS = MethodHandles.arrayElementVarHandle(long[].class);

  /** Two cache lines on either side, so that no two threads write to one line. */
  private static final int PADDING = 16;

  private static final int KINDS = 3;
  private static final int OPERATIONS = Operation.values().length;
  private static final int WRITTEN = OPERATIONS * KINDS;
  private static final int READ = WRITTEN + 1;

  private final long[] counts = new long[PADDING + READ + 1 + PADDING];
  private final Histogram[] latency = new Histogram[OPERATIONS];
  private final Histogram[] service = new Histogram[OPERATIONS];
  private final LatencyCounts[] recent = new LatencyCounts[OPERATIONS];
  private final Histogram startDelay = new Histogram(SIGNIFICANT_DIGITS);
  private final Map<Operation, SortedMap<String, Long>> errors = new EnumMap<>(Operation.class);
  private long records;
  private long firstStart = Long.MAX_VALUE;
  private long lastEnd = Long.MIN_VALUE;
  private long stale;
  private long repeated;
  private long incorrect;
  private String finding = "";

  /**
   * @param expected operations that will probably be recorded
   * @param open whether the loop is open
   */
  ThreadStats(Set<Operation> expected, boolean open) {
    for (Operation operation : expected) {
      histogram(latency, operation);
      recent[operation.index()] = new LatencyCounts();
      if (open) {
        histogram(service, operation);
      }
    }
  }

  /** Counts {@code result} of a request with these times. */
  void record(Operation operation, OperationResult result, long start, long end) {
    int kind = operation.index();
    add(kind * KINDS, result.ok());
    if (result.notFound() > 0) {
      add(kind * KINDS + 1, result.notFound());
    }
    if (result.errors() > 0) {
      add(kind * KINDS + 2, result.errors());
      errors
          .computeIfAbsent(operation, o -> new TreeMap<>())
          .merge(result.error(), result.errors(), Long::sum);
    }
    bytes(result);
    stale += result.staleReads();
    if (result.incorrect() > 0) {
      incorrect += result.incorrect();
      finding = result.finding();
    }
    if (records == 0) {
      firstStart = start;
    }
    records += result.records();
    lastEnd = end;
  }

  /** Counts the bytes of {@code result}. */
  void bytes(OperationResult result) {
    if (result.writtenBytes() > 0) {
      add(WRITTEN, result.writtenBytes());
    }
    if (result.readBytes() > 0) {
      add(READ, result.readBytes());
    }
  }

  /** Counts records whose request failed at least once. */
  void repeated(long number) {
    repeated += number;
  }

  private void add(int index, long amount) {
    int cell = PADDING + index;
    COUNTS.setOpaque(counts, cell, counts[cell] + amount);
  }

  /** Records a latency in nanoseconds. */
  public void latency(Operation operation, long nanos) {
    record(operation, nanos);
  }

  private void record(Operation operation, long nanos) {
    histogram(latency, operation).recordValue(nanos);
    LatencyCounts counts = recent[operation.index()];
    if (counts != null) {
      counts.add(nanos);
    }
  }

  /**
   * Records a request of an open loop, in nanoseconds.
   *
   * @param nanos from when it should have started to its end
   * @param delay from when it should have started to its start
   */
  public void latency(Operation operation, long nanos, long delay) {
    record(operation, nanos);
    histogram(service, operation).recordValue(nanos - delay);
    startDelay.recordValue(delay);
  }

  /** Records the waiting time of a request that was never sent, in nanoseconds. */
  void unsent(Operation operation, long waited) {
    histogram(latency, operation).recordValue(waited);
    startDelay.recordValue(waited);
  }

  private static Histogram histogram(Histogram[] histograms, Operation operation) {
    Histogram histogram = histograms[operation.index()];
    if (histogram == null) {
      histogram = new Histogram(SIGNIFICANT_DIGITS);
      histograms[operation.index()] = histogram;
    }
    return histogram;
  }

  /** Adds the counts to {@code ok}, {@code notFound} and {@code errors}, by operation. */
  public void addTo(long[] ok, long[] notFound, long[] failed) {
    for (int kind = 0; kind < OPERATIONS; kind++) {
      ok[kind] += (long) COUNTS.getOpaque(counts, PADDING + kind * KINDS);
      notFound[kind] += (long) COUNTS.getOpaque(counts, PADDING + kind * KINDS + 1);
      failed[kind] += (long) COUNTS.getOpaque(counts, PADDING + kind * KINDS + 2);
    }
  }

  /**
   * Adds the latencies of an expected operation so far to {@code sum}; any thread may call this.
   */
  public void addTo(LatencyCounts sum, Operation operation) {
    LatencyCounts counts = recent[operation.index()];
    if (counts != null) {
      sum.addAll(counts);
    }
  }

  /** Returns the number of OK records that other threads can see; a transaction is not a record. */
  public long ok() {
    long sum = -answered(Operation.TRANSACTION, true);
    for (int kind = 0; kind < OPERATIONS; kind++) {
      sum += (long) COUNTS.getOpaque(counts, PADDING + kind * KINDS);
    }
    return sum;
  }

  /** Returns the number of records of {@code operation} so far that were OK, or not found. */
  public long answered(Operation operation, boolean found) {
    int cell = PADDING + operation.index() * KINDS + (found ? 0 : 1);
    return (long) COUNTS.getOpaque(counts, cell);
  }

  /** Returns the bytes of keys and values written so far, and of keys deleted. */
  public long writtenBytes() {
    return (long) COUNTS.getOpaque(counts, PADDING + WRITTEN);
  }

  /** Returns the bytes of keys and values of the records found so far. */
  public long readBytes() {
    return (long) COUNTS.getOpaque(counts, PADDING + READ);
  }

  public Optional<Histogram> latency(Operation operation) {
    return Optional.ofNullable(latency[operation.index()]);
  }

  public Optional<Histogram> service(Operation operation) {
    return Optional.ofNullable(service[operation.index()]);
  }

  public Histogram startDelay() {
    return startDelay;
  }

  public SortedMap<String, Long> errors(Operation operation) {
    return errors.getOrDefault(operation, new TreeMap<>());
  }

  /** Returns the number of records so far, with any outcome. */
  public long records() {
    return records;
  }

  public long firstStart() {
    return firstStart;
  }

  public long lastEnd() {
    return lastEnd;
  }

  /** Returns the number of records whose request failed at least once and was repeated. */
  public long repeated() {
    return repeated;
  }

  /** Returns the number of stale reads. */
  public long stale() {
    return stale;
  }

  public long incorrect() {
    return incorrect;
  }

  public String finding() {
    return finding;
  }
}

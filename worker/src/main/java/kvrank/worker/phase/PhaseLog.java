package kvrank.worker.phase;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import kvrank.failure.Cause;
import kvrank.worker.client.Client;
import kvrank.worker.client.PhaseSetup;
import kvrank.worker.client.ThreadStats;
import kvrank.worker.protocol.ReportedFile;
import kvrank.worker.protocol.WorkerException;
import kvrank.worker.protocol.WorkerMessage;
import kvrank.workload.ClientGroup;
import kvrank.workload.request.Operation;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * The worker's files: {@code latency.hlog}, one HdrHistogram log entry per phase and operation, and
 * {@code timeline.csv}, the counts of each second. {@code counters.csv} has an engine's own
 * figures, if it has some.
 *
 * <p>Tags are {@code PHASE/OPERATION} (latency from when the request was due in an open loop, else
 * from its start), {@code PHASE/OPERATION/service} (from its start, in an open loop), {@code
 * PHASE/start-delay}, {@code PHASE/warmup/OPERATION}, {@code PHASE/compensation/OPERATION} and
 * {@code PHASE/hiccup}. Failed requests are left out. A pipelined request lasts from its own
 * sending to its own answer. OPERATION begins with the group of threads if there are any: {@code
 * mixed/writers:update}.
 */
public final class PhaseLog implements Closeable {

  private static final double NANOSECONDS = 1.0;
  private static final long LEAST_JOINED_NANOS = 100_000_000;
  private static final String LATENCY = "latency.hlog";
  private static final String TIMELINE = "timeline.csv";
  private static final String COUNTERS = "counters.csv";
  private static final PrintStream NOWHERE = text(OutputStream.nullOutputStream());

  private final Path folder;
  private final PrintStream latencyFile;
  private final HistogramLogWriter latency;
  private final PrintStream timeline;

  /** Made for the first figures. */
  private Optional<PrintStream> counters = Optional.empty();

  private final long baseNanos = System.nanoTime();
  private long windowNanos;

  /** Creates both files in {@code folder}. */
  public PhaseLog(Path folder) throws IOException {
    this(
        Files.createDirectories(folder),
        Files.newOutputStream(folder.resolve(LATENCY)),
        Files.newOutputStream(folder.resolve(TIMELINE)));
  }

  /** Sends both files to the controller, from a machine that does not have the folder. */
  public PhaseLog(Path folder, Consumer<WorkerMessage> messages) {
    this(folder, new ReportedFile(LATENCY, messages), new ReportedFile(TIMELINE, messages));
    counters = Optional.of(NOWHERE);
  }

  private PhaseLog(Path folder, OutputStream latencies, OutputStream counts) {
    this.folder = folder;
    latencyFile = text(latencies);
    timeline = text(counts);
    latency = new HistogramLogWriter(latencyFile);
    latency.outputComment("[kvrank: values are nanoseconds]");
    latency.outputLogFormatVersion();
    long baseMillis = System.currentTimeMillis();
    latency.outputStartTime(baseMillis);
    latency.outputBaseTime(baseMillis);
    latency.outputLegend();
    timeline.println("phase,second,elapsed_ms,warmup,operation,ok,not_found,errors,p99_nanos");
    flush();
  }

  static void loadClasses() {
    Histogram some = new Histogram(ThreadStats.SIGNIFICANT_DIGITS);
    some.recordValue(1);
    new HistogramLogWriter(OutputStream.nullOutputStream())
        .outputIntervalHistogram(0, 1, some, NANOSECONDS);
  }

  void interval(
      String phase,
      long second,
      long elapsedMillis,
      boolean warmup,
      String operation,
      long ok,
      long notFound,
      long errors,
      long p99Nanos) {
    timeline.println(
        String.join(
            ",",
            phase,
            Long.toString(second),
            Long.toString(elapsedMillis),
            Boolean.toString(warmup),
            operation,
            Long.toString(ok),
            Long.toString(notFound),
            Long.toString(errors),
            p99Nanos == 0 ? "" : Long.toString(p99Nanos)));
  }

  /** A part of a phase, in nanoseconds after the phase's start. */
  record Span(long startNanos, long endNanos) {}

  /**
   * Writes the histograms of {@code clients}, which have ended, and of hiccups, each with its own
   * interval, so that count over interval is a rate.
   *
   * @param origin the start of the phase, by {@link System#nanoTime}
   * @param measured from the first request that counts to the end of the last one
   * @param watched when hiccups were recorded
   */
  void latencies(
      PhaseSetup setup,
      long origin,
      Span measured,
      List<Client> clients,
      Histogram hiccups,
      Span watched)
      throws WorkerException {
    String phase = setup.phase().name();
    for (ClientGroup group : setup.phase().clientGroups()) {
      Intervals intervals = new Intervals(origin, setup.of(group, clients));
      Span warmup = intervals.warmup();
      for (Operation operation : Operation.values()) {
        String tag = phase + "/warmup/" + group.label(operation);
        intervals.write(tag, warmup, c -> c.warmup().latency(operation));
      }
    }
    for (ClientGroup group : setup.phase().clientGroups()) {
      Intervals intervals = new Intervals(origin, setup.of(group, clients));
      for (Operation operation : Operation.values()) {
        String tag = phase + "/" + group.label(operation);
        intervals.write(tag, measured, c -> c.measured().latency(operation));
        intervals.write(tag + "/service", measured, c -> c.measured().service(operation));
      }
    }
    Intervals intervals = new Intervals(origin, clients);
    for (Operation operation : Operation.values()) {
      String compensationTag = phase + "/compensation/" + operation.label();
      intervals.write(compensationTag, measured, c -> c.compensation().latency(operation));
    }
    String delayTag = phase + "/start-delay";
    intervals.write(delayTag, measured, c -> Optional.of(c.measured().startDelay()));
    intervals.write(phase + "/hiccup", watched, hiccups);
    if (latencyFile.checkError() || timeline.checkError()) {
      long free = folder.toFile().getUsableSpace() >> 20;
      throw new WorkerException(
          Files.exists(folder) ? Cause.MACHINE : Cause.OUTSIDER,
          phase,
          "%s: its latency and timeline cannot be written; %d MiB are free there"
              .formatted(folder, free));
    }
  }

  /** The histograms of a phase that started at {@code origin}, by {@link System#nanoTime}. */
  private final class Intervals {

    private final long origin;
    private final Collection<Client> clients;

    private Intervals(long origin, Collection<Client> clients) {
      this.origin = origin;
      this.clients = clients;
    }

    private Span warmup() {
      return new Span(
          clients.stream().mapToLong(c -> c.warmup().firstStart()).min().orElse(0),
          clients.stream().mapToLong(c -> c.warmup().lastEnd()).max().orElse(0));
    }

    private void write(String tag, Span span, Function<Client, Optional<Histogram>> part) {
      Histogram sum = new Histogram(ThreadStats.SIGNIFICANT_DIGITS);
      for (Client client : clients) {
        part.apply(client).ifPresent(sum::add);
      }
      write(tag, span, sum);
    }

    private void write(String tag, Span span, Histogram sum) {
      if (sum.getTotalCount() > 0) {
        sum.setTag(tag);
        latency.outputIntervalHistogram(
            seconds(span.startNanos()), seconds(span.endNanos()), sum, NANOSECONDS);
      }
    }

    /** Returns the seconds after the start of the file: the wall clock may be set meanwhile. */
    private double seconds(long nanos) {
      return (origin + nanos - baseNanos) / 1e9;
    }
  }

  /** Returns whether the engine's figures are kept; not on a machine that only applies load. */
  synchronized boolean keepsCounters() {
    return counters.isEmpty() || counters.get() != NOWHERE;
  }

  /**
   * Adds the end of a window of a warm-up, as a total whose growth is the throughput in the window.
   * Windows are joined to at least 100 ms, as there may be thousands.
   *
   * @param nanos after the start of the phase
   * @param records that are OK so far
   */
  void window(String phase, long nanos, long records) {
    if (keepsCounters() && (nanos == 0 || nanos - windowNanos >= LEAST_JOINED_NANOS)) {
      windowNanos = nanos;
      counters("%s,%d,throughput-by-window,true,%d\n".formatted(phase, nanos / 1_000_000, records));
    }
  }

  /** Adds lines to the engine's figures. */
  synchronized void counters(String lines) {
    try {
      if (counters.isEmpty()) {
        counters = Optional.of(text(Files.newOutputStream(folder.resolve(COUNTERS))));
        counters.get().println("phase,elapsed_ms,counter,total,value");
      }
    } catch (IOException e) {
      counters = Optional.of(NOWHERE); // the other files report a folder that cannot be written
    }
    counters.get().append(lines).flush();
  }

  private static PrintStream text(OutputStream out) {
    return new PrintStream(out, false, StandardCharsets.UTF_8);
  }

  void flush() {
    latencyFile.flush();
    timeline.flush();
  }

  @Override
  public synchronized void close() {
    latency.close();
    timeline.close();
    counters.ifPresent(PrintStream::close);
    counters = Optional.of(NOWHERE);
  }
}

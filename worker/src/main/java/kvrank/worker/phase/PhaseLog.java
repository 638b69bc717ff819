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
    latency.outputBaseTime(baseMillis);
    latency.setBaseTime(baseMillis);
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

  /**
   * Writes the histograms of {@code clients}, which have ended, and of hiccups.
   *
   * @param startNanos the start of the phase, by {@link System#nanoTime}
   */
  void latencies(PhaseSetup setup, long startNanos, List<Client> clients, Histogram hiccups)
      throws WorkerException {
    // The wall clock may be set meanwhile.
    Span span = new Span(seconds(startNanos), seconds(System.nanoTime()));
    String phase = setup.phase().name();
    for (ClientGroup group : setup.phase().clientGroups()) {
      List<Client> members = setup.of(group, clients);
      for (Operation operation : Operation.values()) {
        String label = group.label(operation);
        String tag = phase + "/" + label;
        write(tag, span, members, c -> c.measured().latency(operation));
        write(tag + "/service", span, members, c -> c.measured().service(operation));
        write(phase + "/warmup/" + label, span, members, c -> c.warmup().latency(operation));
      }
    }
    for (Operation operation : Operation.values()) {
      String compensationTag = phase + "/compensation/" + operation.label();
      write(compensationTag, span, clients, c -> c.compensation().latency(operation));
    }
    String delayTag = phase + "/start-delay";
    write(delayTag, span, clients, c -> Optional.of(c.measured().startDelay()));
    write(phase + "/hiccup", span, hiccups);
    if (latencyFile.checkError() || timeline.checkError()) {
      long free = folder.toFile().getUsableSpace() >> 20;
      throw new WorkerException(
          Files.exists(folder) ? Cause.MACHINE : Cause.OUTSIDER,
          phase,
          "%s: its latency and timeline cannot be written; %d MiB are free there"
              .formatted(folder, free));
    }
  }

  private double seconds(long nanos) {
    return (nanos - baseNanos) / 1e9;
  }

  /** Seconds after the start of the file. */
  private record Span(double startSeconds, double endSeconds) {}

  private void write(
      String tag,
      Span span,
      Collection<Client> clients,
      Function<Client, Optional<Histogram>> part) {
    Histogram sum = new Histogram(ThreadStats.SIGNIFICANT_DIGITS);
    for (Client client : clients) {
      part.apply(client).ifPresent(sum::add);
    }
    write(tag, span, sum);
  }

  private void write(String tag, Span span, Histogram sum) {
    if (sum.getTotalCount() > 0) {
      sum.setTag(tag);
      latency.outputIntervalHistogram(span.startSeconds(), span.endSeconds(), sum, NANOSECONDS);
    }
  }

  /** Returns whether the engine's figures are kept; not on a machine that only applies load. */
  synchronized boolean keepsCounters() {
    return counters.isEmpty() || counters.get() != NOWHERE;
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

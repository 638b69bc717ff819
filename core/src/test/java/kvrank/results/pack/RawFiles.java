package kvrank.results.pack;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import kvrank.fact.Fact;
import kvrank.metric.Usage;
import kvrank.results.Durability;
import kvrank.results.OperationRecord;
import kvrank.results.PhaseRecord;
import kvrank.results.ResourceSeries;
import kvrank.results.ResourceSeries.Column;
import kvrank.results.Resources;
import kvrank.results.RunDirectory;
import kvrank.results.RunRecord;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/** Writes the raw files that a run with a given record leaves. */
final class RawFiles {

  /** Of the server when it was empty. */
  static final long EMPTY = 4L << 20;

  /** Of the data folder: its largest size in any phase, and after the engine was closed. */
  static final long PEAK = 90L << 20;

  static final long CLOSED = 10L << 20;

  /** Written after each phase, until the engine was idle. */
  static final long SETTLED = 3L << 20;

  private final RunRecord run;
  private final StringBuilder timeline =
      new StringBuilder("phase,second,elapsed_ms,warmup,operation,ok,not_found,errors,p99_nanos\n");
  private final StringBuilder resources = new StringBuilder(ResourceSeries.HEADING);
  private final StringBuilder figures = new StringBuilder();

  /** Counters of each process so far. */
  private final Map<String, Map<Column, Double>> counters = new TreeMap<>();

  private RawFiles(RunRecord run) {
    this.run = run;
  }

  /** Writes the files; {@code latencies} has the histograms by {@code stretch/operation}. */
  static void write(RunDirectory folder, RunRecord run, Map<String, Histogram> latencies)
      throws IOException {
    Files.createDirectories(folder.path());
    RawFiles files = new RawFiles(run);
    try (PrintStream out =
        new PrintStream(Files.newOutputStream(folder.latencyLog()), true, StandardCharsets.UTF_8)) {
      files.write(new HistogramLogWriter(out), latencies);
    }
    Files.writeString(folder.timeline(), files.timeline);
    Files.writeString(folder.resources(), files.resources);
    if (!files.figures.isEmpty()) {
      Files.writeString(
          folder.counters(), "phase,elapsed_ms,counter,total,value\n" + files.figures);
    }
  }

  private void write(HistogramLogWriter log, Map<String, Histogram> latencies) {
    log.outputLogFormatVersion();
    log.outputStartTime(run.started().toEpochMilli());
    log.outputBaseTime(run.started().toEpochMilli());
    log.outputLegend();
    if (run.facts().has(Fact.MEMORY_EMPTY_BYTES)) {
      sample("", 5, ResourceSeries.SERVER, false, memory(EMPTY, EMPTY / 2, 0));
    }
    double at = 1;
    for (PhaseRecord phase : run.phases()) {
      double warmup = phase.facts().number(Fact.WARMUP_NANOS) / 1e9;
      double begin = at + (Double.isNaN(warmup) ? 0 : warmup);
      double end = begin + phase.elapsedNanos() / 1e9;
      latencies.forEach(
          (tag, histogram) -> {
            if (tag.startsWith(phase.name() + "/")) {
              histogram.setTag(tag);
              log.outputIntervalHistogram(begin, end, histogram, 1.0);
            }
          });
      counts(phase, Math.round((begin - at) * 1e3), Math.round((end - at) * 1e3) + 1);
      figures(phase, Math.round((begin - at) * 1e3), Math.round((end - at) * 1e3));
      used(phase, Math.round(at * 1e3), Math.round(begin * 1e3), Math.round(end * 1e3) + 10);
      at = end + 2;
    }
    sizes("", Math.round(at * 1e3), CLOSED);
  }

  private void counts(PhaseRecord phase, long warmup, long end) {
    for (Map.Entry<String, OperationRecord> each : phase.operations().entrySet()) {
      OperationRecord record = each.getValue();
      long inWarmup = record.errors().getOrDefault("ERROR in the warm-up", 0L);
      if (warmup > 0) {
        timeline.append(
            "%s,0,%d,true,%s,100,0,%d,\n".formatted(phase.name(), warmup, each.getKey(), inWarmup));
      }
      timeline.append(
          "%s,1,%d,false,%s,%d,%d,%d,\n"
              .formatted(
                  phase.name(),
                  end,
                  each.getKey(),
                  record.ok(),
                  record.notFound(),
                  record.errorTotal() - inWarmup));
    }
  }

  /** Adds what an engine counts at the edges of the measured time. */
  private void figures(PhaseRecord phase, long begin, long end) {
    Map<String, Fact> names =
        Map.of(
            "storage-read-bytes", Fact.COUNTED_READ_BYTES,
            "storage-written-bytes", Fact.COUNTED_WRITTEN_BYTES);
    names.forEach(
        (name, fact) -> {
          if (phase.facts().has(fact)) {
            double before = 1000 + run.phases().indexOf(phase) * phase.facts().number(fact);
            double after = before + phase.facts().number(fact);
            figures.append("%s,%d,%s,true,%s\n".formatted(phase.name(), begin, name, before));
            figures.append("%s,%d,%s,true,%s\n".formatted(phase.name(), end, name, after));
          }
        });
  }

  private void used(PhaseRecord phase, long at, long begin, long end) {
    if (phase.resources().isEmpty()) {
      return;
    }
    Resources used = phase.resources().get();
    used.server().ifPresent(it -> process(phase, ResourceSeries.SERVER, it, at, begin, end));
    used.client().ifPresent(it -> process(phase, ResourceSeries.CLIENT, it, at, begin, end));
    used.device()
        .ifPresent(
            traffic -> {
              Map<Column, Double> growth = new EnumMap<>(Column.class);
              growth.put(Column.READ_BYTES, (double) traffic.readBytes());
              growth.put(Column.WRITTEN_BYTES, (double) traffic.writtenBytes());
              growth.put(
                  Column.FLUSHES,
                  phase.durability().map(Durability::flushes).orElse(OptionalLong.empty()).orElse(0)
                      * 1.0);
              sample(phase.name(), at, ResourceSeries.DEVICE, true, Map.of());
              sample(phase.name(), begin, ResourceSeries.DEVICE, false, Map.of());
              add(ResourceSeries.DEVICE, growth);
              sample(phase.name(), end, ResourceSeries.DEVICE, false, Map.of());
            });
    used.footprintBytes()
        .ifPresent(
            bytes -> {
              sizes(phase.name(), begin, PEAK);
              sizes(phase.name(), end + 1, bytes);
            });
  }

  private void process(
      PhaseRecord phase, String process, Usage usage, long at, long begin, long end) {
    long resident = usage.residentMeanBytes();
    long anonymous = usage.anonymousMeanBytes().orElse(0);
    long children = usage.childrenPeakBytes();
    sample(phase.name(), at, process, true, memory(resident, anonymous, children));
    // The mean of the examples is in the middle of the peak and the end.
    sample(
        phase.name(),
        begin,
        process,
        false,
        memory(usage.residentPeakBytes(), usage.anonymousPeakBytes().orElse(0), children));
    Map<Column, Double> growth = new EnumMap<>(Column.class);
    growth.put(Column.USER_SECONDS, usage.userSeconds());
    growth.put(Column.SYSTEM_SECONDS, usage.systemSeconds());
    growth.put(Column.READ_BYTES, usage.readBytes().orElse(0) * 1.0);
    growth.put(Column.WRITTEN_BYTES, usage.writtenBytes().orElse(0) * 1.0);
    growth.put(Column.CANCELLED_BYTES, usage.cancelledBytes().orElse(0) * 1.0);
    growth.put(Column.MAJOR_FAULTS, usage.majorFaults().orElse(0) * 1.0);
    add(process, growth);
    sample(
        phase.name(),
        end,
        process,
        false,
        memory(usage.residentEndBytes(), usage.anonymousEndBytes().orElse(0), 0));
    add(process, Map.of(Column.READ_BYTES, SETTLED / 2.0, Column.WRITTEN_BYTES, (double) SETTLED));
    sample("", end + 1000, process, false, memory(resident, anonymous, children));
  }

  private static Map<Column, Double> memory(long resident, long anonymous, long children) {
    Map<Column, Double> memory = new EnumMap<>(Column.class);
    memory.put(Column.RESIDENT_BYTES, (double) resident);
    memory.put(Column.ANONYMOUS_BYTES, (double) anonymous);
    memory.put(Column.CHILDREN_BYTES, (double) children);
    return memory;
  }

  private void add(String process, Map<Column, Double> growth) {
    Map<Column, Double> sums =
        counters.computeIfAbsent(process, any -> new EnumMap<>(Column.class));
    growth.forEach((column, value) -> sums.merge(column, value, Double::sum));
  }

  private void sizes(String phase, long millis, long bytes) {
    sample(
        phase, millis, ResourceSeries.DATA, false, Map.of(Column.FOOTPRINT_BYTES, (double) bytes));
  }

  private void sample(
      String phase, long millis, String process, boolean warmup, Map<Column, Double> memory) {
    Map<Column, String> figures = new EnumMap<>(Column.class);
    if (!process.equals(ResourceSeries.DATA)) {
      add(
          process,
          process.equals(ResourceSeries.DEVICE)
              ? Map.of(Column.READ_BYTES, 0.0, Column.WRITTEN_BYTES, 0.0, Column.FLUSHES, 0.0)
              : Map.of(
                  Column.USER_SECONDS, 0.0,
                  Column.SYSTEM_SECONDS, 0.0,
                  Column.READ_BYTES, 0.0,
                  Column.WRITTEN_BYTES, 0.0,
                  Column.CANCELLED_BYTES, 0.0,
                  Column.MAJOR_FAULTS, 0.0));
      counters.get(process).forEach((column, value) -> figures.put(column, text(column, value)));
    }
    memory.forEach((column, value) -> figures.put(column, text(column, value)));
    resources.append(ResourceSeries.line(phase, millis, process, warmup, figures));
  }

  private static String text(Column column, double value) {
    return column.name().endsWith("SECONDS")
        ? "%.2f".formatted(value)
        : Long.toString(Math.round(value));
  }
}

package kvrank.report.html;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.metric.Unit;
import kvrank.report.Quantities;
import kvrank.report.chart.Markup;
import kvrank.results.PhaseRecord;
import kvrank.results.Resources;
import kvrank.results.RunRecord;
import kvrank.results.Usage;
import kvrank.stats.Group;
import kvrank.stats.Sample;
import kvrank.stats.Standing;

/** What a phase used: medians over the repetitions. */
final class ResourceTables {

  private record Used(RunRecord run, PhaseRecord phase) {

    Optional<Usage> engine() {
      return phase
          .resources()
          .flatMap(used -> Sample.embedded(run) ? used.client() : used.server());
    }

    Optional<Usage> client() {
      return phase
          .resources()
          .flatMap(used -> Sample.embedded(run) ? Optional.empty() : used.client());
    }

    double records() {
      return phase.operations().values().stream().mapToDouble(record -> (double) record.ok()).sum();
    }

    double fact(String name) {
      String text = phase.facts().get(name);
      return text == null ? Double.NaN : Double.parseDouble(text);
    }

    /** A fact of the JVM that holds the engine. */
    double ofEmbedded(String name) {
      return Sample.embedded(run) ? fact(name) : Double.NaN;
    }

    /** What the JVM has beyond the heap that it took from the system, touched or not. */
    double offHeap() {
      return engine()
          .map(usage -> usage.residentEndBytes() - ofEmbedded("client.heapCommittedBytes"))
          .map(bytes -> Math.max(0, bytes))
          .orElse(Double.NaN);
    }

    double deviceWritten() {
      return phase
          .resources()
          .flatMap(Resources::device)
          .map(traffic -> (double) traffic.writtenBytes())
          .orElse(Double.NaN);
    }

    double children() {
      return engine()
          .map(usage -> (double) usage.childrenPeakBytes())
          .filter(bytes -> bytes > 0)
          .orElse(Double.NaN);
    }

    double seconds() {
      return phase.elapsedNanos() / 1e9;
    }
  }

  private final Findings findings;

  ResourceTables(Findings findings) {
    this.findings = findings;
  }

  /** Writes the table of a phase, if anything is known. */
  void write(Markup html, Group whole) {
    List<String> engines =
        findings.throughput(whole).standings().stream().map(Standing::engine).toList();
    if (engines.stream().noneMatch(engine -> known(whole, engine))) {
      return;
    }
    Grid<String> grid =
        new Grid<>(
            "used-" + GroupTables.id(whole), "Resources of " + whole.phase() + Findings.at(whole));
    grid.text("engine", engine -> findings.marked().apply(engine, whole.factors()));
    add(grid, "CPU per record", whole, Unit.SECONDS, used -> per(used, Used::engine));
    add(grid, "cores busy", whole, Unit.COUNT, used -> cores(used, Used::engine));
    add(grid, "memory, mean", whole, Unit.BYTES, used -> bytes(used, Usage::residentMeanBytes));
    add(grid, "memory, peak", whole, Unit.BYTES, used -> bytes(used, Usage::residentPeakBytes));
    add(grid, "memory, end", whole, Unit.BYTES, used -> bytes(used, Usage::residentEndBytes));
    metric(grid, Metrics.FOOTPRINT, whole);
    metric(grid, Metrics.named("memory-per-record"), whole);
    metric(grid, Metrics.named("space-amplification"), whole);
    metric(grid, Metrics.named("write-amplification"), whole);
    add(grid, "read", whole, Unit.BYTES, used -> optional(used, Usage::readBytes));
    add(grid, "written", whole, Unit.BYTES, used -> optional(used, Usage::writtenBytes));
    add(
        grid,
        "written, never stored",
        whole,
        Unit.BYTES,
        used -> optional(used, Usage::cancelledBytes));
    add(grid, "device written, by all", whole, Unit.BYTES, Used::deviceWritten);
    add(grid, "children, peak", whole, Unit.BYTES, Used::children);
    add(grid, "heap in use", whole, Unit.BYTES, used -> used.ofEmbedded("client.heapBytes"));
    add(grid, "off heap, at least", whole, Unit.BYTES, Used::offHeap);
    add(
        grid,
        "harness in memory",
        whole,
        Unit.BYTES,
        used -> used.ofEmbedded("harness.residentBytes"));
    add(grid, "used by others", whole, Unit.COUNT, used -> used.fact("others.cpuShare"));
    add(grid, "harness, CPU per record", whole, Unit.SECONDS, used -> per(used, Used::client));
    add(grid, "harness, cores busy", whole, Unit.COUNT, used -> cores(used, Used::client));
    grid.write(html, engines, engine -> "");
  }

  private boolean known(Group whole, String engine) {
    return used(whole, engine).stream().anyMatch(used -> used.phase().resources().isPresent());
  }

  private void add(
      Grid<String> grid, String name, Group whole, Unit unit, ToDoubleFunction<Used> value) {
    if (findings.engines().stream()
        .allMatch(engine -> Double.isNaN(median(whole, engine, value)))) {
      return;
    }
    grid.number(
        name,
        engine -> text(unit, median(whole, engine, value)),
        engine -> median(whole, engine, value));
  }

  private void metric(Grid<String> grid, Metric metric, Group whole) {
    if (findings.engines().stream()
        .allMatch(engine -> Double.isNaN(value(whole, metric, engine)))) {
      return;
    }
    grid.number(
        metric.title(),
        engine -> Quantities.of(metric.unit(), value(whole, metric, engine)),
        engine -> value(whole, metric, engine));
  }

  private static String text(Unit unit, double value) {
    return unit == Unit.COUNT ? Quantities.share(value) : Quantities.of(unit, value);
  }

  private static double per(Used used, Function<Used, Optional<Usage>> process) {
    return process
        .apply(used)
        .map(usage -> (usage.userSeconds() + usage.systemSeconds()) / used.records())
        .orElse(Double.NaN);
  }

  private static double cores(Used used, Function<Used, Optional<Usage>> process) {
    return process
        .apply(used)
        .map(usage -> (usage.userSeconds() + usage.systemSeconds()) / used.seconds())
        .orElse(Double.NaN);
  }

  private static double bytes(Used used, ToDoubleFunction<Usage> value) {
    return used.engine().map(usage -> value.applyAsDouble(usage)).orElse(Double.NaN);
  }

  private static double optional(Used used, Function<Usage, OptionalLong> value) {
    return used.engine()
        .map(value)
        .filter(OptionalLong::isPresent)
        .map(bytes -> (double) bytes.getAsLong())
        .orElse(Double.NaN);
  }

  private double value(Group whole, Metric metric, String engine) {
    return findings
        .standing(whole, metric, engine)
        .map(standing -> standing.estimate().value())
        .orElse(Double.NaN);
  }

  private List<Used> used(Group whole, String engine) {
    return findings.runs(engine, whole.factors()).stream()
        .flatMap(
            run ->
                Findings.completed(run, whole.phase()).map(phase -> new Used(run, phase)).stream())
        .toList();
  }

  private double median(Group whole, String engine, ToDoubleFunction<Used> value) {
    double[] sorted =
        used(whole, engine).stream().mapToDouble(value).filter(Double::isFinite).sorted().toArray();
    int n = sorted.length;
    return n == 0 ? Double.NaN : (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
  }
}

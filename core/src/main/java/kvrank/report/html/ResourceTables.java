package kvrank.report.html;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import kvrank.report.Quantities;
import kvrank.report.chart.Markup;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;
import kvrank.results.Usage;
import kvrank.stats.Group;
import kvrank.stats.Metric;
import kvrank.stats.Sample;
import kvrank.stats.Standing;
import kvrank.stats.Unit;

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
    grid.number(
        "storage",
        engine -> Quantities.of(Unit.BYTES, footprint(whole, engine)),
        engine -> footprint(whole, engine));
    add(grid, "read", whole, Unit.BYTES, used -> optional(used, Usage::readBytes));
    add(grid, "written", whole, Unit.BYTES, used -> optional(used, Usage::writtenBytes));
    add(grid, "harness, CPU per record", whole, Unit.SECONDS, used -> per(used, Used::client));
    add(grid, "harness, cores busy", whole, Unit.COUNT, used -> cores(used, Used::client));
    grid.write(html, engines, engine -> "");
  }

  private boolean known(Group whole, String engine) {
    return used(whole, engine).stream().anyMatch(used -> used.phase().resources().isPresent());
  }

  private void add(
      Grid<String> grid, String name, Group whole, Unit unit, ToDoubleFunction<Used> value) {
    grid.number(
        name,
        engine -> text(unit, median(whole, engine, value)),
        engine -> median(whole, engine, value));
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

  private double footprint(Group whole, String engine) {
    return findings
        .standing(whole, Metric.FOOTPRINT, engine)
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

package kvrank.report.html;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.metric.Unit;
import kvrank.report.Quantities;
import kvrank.report.chart.Markup;
import kvrank.report.chart.Svg;
import kvrank.stats.DurabilitySummary;
import kvrank.stats.Estimate;
import kvrank.stats.Group;
import kvrank.stats.Ranking;
import kvrank.stats.Ratio;
import kvrank.stats.Standing;

/** The ranking table of a comparison group. */
final class GroupTables {

  private final Findings findings;

  GroupTables(Findings findings) {
    this.findings = findings;
  }

  void write(Markup html, Group group) {
    Ranking ranking = findings.throughput(group);
    String what = group.phase() + group.operation().map(operation -> ", " + operation).orElse("");
    Grid<Standing> grid = new Grid<>(id(group), "Ranking for " + what + Findings.at(group));
    grid.number("rank", standing -> rank(standing), Standing::rank);
    grid.text("engine", standing -> findings.marked().apply(standing.engine(), group.factors()));
    grid.number(
        "throughput",
        standing -> Quantities.of(Unit.PER_SECOND, standing.estimate().value()),
        standing -> standing.estimate().value());
    grid.number(
        "95 % interval",
        standing -> interval(Unit.PER_SECOND, standing.estimate()),
        standing -> standing.estimate().low());
    grid.number(
        "of best",
        standing -> Quantities.ratio(standing.ratio().value()),
        standing -> standing.ratio().value());
    grid.number(
        "ratio interval",
        standing -> interval(standing.ratio()),
        standing -> standing.ratio().low());
    grid.badges("labels", standing -> labels(group, standing));
    latencies(grid, group);
    if (group.operation().isEmpty()) {
      grid.number(
          "flushes per write",
          standing -> flushesPerWrite(proof(group, standing)),
          standing ->
              proof(group, standing)
                  .map(proof -> proof.flushesPerWrite().orElse(Double.NaN))
                  .orElse(Double.NaN));
      grid.text(
          "durability",
          standing -> proof(group, standing).map(DurabilitySummary::label).orElse(""));
    }
    for (Metric metric : List.of(Metrics.ERRORS, Metrics.named("not-found"))) {
      grid.number(
          metric.title(),
          standing -> count(group, metric, standing.engine()),
          standing -> value(group, metric, standing.engine()));
    }
    grid.write(html, ranking.standings(), standing -> standing.rank() == 1 ? "best" : "");
  }

  /** Of a phase that wrote something. */
  private Optional<DurabilitySummary> proof(Group group, Standing standing) {
    return findings.proof(group, standing.engine()).filter(DurabilitySummary::writes);
  }

  /** Empty where durability was not looked at, so that a column of nothing is not shown. */
  private static String flushesPerWrite(Optional<DurabilitySummary> proof) {
    return proof
        .map(found -> Quantities.rare(found.flushesPerWrite().orElse(Double.NaN)))
        .orElse("");
  }

  private void latencies(Grid<Standing> grid, Group group) {
    List<Group> operations =
        group.operation().isPresent() ? List.of(group) : findings.operations(group);
    List<Metric> metrics =
        operations.size() > 1
            ? List.of(Metrics.LATENCY_P50, Metrics.LATENCY_P99)
            : List.of(
                Metrics.named("latency-mean"),
                Metrics.LATENCY_P50,
                Metrics.LATENCY_P99,
                Metrics.named("latency-p999"));
    for (Group operation : operations) {
      String prefix = operations.size() > 1 ? operation.operation().orElseThrow() + " " : "";
      for (Metric metric : metrics) {
        grid.number(
            prefix + metric.title(),
            standing ->
                estimate(operation, metric, standing.engine())
                    .map(
                        estimate ->
                            Drawing.sampled(metric.unit(), estimate, standing.estimate().samples()))
                    .orElse(Quantities.NONE),
            standing -> value(operation, metric, standing.engine()));
      }
    }
  }

  /** The labels of a standing; a value without an interval says so. */
  private List<String> labels(Group group, Standing standing) {
    List<String> labels = new ArrayList<>();
    if (!standing.estimate().hasInterval()) {
      labels.add("n=" + standing.estimate().samples());
    }
    labels.addAll(findings.labels().apply(group, standing));
    return labels;
  }

  /** Whether the throughput of a repetition drifted, by the test of docs/results.md. */
  private Optional<Estimate> estimate(Group group, Metric metric, String engine) {
    return findings.standing(group, metric, engine).map(Standing::estimate);
  }

  private double value(Group group, Metric metric, String engine) {
    return estimate(group, metric, engine).map(Estimate::value).orElse(Double.NaN);
  }

  /** Empty where nothing occurred, so that a column of nothing is not shown. */
  private String count(Group group, Metric metric, String engine) {
    return estimate(group, metric, engine)
        .filter(estimate -> estimate.largest() > 0)
        .map(estimate -> Quantities.range(metric.unit(), estimate.smallest(), estimate.largest()))
        .orElse("");
  }

  static String interval(Unit unit, Estimate estimate) {
    return estimate.hasInterval()
        ? Quantities.range(unit, estimate.low(), estimate.high())
        : Quantities.NONE;
  }

  /** Empty where there is none, so that a column of nothing is not shown. */
  private static String interval(Ratio ratio) {
    return ratio.hasInterval() ? Quantities.ratios(ratio.low(), ratio.high()) : "";
  }

  static String rank(Standing standing) {
    return standing.rank() + (standing.tied() ? "=" : "");
  }

  /** The name of a group in addresses. */
  static String id(Group group) {
    List<String> parts = new ArrayList<>(List.of("rank", group.phase()));
    group.operation().ifPresent(parts::add);
    group.varying().forEach(f -> parts.add(f + "-" + group.factors().getOrDefault(f, "")));
    return Svg.fileName(parts.toArray(String[]::new));
  }
}

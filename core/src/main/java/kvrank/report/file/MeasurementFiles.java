package kvrank.report.file;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.metric.Scope;
import kvrank.report.block.Columns;
import kvrank.report.block.Table;
import kvrank.results.CrashTrialResult.Crash;
import kvrank.results.CrashTrialResult.LostWrites;
import kvrank.results.ExecutionResults;
import kvrank.results.Json;
import kvrank.results.Manifest;
import kvrank.results.OperationRecord;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;
import kvrank.stats.QualityFlag;
import kvrank.stats.Sample;
import kvrank.table.Dimensions;

/**
 * All measurements for programs: as {@code summary.json}, with crash tests, and as the rows of
 * {@code measurements.csv}, a column per metric.
 */
public final class MeasurementFiles {

  private static final String SCHEMA = "2.0";

  private final ExecutionResults results;
  private final List<Measurement> phases;

  public MeasurementFiles(ExecutionResults results) {
    this.results = results;
    this.phases = phases(results);
  }

  /** One phase of one run, empty if it was not reached, as a whole or one operation of it. */
  private record Measurement(
      String execution,
      RunRecord run,
      String name,
      Optional<PhaseRecord> phase,
      Optional<String> operation,
      List<String> labels) {

    /** A phase as a whole. */
    static Measurement of(
        String execution, RunRecord run, String name, Optional<PhaseRecord> phase) {
      List<String> labels =
          QualityFlag.of(phase.stream().toList()).stream().map(QualityFlag::label).toList();
      return new Measurement(execution, run, name, phase, Optional.empty(), labels);
    }

    List<Measurement> operations() {
      return phase.stream()
          .flatMap(found -> found.operations().keySet().stream())
          .map(label -> new Measurement(execution, run, name, phase, Optional.of(label), labels))
          .toList();
    }

    /** A phase that was not reached has the outcome of its run. */
    Outcome outcome() {
      return phase.map(PhaseRecord::outcome).orElse(run.outcome());
    }

    double value(Metric metric) {
      Scope scope = metric.scope();
      return phase.isPresent() && (operation.isPresent() ? scope.ofOperations() : scope.ofPhases())
          ? metric.value(new Sample(run, phase.get(), operation)).orElse(Double.NaN)
          : Double.NaN;
    }

    /** Returns the object in {@code summary.json}; all of them at once would fill the memory. */
    @JsonValue
    Fields fields() {
      Optional<OperationRecord> counts =
          operation.map(label -> phase.orElseThrow().operations().get(label));
      return new Fields()
          .add("execution", execution)
          .add("engine", run.engine())
          .options(run.options())
          .add("workload", phase.map(PhaseRecord::workload))
          .add("phase", name)
          .add("operation", operation)
          .add("factors", run.factors())
          .add("repetition", run.repetition())
          .add("outcome", outcome().label())
          .add("reason", outcome().reason())
          .add("labels", labels())
          .add("operations", counts.map(OperationRecord::ok))
          .add("errors", counts.map(OperationRecord::errorTotal))
          .add("notFound", counts.map(OperationRecord::notFound))
          .add("throughput", counts.map(OperationRecord::throughput).filter(Double::isFinite))
          .add("latencyNanos", counts.flatMap(OperationRecord::latencyNanos))
          .add("resources", phase.flatMap(PhaseRecord::resources))
          .add("durability", phase.flatMap(PhaseRecord::durability));
    }
  }

  /** Every phase as a whole, in the order of executions, runs and phases. */
  private static List<Measurement> phases(ExecutionResults results) {
    List<Measurement> phases = new ArrayList<>();
    for (ExecutionResults execution : results.executions()) {
      String label = execution.name();
      for (RunRecord run : execution.runs()) {
        for (String name : execution.manifest().phases()) {
          Optional<PhaseRecord> phase =
              run.phases().stream().filter(each -> each.name().equals(name)).findFirst();
          phases.add(Measurement.of(label, run, name, phase));
        }
      }
    }
    return phases;
  }

  /** Returns one object per run, phase and operation, and one per crash test. */
  public byte[] json() {
    List<Measurement> measurements = new ArrayList<>();
    for (Measurement phase : phases) {
      List<Measurement> operations = phase.operations();
      measurements.addAll(operations.isEmpty() ? List.of(phase) : operations);
    }
    List<Fields> crashTests = new ArrayList<>();
    for (ExecutionResults execution : results.executions()) {
      for (RunRecord run : execution.runs()) {
        run.crashTest()
            .map(
                test ->
                    new Fields()
                        .add("execution", execution.name())
                        .add("engine", run.engine())
                        .options(run.options())
                        .add("factors", run.factors())
                        .add("repetition", run.repetition())
                        .add("powerCut", test.powerCut())
                        .add("reason", test.missing())
                        .add("crashes", test.crashes().stream().map(each -> fields(each)).toList()))
            .ifPresent(crashTests::add);
      }
    }
    Manifest manifest = results.manifest();
    return Json.bytes(
        new Fields()
            .add("schema", SCHEMA)
            .add("scenario", manifest.scenario())
            .add("question", manifest.question())
            .add("medium", manifest.medium())
            .add("repetitions", manifest.repetitions())
            .add("seed", manifest.seed())
            .add("unreadable", results.unreadable())
            .add("measurements", measurements)
            .add("crashTests", crashTests));
  }

  private static Fields fields(Crash crash) {
    Optional<LostWrites> losses = crash.lostWrites();
    return new Fields()
        .add("ending", crash.ending())
        .add("acknowledged", crash.acknowledged())
        .add("lately", crash.lately())
        .add("repeated", crash.repeated())
        .add("restartNanos", crash.restartNanos())
        .add("reason", crash.reason())
        .add("checked", losses.map(LostWrites::checked))
        .add("lostInserts", losses.map(LostWrites::lostInserts))
        .add("lostUpdates", losses.map(LostWrites::lostUpdates))
        .add("lostDeletes", losses.map(LostWrites::lostDeletes))
        .add("wrongValues", losses.map(LostWrites::wrongValues))
        .add("unexpectedKeys", losses.map(LostWrites::unexpectedKeys))
        .add("example", losses.map(LostWrites::example))
        .add("oldestLostNanos", losses.map(LostWrites::oldestLostNanos))
        .add("newestLostNanos", losses.map(LostWrites::newestLostNanos))
        .add("powerCut", crash.powerCut());
  }

  /** Returns a row per engine, repetition, phase and operation. */
  public Table rows() {
    List<Measurement> rows = new ArrayList<>();
    SortedSet<String> factors = new TreeSet<>();
    SortedSet<String> options = new TreeSet<>();
    for (Measurement phase : phases) {
      rows.add(phase);
      rows.addAll(phase.operations());
      factors.addAll(phase.run.factors().keySet());
      options.addAll(phase.run.options().keySet());
    }
    Columns<Measurement> columns = new Columns<>(rows);
    columns.left("execution", row -> row.execution).left("engine", row -> row.run.engine());
    for (String factor : factors) {
      String name = Metrics.find(factor).isPresent() ? "settings." + factor : factor;
      columns.left(name, row -> row.run.factors().getOrDefault(factor, ""));
    }
    for (String option : options) {
      columns.left(Dimensions.OPTIONS + option, row -> row.run.options().getOrDefault(option, ""));
    }
    columns
        .exact("repetition", row -> row.run.repetition())
        .left("phase", Measurement::name)
        .left("operation", row -> row.operation.orElse(RankingFiles.ALL))
        .left("outcome", row -> row.outcome().label())
        .left("reason", row -> row.outcome().reason())
        .left("labels", row -> String.join("; ", row.labels));
    for (Metric metric : Metrics.ALL) {
      if (metric.scope() != Scope.RUN) {
        columns.exact(metric.id(), row -> row.value(metric));
      }
    }
    return columns.readOnce();
  }
}

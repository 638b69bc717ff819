package kvrank.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.metric.Scope;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.Results;
import kvrank.results.RunRecord;
import kvrank.stats.QualityFlag;
import kvrank.stats.Sample;

/** Every measurement: a row per engine, repetition, phase and operation, a column per metric. */
public final class MeasurementRows {

  private MeasurementRows() {}

  /**
   * One row.
   *
   * @param phase empty if it was not reached
   * @param operation empty for the phase as a whole
   */
  private record Row(
      Results execution,
      RunRecord run,
      String name,
      Optional<PhaseRecord> phase,
      Optional<String> operation) {

    Outcome outcome() {
      return phase.map(PhaseRecord::outcome).orElse(run.outcome());
    }

    String value(Metric metric) {
      boolean fits =
          operation.isPresent() ? metric.scope().ofOperations() : metric.scope().ofPhases();
      return fits && phase.isPresent()
          ? RankingRows.exact(
              metric.value(new Sample(run, phase.get(), operation)).orElse(Double.NaN))
          : "";
    }
  }

  /** Returns the rows of {@code results} in the order of executions, runs and phases. */
  public static Table of(Results results) {
    List<Row> rows = new ArrayList<>();
    SortedSet<String> factors = new TreeSet<>();
    for (Results execution : results.executions()) {
      for (RunRecord run : execution.runs()) {
        factors.addAll(run.factors().keySet());
        execution.manifest().phases().forEach(name -> rows.addAll(rows(execution, run, name)));
      }
    }
    List<Column<Row>> columns = new ArrayList<>();
    columns.add(Column.left("execution", row -> row.execution().name()));
    columns.add(Column.left("engine", row -> row.run().engine()));
    factors.forEach(
        factor ->
            columns.add(Column.left(factor, row -> row.run().factors().getOrDefault(factor, ""))));
    columns.add(Column.right("repetition", row -> Integer.toString(row.run().repetition())));
    columns.add(Column.left("phase", Row::name));
    columns.add(Column.left("operation", row -> row.operation().orElse(RankingRows.ALL)));
    columns.add(Column.left("outcome", row -> row.outcome().label()));
    columns.add(Column.left("reason", row -> row.outcome().reason()));
    columns.add(
        Column.left(
            "labels",
            row ->
                QualityFlag.of(row.phase().stream().toList()).stream()
                    .map(QualityFlag::label)
                    .collect(Collectors.joining("; "))));
    Metrics.ALL.stream()
        .filter(metric -> metric.scope() != Scope.RUN)
        .forEach(metric -> columns.add(Column.right(metric.id(), row -> row.value(metric))));
    return Table.of(columns, rows, row -> false);
  }

  /** The phase as a whole, then its operations. */
  private static List<Row> rows(Results execution, RunRecord run, String name) {
    Optional<PhaseRecord> phase =
        run.phases().stream().filter(each -> each.name().equals(name)).findFirst();
    List<Row> rows = new ArrayList<>();
    rows.add(new Row(execution, run, name, phase, Optional.empty()));
    phase.ifPresent(
        found ->
            found
                .operations()
                .keySet()
                .forEach(
                    operation ->
                        rows.add(new Row(execution, run, name, phase, Optional.of(operation)))));
    return rows;
  }
}

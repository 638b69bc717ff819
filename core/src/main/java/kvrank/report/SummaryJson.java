package kvrank.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import kvrank.results.Crash;
import kvrank.results.CrashTest;
import kvrank.results.Durability;
import kvrank.results.Json;
import kvrank.results.Latency;
import kvrank.results.LostWrites;
import kvrank.results.Manifest;
import kvrank.results.OperationRecord;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.Resources;
import kvrank.results.Results;
import kvrank.results.RunRecord;
import kvrank.stats.QualityFlag;

/** {@code summary.json}: one object per run, phase and operation, and one per crash test. */
public final class SummaryJson {

  /** The version of this format, {@code major.minor}. */
  static final String SCHEMA = "2.0";

  private SummaryJson() {}

  private record Summary(
      String schema,
      String scenario,
      String question,
      String medium,
      int repetitions,
      long seed,
      List<String> unreadable,
      List<Measurement> measurements,
      List<CrashTestSummary> crashTests) {}

  private record Measurement(
      String execution,
      String engine,
      Optional<String> workload,
      String phase,
      Optional<String> operation,
      SortedMap<String, String> factors,
      int repetition,
      String outcome,
      String reason,
      List<String> labels,
      Optional<Long> operations,
      Optional<Long> errors,
      Optional<Long> notFound,
      Optional<Double> throughput,
      Optional<Latency> latencyNanos,
      Optional<Resources> resources,
      Optional<Durability> durability) {}

  private record CrashTestSummary(
      String execution,
      String engine,
      SortedMap<String, String> factors,
      int repetition,
      String reason,
      List<CrashSummary> crashes) {}

  private record CrashSummary(
      String ending,
      long acknowledged,
      OptionalLong restartNanos,
      String reason,
      Optional<Long> checked,
      Optional<Long> lostInserts,
      Optional<Long> lostUpdates,
      Optional<Long> lostDeletes,
      Optional<Long> wrongValues,
      Optional<Long> unexpectedKeys,
      Optional<String> example) {

    static CrashSummary of(Crash crash) {
      Optional<LostWrites> losses = crash.lostWrites();
      return new CrashSummary(
          crash.ending(),
          crash.acknowledged(),
          crash.restartNanos(),
          crash.reason(),
          losses.map(LostWrites::checked),
          losses.map(LostWrites::lostInserts),
          losses.map(LostWrites::lostUpdates),
          losses.map(LostWrites::lostDeletes),
          losses.map(LostWrites::wrongValues),
          losses.map(LostWrites::unexpectedKeys),
          losses.map(LostWrites::example));
    }
  }

  /** Returns the file for {@code results}. */
  public static String of(Results results) {
    List<Measurement> measurements = new ArrayList<>();
    List<CrashTestSummary> crashTests = new ArrayList<>();
    for (Results execution : results.executions()) {
      for (RunRecord run : execution.runs()) {
        execution.manifest().phases().forEach(name -> add(measurements, execution, run, name));
        run.crashTest().ifPresent(test -> crashTests.add(crashTest(execution, run, test)));
      }
    }
    Manifest manifest = results.manifest();
    return Json.text(
        new Summary(
            SCHEMA,
            manifest.scenario(),
            manifest.question(),
            manifest.medium(),
            manifest.repetitions(),
            manifest.seed(),
            results.unreadable(),
            measurements,
            crashTests));
  }

  private static void add(
      List<Measurement> measurements, Results execution, RunRecord run, String name) {
    Optional<PhaseRecord> phase =
        run.phases().stream().filter(each -> each.name().equals(name)).findFirst();
    List<String> operations =
        phase.map(found -> List.copyOf(found.operations().keySet())).orElse(List.of());
    if (operations.isEmpty()) {
      measurements.add(measurement(execution, run, name, phase, Optional.empty()));
    }
    for (String operation : operations) {
      measurements.add(measurement(execution, run, name, phase, Optional.of(operation)));
    }
  }

  /** A phase that was not reached has the outcome of its run, and no measured value. */
  private static Measurement measurement(
      Results execution,
      RunRecord run,
      String name,
      Optional<PhaseRecord> phase,
      Optional<String> operation) {
    Outcome outcome = phase.map(PhaseRecord::outcome).orElse(run.outcome());
    Optional<OperationRecord> record =
        operation.map(label -> phase.orElseThrow().operations().get(label));
    return new Measurement(
        execution.name(),
        run.engine(),
        phase.map(PhaseRecord::workload),
        name,
        operation,
        run.factors(),
        run.repetition(),
        outcome.label(),
        outcome.reason(),
        QualityFlag.of(phase.stream().toList()).stream().map(QualityFlag::label).toList(),
        record.map(OperationRecord::ok),
        record.map(OperationRecord::errorTotal),
        record.map(OperationRecord::notFound),
        record.map(OperationRecord::throughput).filter(Double::isFinite),
        record.flatMap(OperationRecord::latencyNanos),
        phase.flatMap(PhaseRecord::resources),
        phase.flatMap(PhaseRecord::durability));
  }

  private static CrashTestSummary crashTest(Results execution, RunRecord run, CrashTest test) {
    return new CrashTestSummary(
        execution.name(),
        run.engine(),
        run.factors(),
        run.repetition(),
        test.reason(),
        test.crashes().stream().map(CrashSummary::of).toList());
  }
}

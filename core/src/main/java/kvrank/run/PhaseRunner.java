package kvrank.run;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.plan.PlannedPhase;
import kvrank.plan.RunSpec;
import kvrank.results.Measurements;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.RatePoint;
import kvrank.scenario.Sweep;

/** Leads a run through its phases, and records each. */
record PhaseRunner(RunSpec run, WorkerSession session, RunRecorder recorder) {

  /** Does every phase that the engine can do; the first one that goes wrong names the outcome. */
  Outcome all() throws IOException, InterruptedException {
    Optional<Outcome> notReady = session.awaitReady(recorder);
    if (notReady.isPresent()) {
      return notReady.get();
    }
    Outcome outcome = new Outcome.Completed();
    for (PlannedPhase phase : run.phases()) {
      PhaseRecord record = one(phase);
      if (bad(record.outcome()) && !bad(outcome)) {
        outcome = record.outcome();
      }
      if (bad(record.outcome()) && (phase.spec().load() || session.death().isPresent())) {
        return outcome;
      }
    }
    Optional<PlannedPhase> single =
        session.countsFlushes() ? SingleWrites.of(run) : Optional.empty();
    if (single.isPresent()) {
      recorder.single(
          session.measure(single.get(), SingleWrites.NAME, "start " + SingleWrites.NAME));
    }
    session.stop();
    return outcome;
  }

  private static boolean bad(Outcome outcome) {
    return !(outcome instanceof Outcome.Completed
        || outcome instanceof Outcome.Unsupported
        || outcome instanceof Outcome.BoundNotMet);
  }

  private PhaseRecord one(PlannedPhase phase) throws IOException, InterruptedException {
    if (phase.unsupported().isPresent()) {
      return broken(phase, new Outcome.Unsupported(phase.unsupported().get()), List.of());
    }
    if (phase.spec().sweep().isPresent()) {
      return sweep(phase, phase.spec().sweep().get());
    }
    Measurement measurement = session.measure(phase, phase.name(), "start " + phase.name());
    return record(phase, measurement, List.of(), new TreeMap<>());
  }

  private PhaseRecord sweep(PlannedPhase phase, Sweep sweep)
      throws IOException, InterruptedException {
    SweepRunner runner = new SweepRunner(session, phase);
    Measurement measurement =
        sweep instanceof Sweep.Search search
            ? runner.search(search)
            : runner.curve((Sweep.Curve) sweep);
    return record(phase, measurement, runner.points(), runner.facts());
  }

  private PhaseRecord record(
      PlannedPhase phase,
      Measurement measurement,
      List<RatePoint> points,
      SortedMap<String, String> sweepFacts) {
    if (!(measurement instanceof Measurement.Measured measured)) {
      return broken(phase, measurement.outcome(), points);
    }
    SortedMap<String, String> facts = new TreeMap<>(measured.facts());
    facts.putAll(sweepFacts);
    recorder.written(phase.name(), measured.written());
    return record(phase, measured.outcome(), measured.measurements().with(points), facts);
  }

  private PhaseRecord broken(PlannedPhase phase, Outcome outcome, List<RatePoint> points) {
    return record(phase, outcome, Measurements.NONE.with(points), new TreeMap<>());
  }

  private PhaseRecord record(
      PlannedPhase phase,
      Outcome outcome,
      Measurements measurements,
      SortedMap<String, String> facts) {
    PhaseRecord record =
        new PhaseRecord(
            phase.name(),
            phase.spec().workload().name(),
            phase.spec().load(),
            outcome,
            run.texts(phase),
            measurements,
            facts);
    recorder.phase(record);
    return record;
  }
}

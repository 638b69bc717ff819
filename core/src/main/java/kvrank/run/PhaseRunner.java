package kvrank.run;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.plan.RunSpec;
import kvrank.results.Measurements;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.RatePoint;
import kvrank.scenario.PhaseSpec;
import kvrank.scenario.Sweep;

/** Leads a run through its phases, and records each. */
final class PhaseRunner {

  private final RunSpec run;
  private final WorkerSession session;
  private final RunRecorder recorder;
  private final SortedMap<String, HarnessBaseline> baselines;

  PhaseRunner(
      RunSpec run,
      WorkerSession session,
      RunRecorder recorder,
      SortedMap<String, HarnessBaseline> baselines) {
    this.baselines = baselines;
    this.run = run;
    this.session = session;
    this.recorder = recorder;
  }

  /** Does every phase that the engine can do; the first one that goes wrong names the outcome. */
  Outcome all() throws IOException, InterruptedException {
    Optional<Outcome> notReady = session.awaitReady(recorder);
    if (notReady.isPresent()) {
      return notReady.get();
    }
    Outcome outcome = new Outcome.Completed();
    for (PhaseSpec phase : run.phases()) {
      PhaseRecord record = one(phase);
      recorder.phase(record);
      if (bad(record.outcome()) && !bad(outcome)) {
        outcome = record.outcome();
      }
      if (bad(record.outcome()) && (phase.load() || session.death().isPresent())) {
        return outcome;
      }
    }
    session.stop();
    return outcome;
  }

  private static boolean bad(Outcome outcome) {
    return !(outcome instanceof Outcome.Completed
        || outcome instanceof Outcome.Unsupported
        || outcome instanceof Outcome.BoundNotMet);
  }

  private PhaseRecord one(PhaseSpec phase) throws IOException, InterruptedException {
    if (run.omitted().containsKey(phase.name())) {
      return broken(phase, new Outcome.Unsupported(run.omitted().get(phase.name())), List.of());
    }
    if (phase.sweep().isPresent()) {
      return sweep(phase, phase.sweep().get());
    }
    Measurement measurement = session.measure(phase.name(), phase.name(), "start " + phase.name());
    return record(phase, measurement, List.of(), new TreeMap<>());
  }

  private PhaseRecord sweep(PhaseSpec phase, Sweep sweep) throws IOException, InterruptedException {
    SweepRunner runner = new SweepRunner(session, phase.name());
    Measurement measurement =
        sweep instanceof Sweep.Search search
            ? runner.search(search)
            : runner.curve((Sweep.Curve) sweep);
    return record(phase, measurement, runner.points(), runner.facts());
  }

  private PhaseRecord record(
      PhaseSpec phase,
      Measurement measurement,
      List<RatePoint> points,
      SortedMap<String, String> sweepFacts) {
    if (!(measurement instanceof Measurement.Measured measured)) {
      return broken(phase, measurement.outcome(), points);
    }
    SortedMap<String, String> facts = new TreeMap<>(measured.facts());
    facts.putAll(sweepFacts);
    HarnessBaseline baseline = baselines.get(phase.name());
    if (baseline != null) {
      facts.putAll(baseline.facts());
    }
    return record(phase, measured.outcome(), measured.measurements().with(points), facts);
  }

  private PhaseRecord broken(PhaseSpec phase, Outcome outcome, List<RatePoint> points) {
    return record(phase, outcome, Measurements.NONE.with(points), new TreeMap<>());
  }

  private PhaseRecord record(
      PhaseSpec phase,
      Outcome outcome,
      Measurements measurements,
      SortedMap<String, String> facts) {
    return new PhaseRecord(
        phase.name(),
        phase.workload().name(),
        phase.load(),
        outcome,
        RunRecorder.labels(run.settings(phase)),
        measurements,
        facts);
  }
}

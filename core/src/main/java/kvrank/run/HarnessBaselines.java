package kvrank.run;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.engine.EngineDefinition;
import kvrank.engine.Fsync;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.plan.PlannedPhase;
import kvrank.plan.RunKey;
import kvrank.plan.RunSpec;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.Resources;
import kvrank.results.ResultsDirectory;
import kvrank.results.RunDirectory;
import kvrank.results.RunRecord;
import kvrank.results.UnreadableException;
import kvrank.run.measure.ExecutionListener;
import kvrank.run.measure.RunExecutor;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.PhaseSpec;
import kvrank.scenario.Setting;
import kvrank.workload.pace.Pacing;
import kvrank.workload.request.Limits;

/**
 * What the harness itself can reach: each factor point's phases, briefly, on the engine that does
 * nothing, if that is known; the best of {@value #SAMPLES} workers, as others of the machine may be
 * in the way of one. The records stay beside those of the runs; what is measured once is read
 * afterwards.
 */
record HarnessBaselines(RunExecutor executor, Optional<EngineDefinition> noop) {

  private static final int SAMPLES = 3;

  /** Enough for the compiler; the baseline has to be right to a factor of two. */
  private static final Limits BRIEF = new Limits(Duration.ofMillis(300), Duration.ofMillis(200), 0);

  /**
   * Returns {@code record} with what the harness reached at the factor point of {@code run}. That
   * is only measured now, after the first run there: the engines' figures do not wait for it.
   */
  RunRecord addTo(RunRecord record, RunSpec run, ResultsDirectory results)
      throws IOException, InterruptedException {
    // What several machines reach together is not known here; their CPUs say whether they were
    // busy.
    if (noop.isEmpty()
        || run.machines().orElse(1) > 1
        || record.phases().stream()
            .noneMatch(phase -> phase.outcome() instanceof Outcome.Completed)) {
      return record;
    }
    try {
      SortedMap<String, Facts> baselines = new TreeMap<>();
      for (int sample = 1; sample <= SAMPLES; sample++) {
        RunSpec spec = spec(run, noop.get(), sample);
        RunDirectory directory = results.run(spec.id());
        add(directory.done() ? directory.read() : measured(spec, directory), baselines);
      }
      return record.with(
          record.phases().stream()
              .map(phase -> phase.with(baselines.getOrDefault(phase.name(), new Facts())))
              .toList());
    } catch (IOException | UnreadableException e) {
      // As the report will say, or a full disk; what was measured of the engine is as good without.
      return record;
    }
  }

  /** Measures, and keeps what was measured to the end: an interrupt makes a record of nothing. */
  private RunRecord measured(RunSpec spec, RunDirectory directory)
      throws IOException, InterruptedException {
    RunRecord record =
        executor.execute(
            new RunExecutor.Task(spec, directory, Optional.empty(), new ExecutionListener() {}));
    if (record.outcome() instanceof Outcome.Completed) {
      directory.write(record);
    }
    return record;
  }

  /**
   * Enters what the harness reaches without an engine, and the worker's own share of what a worker
   * takes that holds an embedded engine, by the phase's name, if {@code record} has more than is
   * known.
   */
  private static void add(RunRecord record, SortedMap<String, Facts> baselines) {
    for (PhaseRecord phase : record.phases()) {
      Facts facts = baselines.computeIfAbsent(phase.name(), any -> new Facts());
      long reached = Math.round(phase.throughput());
      if (phase.outcome() instanceof Outcome.Completed
          && reached > facts.count(Fact.HARNESS_CEILING)) {
        facts.put(Fact.HARNESS_CEILING, reached);
        phase
            .resources()
            .flatMap(Resources::client)
            .ifPresent(usage -> facts.put(Fact.HARNESS_RESIDENT_BYTES, usage.residentEndBytes()));
      }
    }
  }

  private static RunSpec spec(RunSpec run, EngineDefinition noop, int sample) {
    RunKey of = run.key();
    String id = id(run.engine().row().folder(), of) + (sample == 1 ? "" : "." + sample);
    RunKey key = new RunKey(id, noop.name(), of.factors(), of.repetition(), of.seed());
    return new RunSpec(
        key,
        new EngineSpec(noop.name(), noop, new TreeMap<>(), Optional.empty()),
        Fsync.OFF,
        run.dataset(),
        false,
        run.phases().stream().map(HarnessBaselines::brief).toList(),
        Optional.empty(),
        Optional.empty());
  }

  private static PlannedPhase brief(PlannedPhase phase) {
    PhaseSpec of = phase.spec();
    return new PlannedPhase(
        new PhaseSpec(of.name(), of.workload(), of.load(), of.settings(), Optional.empty()),
        phase.settings().with(Pacing.CLOSED).with(BRIEF),
        false,
        Optional.empty());
  }

  /** Returns the name of the factor point: fsync and rate make no difference to a baseline. */
  private static String id(String row, RunKey run) {
    String point =
        run.id().substring(row.length(), run.id().length() - (".r" + run.repetition()).length());
    for (Setting setting : List.of(Setting.FSYNC, Setting.RATE)) {
      String label = setting.label();
      point = point.replace("." + label + "-" + run.factors().get(label), "");
    }
    return "noop.ceiling" + point;
  }
}

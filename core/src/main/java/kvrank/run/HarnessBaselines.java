package kvrank.run;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.engine.EngineDefinition;
import kvrank.engine.Fsync;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.metric.Usage;
import kvrank.plan.Plan;
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
import kvrank.scenario.Setting;

/**
 * Measures the harness: each factor point's phases that differ, briefly, on the no-op engine; the
 * best of {@value #SAMPLES} workers, as others may disturb one. The records are reused.
 */
record HarnessBaselines(RunExecutor executor, Optional<EngineDefinition> noop) {

  private static final int SAMPLES = Plan.CEILINGS;

  /** Returns {@code record} with its baseline, measured only now so that engines do not wait. */
  RunRecord addTo(RunRecord record, RunSpec run, ResultsDirectory results)
      throws IOException, InterruptedException {
    // Several machines together have no baseline here; their CPU load shows whether they were
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
      SortedMap<String, PlannedPhase> shared = PlannedPhase.ceilings(run.phases());
      return record.with(
          record.phases().stream()
              .map(
                  phase ->
                      phase.with(
                          Optional.ofNullable(shared.get(phase.name()))
                              .map(measured -> baselines.get(measured.name()))
                              .orElseGet(Facts::new)))
              .toList());
    } catch (IOException | UnreadableException e) {
      // The report or a full disk shows the problem; the engine's measurements remain valid.
      return record;
    }
  }

  /** Measures, and keeps complete records only: an interrupted one means nothing. */
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

  /** Adds throughput and memory without an engine by phase, if {@code record} has more. */
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
            .ifPresent(usage -> addMemory(usage, phase.facts(), facts));
      }
    }
  }

  private static void addMemory(Usage usage, Facts of, Facts facts) {
    facts.put(Fact.HARNESS_RESIDENT_BYTES, usage.residentEndBytes());
    if (usage.anonymousEndBytes().isPresent() && of.has(Fact.CLIENT_HEAP_RESIDENT_BYTES)) {
      facts.put(
          Fact.HARNESS_OFF_HEAP_BYTES,
          usage.anonymousEndBytes().getAsLong() - of.count(Fact.CLIENT_HEAP_RESIDENT_BYTES));
    }
    if (of.has(Fact.CLIENT_HEAP_LIVE_BYTES)) {
      facts.put(Fact.HARNESS_HEAP_LIVE_BYTES, of.count(Fact.CLIENT_HEAP_LIVE_BYTES));
    }
  }

  private static RunSpec spec(RunSpec run, EngineDefinition noop, int sample) {
    SortedMap<String, PlannedPhase> shared = PlannedPhase.ceilings(run.phases());
    RunKey of = run.key();
    String id = id(run.engine().row().folder(), of) + (sample == 1 ? "" : "." + sample);
    RunKey key = new RunKey(id, noop.name(), of.factors(), of.repetition(), of.seed());
    return new RunSpec(
        key,
        new EngineSpec(noop.name(), noop, new TreeMap<>(), Optional.empty()),
        Fsync.OFF,
        run.dataset(),
        false,
        run.phases().stream().map(phase -> shared.get(phase.name())).distinct().toList(),
        Optional.empty(),
        Optional.empty());
  }

  /** Returns the id of the factor point, without fsync and rate, which do not matter here. */
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

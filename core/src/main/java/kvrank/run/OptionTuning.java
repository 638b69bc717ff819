package kvrank.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import kvrank.plan.Plan;
import kvrank.plan.Planner;
import kvrank.plan.RunSpec;
import kvrank.results.Json;
import kvrank.results.ResultsDirectory;
import kvrank.results.RunDirectory;
import kvrank.results.RunRecord;
import kvrank.results.Tuned;
import kvrank.results.UnreadableException;
import kvrank.run.measure.ExecutionListener;
import kvrank.scenario.EngineSpec;

/** Searches tuned options before the repetitions, within the budget, and plans the best values. */
record OptionTuning(Plan plan, RunSeries series, QuietMachine quiet, ExecutionListener listener) {

  /** Returns the plan with the best values of all engines that are not {@code missing}. */
  Plan tune(Set<String> missing) throws UnreadableException, IOException, InterruptedException {
    List<Tuned> tunings = new ArrayList<>();
    for (EngineSpec engine : plan.tuned()) {
      boolean measurable =
          !missing.contains(engine.label()) && !Planner.trial(plan.scenario(), engine).isEmpty();
      if (measurable && !search(engine, tunings)) {
        return plan;
      }
    }
    if (tunings.isEmpty()) {
      return plan;
    }
    ResultsDirectory results = series.results();
    results.tuned(tunings);
    Plan tuned = Planner.plan(plan.scenario().tuned(Tuned.rowsByEngine(tunings))).without(missing);
    results.plan(Json.file(results.read().manifest().replanned(tuned)));
    return tuned;
  }

  /** Searches the option of {@code engine}; returns false if aborted. */
  private boolean search(EngineSpec engine, List<Tuned> tunings)
      throws UnreadableException, IOException, InterruptedException {
    OptionSearch search = new OptionSearch(engine);
    for (List<String> next = search.next(); !next.isEmpty(); next = search.next()) {
      listener.looked(
          "%s; next %s".formatted(search.found(), String.join(", ", next)), trials(engine, next));
      for (String value : next) {
        search.tried(value, measure(trials(engine, List.of(value))));
        if (series.aborted()) {
          return false;
        }
        List<Tuned> soFar = new ArrayList<>(tunings);
        soFar.add(search.found());
        series.results().tuned(soFar);
      }
    }
    Tuned tuned = search.found();
    tunings.add(tuned);
    listener.looked(tuned + "; its rows are " + String.join(", ", tuned.rows()), List.of());
    return true;
  }

  private List<RunSpec> trials(EngineSpec engine, List<String> values) {
    return engine
        .tuned(values)
        .flatMap(row -> Planner.trial(plan.scenario(), row).stream())
        .toList();
  }

  /** Executes {@code trials} if the budget also allows the guaranteed runs. */
  private List<RunRecord> measure(List<RunSpec> trials)
      throws UnreadableException, IOException, InterruptedException {
    List<RunSpec> open = new ArrayList<>(trials);
    open.addAll(plan.guaranteedRuns());
    boolean begun = series.results().run(open.get(0).id()).complete();
    if (!begun && !quiet.fitsBudget(open)) {
      return List.of();
    }
    List<RunRecord> records = new ArrayList<>();
    for (int i = 0; i < trials.size() && !series.aborted(); i++) {
      series.executeNext(open.subList(i, open.size()), i + 1, trials.size());
      RunDirectory directory = series.results().run(trials.get(i).id());
      if (!series.aborted() && directory.done()) {
        records.add(directory.read());
      }
    }
    return records;
  }
}

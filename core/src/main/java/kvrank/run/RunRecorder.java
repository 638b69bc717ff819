package kvrank.run;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.plan.RunSpec;
import kvrank.results.CrashTest;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.RunKey;
import kvrank.results.RunRecord;
import kvrank.scenario.Setting;

/** Collects what a run's record will hold. */
final class RunRecorder {

  private final RunSpec run;
  private final Instant started;
  private final SortedMap<String, String> facts = new TreeMap<>();
  private final List<PhaseRecord> phases = new ArrayList<>();
  private Optional<CrashTest> killTest = Optional.empty();

  RunRecorder(RunSpec run, Instant started) {
    this.run = run;
    this.started = started;
  }

  void facts(SortedMap<String, String> more) {
    facts.putAll(more);
  }

  void phase(PhaseRecord phase) {
    phases.add(phase);
  }

  void killTest(CrashTest test) {
    killTest = Optional.of(test);
  }

  /** The record of a run that is over. */
  RunRecord end(Outcome outcome, Instant ended) {
    return new RunRecord(
        new RunKey(
            run.id(), run.engine().label(), labels(run.factors()), run.repetition(), run.seed()),
        outcome,
        run.engine().definition().fsync().get(run.fsync()).note().orElse(""),
        facts,
        phases,
        started,
        ended,
        killTest);
  }

  /** Settings that have a value, by their labels, as records hold them. */
  static SortedMap<String, String> labels(SortedMap<Setting, String> settings) {
    SortedMap<String, String> labels = new TreeMap<>();
    settings.forEach(
        (setting, value) -> {
          if (!value.isEmpty()) {
            labels.put(setting.label(), value);
          }
        });
    return labels;
  }
}

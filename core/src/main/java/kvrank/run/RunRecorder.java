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
import kvrank.results.RunRecord;

/** Collects what a run's record will hold. */
final class RunRecorder {

  private final RunSpec run;
  private final Instant started;
  private final SortedMap<String, String> facts = new TreeMap<>();
  private final List<PhaseRecord> phases = new ArrayList<>();
  private final DurabilityEvidence durability;
  private Optional<CrashTest> crashTest = Optional.empty();

  RunRecorder(RunSpec run, Instant started) {
    this.run = run;
    this.started = started;
    this.durability = new DurabilityEvidence(run.fsync());
  }

  void facts(SortedMap<String, String> more) {
    facts.putAll(more);
  }

  void phase(PhaseRecord phase) {
    phases.add(phase);
  }

  /** Adds a phase whose durability is to be judged by {@code written}. */
  void phase(PhaseRecord phase, WrittenStretch written) {
    durability.phase(phase.name(), written);
    phases.add(phase);
  }

  /** Adds the stretch with one write in flight. */
  void single(Measurement measurement) {
    durability.single(measurement);
  }

  /**
   * Judges the durability of all phases.
   *
   * @param device what it does by itself, if that is known
   */
  void judge(Optional<DeviceProbes> device) {
    phases.replaceAll(phase -> durability.judged(phase, device));
    facts.putAll(durability.facts(device));
  }

  void crashTest(CrashTest test) {
    crashTest = Optional.of(test);
  }

  /** Returns the record of a run that is over. */
  RunRecord end(Outcome outcome, Instant ended) {
    return new RunRecord(
        run.key(),
        outcome,
        run.engine().definition().fsync().get(run.fsync()).note().orElse(""),
        facts,
        phases,
        started,
        ended,
        crashTest);
  }
}

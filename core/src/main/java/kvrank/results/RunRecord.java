package kvrank.results;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.Nulls;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.plan.RunKey;

/**
 * The result of one run: {@code record.json}.
 *
 * @param note a remark for the table's readers on this engine at this durability; may be empty
 * @param phases in order, also unsupported ones; those that were not reached are missing
 * @param crashTest present if it was requested, unless the engine is missing or cannot do this; in
 *     older results, only if a phase was completed, too
 */
public record RunRecord(
    @JsonUnwrapped RunKey key,
    Outcome outcome,
    String note,
    Facts facts,
    List<PhaseRecord> phases,
    Instant started,
    Instant ended,
    @JsonSetter(nulls = Nulls.AS_EMPTY) Optional<CrashTrialResult> crashTest) {

  public RunRecord {
    facts = Facts.copyOf(facts);
    phases = List.copyOf(phases);
  }

  public RunRecord with(List<PhaseRecord> others) {
    return new RunRecord(key, outcome, note, facts, others, started, ended, crashTest);
  }

  public RunRecord with(Outcome other) {
    return new RunRecord(key, other, note, facts, phases, started, ended, crashTest);
  }

  public RunRecord with(Facts others) {
    return new RunRecord(key, outcome, note, others, phases, started, ended, crashTest);
  }

  /** Returns a copy with the crashes of an earlier attempt, which count too. */
  public RunRecord after(Optional<CrashTrialResult> earlier) {
    Optional<CrashTrialResult> all =
        crashTest.map(own -> earlier.map(own::after).orElse(own)).or(() -> earlier);
    return new RunRecord(key, outcome, note, facts, phases, started, ended, all);
  }

  /** Returns whether {@code --resume} repeats it: the outcome is not the engine's fault. */
  public boolean worthAnotherTry() {
    return outcome instanceof Outcome.Unavailable
        || (outcome instanceof Outcome.Broken broken && broken.cause().worthAnotherTry());
  }

  /** Returns whether a ranking or a table of crash tests has a row for it. */
  public boolean shown() {
    return crashTest.isPresent()
        || phases.stream().anyMatch(each -> each.outcome() instanceof Outcome.Completed);
  }

  /** Returns the duration, with the start and stop of the server. */
  public Duration time() {
    return Duration.between(started, ended);
  }

  /** Returns the seconds that other processes took before the run. */
  public double lostSeconds() {
    return facts.has(Fact.OTHERS_LOST_SECONDS) ? facts.number(Fact.OTHERS_LOST_SECONDS) : 0;
  }

  public String id() {
    return key.id();
  }

  public String engine() {
    return key.engine();
  }

  /** Returns the engine's options that are factors. */
  public SortedMap<String, String> options() {
    return key.options();
  }

  /** Returns the factor point by setting label, with constants. */
  public SortedMap<String, String> factors() {
    return key.factors();
  }

  public int repetition() {
    return key.repetition();
  }

  /** Returns the seed of its requests: the same for all runs of a repetition. */
  public long seed() {
    return key.seed();
  }

  /** Returns a copy for another row or factor point. */
  public RunRecord as(
      String engine, SortedMap<String, String> factors, List<PhaseRecord> newPhases) {
    RunKey as = new RunKey(key.id(), engine, key.options(), factors, key.repetition(), key.seed());
    return new RunRecord(as, outcome, note, facts, newPhases, started, ended, crashTest);
  }
}

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
 * @param note what a reader of the table has to know of this engine at this durability; may be
 *     empty
 * @param facts what was learned of the server, the worker and the environment
 * @param phases in order; those that the engine cannot do are unsupported, those that were not
 *     reached are missing
 * @param crashTest what the engine lost when it was killed after the phases, if that was asked for
 *     and the run was completed
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

  /** Returns this run with other phases. */
  public RunRecord with(List<PhaseRecord> others) {
    return new RunRecord(key, outcome, note, facts, others, started, ended, crashTest);
  }

  /** Returns this run with another outcome. */
  public RunRecord with(Outcome other) {
    return new RunRecord(key, other, note, facts, phases, started, ended, crashTest);
  }

  /** Returns this run with other facts. */
  public RunRecord with(Facts others) {
    return new RunRecord(key, outcome, note, others, phases, started, ended, crashTest);
  }

  /** Returns whether its outcome is not the engine's fault, so that {@code --resume} repeats it. */
  public boolean worthAnotherTry() {
    return outcome instanceof Outcome.Unavailable
        || (outcome instanceof Outcome.Broken broken && broken.cause().worthAnotherTry());
  }

  /** Returns how long it took, with the start and the stop of its server. */
  public Duration time() {
    return Duration.between(started, ended);
  }

  /** Returns the seconds that were lost to others on the machine before it. */
  public double lostSeconds() {
    return facts.has(Fact.OTHERS_LOST_SECONDS) ? facts.number(Fact.OTHERS_LOST_SECONDS) : 0;
  }

  /** Returns the run's folder. */
  public String id() {
    return key.id();
  }

  /** Returns the row's label. */
  public String engine() {
    return key.engine();
  }

  /** Returns the options of the engine that are factors. */
  public SortedMap<String, String> options() {
    return key.options();
  }

  /** Returns the factor point by the settings' labels, constants included. */
  public SortedMap<String, String> factors() {
    return key.factors();
  }

  /** Returns the number of the repetition, from 1. */
  public int repetition() {
    return key.repetition();
  }

  /** Returns this record as the one of another row or factor point. */
  public RunRecord as(
      String engine, SortedMap<String, String> factors, List<PhaseRecord> newPhases) {
    RunKey as = new RunKey(key.id(), engine, key.options(), factors, key.repetition(), key.seed());
    return new RunRecord(as, outcome, note, facts, newPhases, started, ended, crashTest);
  }
}

package kvrank.stats;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.fact.Facts;
import kvrank.fact.Level;
import kvrank.plan.RunKey;
import kvrank.results.CrashTrialResult;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;

/** Builds records of runs, completed ones without phases unless a test states something else. */
public final class RunBuilder {

  private final String engine;
  private final Optional<RunRecord> original;
  private SortedMap<String, String> options = new TreeMap<>();
  private SortedMap<String, String> factors = new TreeMap<>();
  private int repetition = 1;
  private Outcome outcome = new Outcome.Completed();
  private String note = "";
  private Facts facts = new Facts();
  private List<PhaseRecord> phases = List.of();
  private Optional<Double> throughput = Optional.empty();
  private Optional<CrashTrialResult> crashTest = Optional.empty();
  private long seed = 42;
  private Instant started = Runs.THEN;
  private Instant ended = Runs.THEN;

  RunBuilder(String engine) {
    this.engine = engine;
    this.original = Optional.empty();
  }

  RunBuilder(RunRecord run) {
    engine = run.engine();
    original = Optional.of(run);
    options = new TreeMap<>(run.options());
    factors = new TreeMap<>(run.factors());
    repetition = run.repetition();
    outcome = run.outcome();
    note = run.note();
    facts = new Facts(run.facts());
    phases = run.phases();
    crashTest = run.crashTest();
    seed = run.key().seed();
    started = run.started();
    ended = run.ended();
  }

  /** Sets the options that are factors of the row. */
  public RunBuilder options(Map<String, String> values) {
    options = new TreeMap<>(values);
    return this;
  }

  /** Sets a factor of the run's factor point. */
  public RunBuilder at(String factor, String value) {
    factors.put(factor, value);
    return this;
  }

  public RunBuilder at(Map<String, String> point) {
    factors = new TreeMap<>(point);
    return this;
  }

  public RunBuilder repetition(int number) {
    repetition = number;
    return this;
  }

  /** Sets the seed of its requests, which all runs of a repetition share. */
  public RunBuilder seed(long number) {
    seed = number;
    return this;
  }

  public RunBuilder time(Instant from, Duration length) {
    started = from;
    ended = from.plus(length);
    return this;
  }

  public RunBuilder outcome(Outcome how) {
    outcome = how;
    return this;
  }

  public RunBuilder note(String text) {
    note = text;
    return this;
  }

  public RunBuilder facts(Map<String, String> values) {
    facts = Runs.facts(Level.RUN, values);
    return this;
  }

  public RunBuilder phases(PhaseRecord... records) {
    return phases(List.of(records));
  }

  public RunBuilder phases(List<PhaseRecord> records) {
    phases = records;
    return this;
  }

  /** Gives the run one phase, {@code get}, with that many reads per second. */
  public RunBuilder throughput(double perSecond) {
    throughput = Optional.of(perSecond);
    return this;
  }

  public RunBuilder crashTest(CrashTrialResult result) {
    crashTest = Optional.of(result);
    return this;
  }

  public RunRecord build() {
    String id = original.map(RunRecord::id).orElse(engine + factors.values() + repetition);
    return new RunRecord(
        new RunKey(id, engine, options, factors, repetition, seed),
        outcome,
        note,
        facts,
        throughput
            .map(
                perSecond ->
                    List.of(Runs.phase("get").at(factors).operation("read", perSecond).build()))
            .orElse(phases),
        started,
        ended,
        crashTest);
  }
}

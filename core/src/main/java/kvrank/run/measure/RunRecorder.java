package kvrank.run.measure;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import kvrank.engine.EngineDefinition;
import kvrank.engine.Fsync;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.fact.YesNo;
import kvrank.metric.Latency;
import kvrank.plan.RunSpec;
import kvrank.results.CrashTrialResult;
import kvrank.results.Durability;
import kvrank.results.Durability.Verdict;
import kvrank.results.OperationRecord;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;
import kvrank.run.durability.DeviceProbes;
import kvrank.run.durability.DurabilityCheck;
import kvrank.run.durability.WrittenStretch;
import kvrank.workload.request.Operation;

/** Collects the contents of a run's record. */
public final class RunRecorder {

  private final RunSpec run;
  private final Instant started;
  private final long startNanos = System.nanoTime();
  private long lapNanos = startNanos;
  private final Facts facts = new Facts();
  private final List<Measurement> phases = new ArrayList<>();
  private Optional<Measurement> single = Optional.empty();
  private boolean evicts;
  private Optional<CrashTrialResult> crashTest = Optional.empty();

  public RunRecorder(RunSpec run, Instant started) {
    this.run = run;
    this.started = started;
    facts.put(Fact.ASKED, run.engine().asked());
    EngineDefinition engine = run.engine().definition();
    facts.put(Fact.DESCRIPTION, engine.description());
    if (!engine.language().isEmpty()) {
      facts.put(Fact.LANGUAGE, engine.language());
    }
    if (engine.baseline()) {
      facts.put(Fact.BASELINE, YesNo.YES);
    }
    facts.put(Fact.DURABILITY_LEVEL, run.fsync().label());
  }

  Facts facts() {
    return facts;
  }

  /** Adds the time since the last call, or the start of the run, to one of its parts. */
  void lap(Fact part) {
    lap(part, System.nanoTime());
  }

  private void lap(Fact part, long now) {
    double before = facts.has(part) ? facts.number(part) : 0;
    facts.put(part, Math.round(1e3 * before + (now - lapNanos) / 1e6) / 1e3);
    lapNanos = now;
  }

  /** Records whether an external server may evict records. */
  void evicts(boolean may) {
    evicts = may;
  }

  /** Records that the worker failed to close the engine after all phases. */
  void closing(String problem) {
    facts.put(Fact.WORKER_CLOSING, problem);
  }

  void phase(Measurement phase) {
    phases.add(phase);
  }

  /** Returns whether the engine was closed and opened again before a phase. */
  boolean reopened() {
    return phases.stream().anyMatch(phase -> phase.phase().facts().has(Fact.REOPENED));
  }

  void single(Measurement measurement) {
    single = Optional.of(measurement);
  }

  /** Judges all phases, again if necessary; returns whether each that wrote is proven. */
  boolean judge(Optional<DeviceProbes> device) {
    phases.replaceAll(phase -> judged(phase, device));
    durabilityFacts(device);
    return phases.stream()
        .flatMap(phase -> phase.phase().durability().stream())
        .map(Durability::verdict)
        .allMatch(verdict -> verdict == Verdict.PROVEN || verdict == Verdict.NO_WRITES);
  }

  /** Returns whether a phase has figures. */
  boolean measured() {
    return phases.stream().anyMatch(Measurement::completed);
  }

  void crashTest(CrashTrialResult test) {
    crashTest = Optional.of(test);
  }

  /** Returns the finished run's record, with a duration that does not depend on clock changes. */
  public RunRecord end(Outcome outcome) {
    long now = System.nanoTime();
    if (facts.has(Fact.TIME_SERVER_SECONDS)) {
      lap(Fact.TIME_STOP_SECONDS, now);
    }
    Instant ended = started.plusNanos(now - startNanos);
    List<PhaseRecord> records = phases.stream().map(Measurement::phase).toList();
    List<String> notes = new ArrayList<>();
    levelNote().ifPresent(notes::add);
    if (evicts) {
      notes.add("a cache: its server may evict records, so missing ones are misses");
    }
    if (facts.has(Fact.CLUSTER_MOVED)) {
      notes.add(
          "keys moved between its members, see %s in record.json"
              .formatted(Fact.CLUSTER_MOVED.label()));
    }
    if (facts.has(Fact.WORKER_CLOSING)) {
      notes.add(
          "closing it failed after the last phase, see %s in record.json"
              .formatted(Fact.WORKER_CLOSING.label()));
    }
    long others =
        records.stream().mapToLong(phase -> phase.facts().count(Fact.CONNECTIONS_OTHERS)).sum();
    if (others > 0) {
      notes.add("connections to its server that others opened: %,d".formatted(others));
    }
    String note = String.join("; ", notes);
    Optional<CrashTrialResult> missed =
        run.crashTest()
            .filter(any -> outcome instanceof Outcome.InPhase)
            .map(asked -> CrashTrialResult.missed(asked.test().powerCut().isPresent(), outcome));
    return new RunRecord(
        run.key(), outcome, note, facts, records, started, ended, crashTest.or(() -> missed));
  }

  /** Returns the note on the level, if there is one; for an external server, its settings. */
  private Optional<String> levelNote() {
    EngineDefinition engine = run.engine().definition();
    if (run.fsync().kind() != Fsync.Kind.AS_IS) {
      return engine.level(run.fsync()).note();
    }
    Set<String> names = new TreeSet<>();
    engine.fsync().values().forEach(level -> names.addAll(level.facts().keySet()));
    SortedMap<String, String> reported = facts.parts(Fact.ENGINE);
    names.retainAll(reported.keySet());
    return names.isEmpty()
        ? Optional.empty()
        : Optional.of(
            names.stream()
                .map(name -> name + "=" + reported.get(name))
                .collect(Collectors.joining(", ", "as its owner has set it: ", "")));
  }

  private Measurement judged(Measurement phase, Optional<DeviceProbes> device) {
    if (phase.written().isEmpty()) {
      return phase;
    }
    WrittenStretch stretch = phase.written().get();
    DurabilityCheck check =
        new DurabilityCheck(
            run.fsync(), stretch, device, singleVerdict(device), OptionalLong.empty());
    return new Measurement(phase.phase().with(check.durability()), phase.written());
  }

  private void durabilityFacts(Optional<DeviceProbes> device) {
    if (run.fsync().promises() && device.isPresent()) {
      facts.put(Fact.DURABILITY_FDATASYNC_P10_NANOS, device.get().syncP10Nanos());
      facts.put(Fact.DURABILITY_FDATASYNC_P50_NANOS, device.get().syncP50Nanos());
    }
    Optional<Durability> verdict = singleVerdict(device);
    if (verdict.isPresent()) {
      Durability found = verdict.get();
      facts.put(Fact.DURABILITY_ONE_WRITE_VERDICT, found.verdict().label());
      facts.put(Fact.DURABILITY_ONE_WRITE_REASON, found.reason());
      facts.put(Fact.DURABILITY_ONE_WRITE_WRITES, found.writes());
      found.flushes().ifPresent(n -> facts.put(Fact.DURABILITY_ONE_WRITE_FLUSHES, n));
      readP50().ifPresent(n -> facts.put(Fact.DURABILITY_ONE_WRITE_READ_P50_NANOS, n));
    }
    single
        .flatMap(Measurement::written)
        .flatMap(WrittenStretch::latency)
        .ifPresent(
            nanos -> {
              facts.put(Fact.DURABILITY_ONE_WRITE_WRITE_P10_NANOS, nanos.p10());
              facts.put(Fact.DURABILITY_ONE_WRITE_WRITE_P50_NANOS, nanos.p50());
            });
  }

  private Optional<Durability> singleVerdict(Optional<DeviceProbes> device) {
    return single.map(
        found ->
            found.written().isPresent() && found.completed()
                ? new DurabilityCheck(
                        run.fsync(), found.written().get(), device, Optional.empty(), readP50())
                    .durability()
                : Durability.notMeasurable(found.phase().outcome().reason()));
  }

  private OptionalLong readP50() {
    return single
        .map(found -> found.phase().operations().get(Operation.READ.label()))
        .flatMap(OperationRecord::latencyNanos)
        .map(Latency::p50)
        .orElse(OptionalLong.empty());
  }
}

package kvrank.run;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import kvrank.metric.LatencySummary;
import kvrank.plan.RunSpec;
import kvrank.results.CrashTest;
import kvrank.results.Durability;
import kvrank.results.OperationRecord;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;
import kvrank.scenario.EngineDefinition;
import kvrank.scenario.Fsync;
import kvrank.workload.Operation;

/** Collects what a run's record will hold. */
final class RunRecorder {

  private static final String FACT = "durability.oneWrite.";

  private final RunSpec run;
  private final Instant started;
  private final SortedMap<String, String> facts = new TreeMap<>();
  private final List<PhaseRecord> phases = new ArrayList<>();
  private final SortedMap<String, WrittenStretch> written = new TreeMap<>();
  private Optional<Measurement> single = Optional.empty();
  private Optional<CrashTest> crashTest = Optional.empty();

  RunRecorder(RunSpec run, Instant started) {
    this.run = run;
    this.started = started;
    facts.put(RunRecord.ASKED, run.engine().asked());
  }

  void facts(SortedMap<String, String> more) {
    facts.putAll(more);
  }

  void fact(String name, String value) {
    facts.put(name, value);
  }

  void phase(PhaseRecord phase) {
    phases.add(phase);
  }

  /** Has the durability of a phase judged by {@code stretch}. */
  void written(String phase, WrittenStretch stretch) {
    written.put(phase, stretch);
  }

  /** Adds the stretch with one write in flight. */
  void single(Measurement measurement) {
    single = Optional.of(measurement);
  }

  /**
   * Judges the durability of all phases, now that the device was watched after them, too.
   *
   * @param device what it does by itself, if that is known
   */
  void judge(Optional<DeviceProbes> device) {
    phases.replaceAll(phase -> judged(phase, device));
    durabilityFacts(device);
  }

  void crashTest(CrashTest test) {
    crashTest = Optional.of(test);
  }

  /** Returns the record of a run that is over. */
  RunRecord end(Outcome outcome, Instant ended) {
    return new RunRecord(run.key(), outcome, note(), facts, phases, started, ended, crashTest);
  }

  /** What a reader has to know of the level; of a server that is as it is, what that is. */
  private String note() {
    EngineDefinition engine = run.engine().definition();
    if (run.fsync().kind() != Fsync.Kind.AS_IS) {
      return engine.level(run.fsync()).note().orElse("");
    }
    SortedMap<String, String> set = new TreeMap<>(facts);
    set.keySet()
        .removeIf(
            name ->
                engine.fsync().values().stream()
                    .noneMatch(level -> level.facts().containsKey(name)));
    return "as its owner has set it"
        + set.entrySet().stream().map(each -> ", " + each).collect(Collectors.joining());
  }

  /** Returns {@code phase} with its verdict, if anything was measured in it. */
  private PhaseRecord judged(PhaseRecord phase, Optional<DeviceProbes> device) {
    WrittenStretch stretch = written.get(phase.name());
    return stretch == null
        ? phase
        : phase.with(
            new DurabilityCheck(
                    run.fsync(), stretch, device, singleVerdict(device), OptionalLong.empty())
                .durability());
  }

  /** Adds what the device and the stretch with one write in flight showed. */
  private void durabilityFacts(Optional<DeviceProbes> device) {
    if (run.fsync().promises()) {
      device.ifPresent(
          found -> {
            facts.put("durability.fdatasync.p10Nanos", Long.toString(found.syncP10Nanos()));
            facts.put("durability.fdatasync.p50Nanos", Long.toString(found.syncP50Nanos()));
          });
    }
    singleVerdict(device)
        .ifPresent(
            found -> {
              facts.put(FACT + "verdict", found.verdict().label());
              facts.put(FACT + "reason", found.reason());
              facts.put(FACT + "writes", Long.toString(found.writes()));
              found.flushes().ifPresent(n -> facts.put(FACT + "flushes", Long.toString(n)));
              readP50().ifPresent(n -> facts.put(FACT + "readP50Nanos", Long.toString(n)));
            });
    if (single.isPresent() && single.get() instanceof Measurement.Measured measured) {
      measured
          .written()
          .latency()
          .ifPresent(
              nanos -> {
                facts.put(FACT + "writeP10Nanos", Long.toString(nanos.p10()));
                facts.put(FACT + "writeP50Nanos", Long.toString(nanos.p50()));
              });
    }
  }

  private Optional<Durability> singleVerdict(Optional<DeviceProbes> device) {
    return single.map(
        measurement ->
            measurement instanceof Measurement.Measured measured
                    && measured.outcome() instanceof Outcome.Completed
                ? new DurabilityCheck(
                        run.fsync(), measured.written(), device, Optional.empty(), readP50())
                    .durability()
                : Durability.notMeasurable(measurement.outcome().reason()));
  }

  private OptionalLong readP50() {
    OperationRecord reads =
        single.isPresent() && single.get() instanceof Measurement.Measured measured
            ? measured.measurements().operations().get(Operation.READ.label())
            : null;
    return reads == null
        ? OptionalLong.empty()
        : reads.latencyNanos().map(LatencySummary::p50).orElse(OptionalLong.empty());
  }
}

package kvrank.run;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.metric.LatencySummary;
import kvrank.results.Durability;
import kvrank.results.OperationRecord;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.scenario.Fsync;
import kvrank.workload.Operation;

/** What a run showed of its durability. It is judged when the device was watched after it, too. */
final class DurabilityEvidence {

  private static final String FACT = "durability.oneWrite.";

  private final Fsync fsync;
  private final SortedMap<String, WrittenStretch> phases = new TreeMap<>();
  private Optional<Measurement> single = Optional.empty();

  DurabilityEvidence(Fsync fsync) {
    this.fsync = fsync;
  }

  void phase(String name, WrittenStretch written) {
    phases.put(name, written);
  }

  void single(Measurement measurement) {
    single = Optional.of(measurement);
  }

  /** Returns {@code phase} with its verdict, if anything was measured in it. */
  PhaseRecord judged(PhaseRecord phase, Optional<DeviceProbes> device) {
    WrittenStretch written = phases.get(phase.name());
    return written == null
        ? phase
        : phase.with(
            new DurabilityCheck(fsync, written, device, singleVerdict(device), OptionalLong.empty())
                .durability());
  }

  /** Returns what the device and the stretch with one write in flight showed. */
  SortedMap<String, String> facts(Optional<DeviceProbes> device) {
    SortedMap<String, String> facts = new TreeMap<>();
    if (fsync == Fsync.ON) {
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
    return facts;
  }

  private Optional<Durability> singleVerdict(Optional<DeviceProbes> device) {
    return single.map(
        measurement ->
            measurement instanceof Measurement.Measured measured
                    && measured.outcome() instanceof Outcome.Completed
                ? new DurabilityCheck(
                        fsync, measured.written(), device, Optional.empty(), readP50())
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

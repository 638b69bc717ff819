package kvrank.results.pack;

import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import kvrank.fact.Fact;
import kvrank.results.OperationRecord;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;
import kvrank.workload.request.Operation;

/** Compares the facts that metrics are computed from with the counts of their phase. */
final class RawFacts {

  /** How much later than its last line a timeline may end. */
  private static final double LATE_NANOS = 5e7;

  private static final double LATE = 0.02;

  /** The figures that no raw file has. */
  private static final String VARYING = "bytes of values that vary in length";

  private static final String SCANNED = "bytes that scans returned";

  private static final Set<Operation> READING =
      Set.of(Operation.READ, Operation.READ_MODIFY_WRITE, Operation.ITERATE);

  private static final Set<Operation> SCANNING =
      Set.of(Operation.RANGE_SCAN, Operation.PREFIX_SCAN);

  private final RawTimeline timeline;

  /** The records after the load; NaN if unknown. */
  private final double loaded;

  /** The mean size of the records that the load wrote; NaN if unknown. */
  private final double recordBytes;

  /** The mean size of the records that the data then had; NaN if unknown. */
  private final double liveBytes;

  RawFacts(RunRecord run, RawTimeline timeline) {
    this.timeline = timeline;
    Optional<PhaseRecord> load =
        run.phases().stream()
            .filter(phase -> phase.load() && phase.outcome() instanceof Outcome.Completed)
            .findFirst();
    this.loaded = load.map(phase -> phase.facts().number(Fact.RECORDS)).orElse(Double.NaN);
    this.recordBytes = load.map(RawFacts::recordBytes).orElse(Double.NaN);
    this.liveBytes = load.map(RawFacts::liveBytes).orElse(Double.NaN);
  }

  /** Returns the mean size of the records that a load wrote; NaN if unknown. */
  static double recordBytes(PhaseRecord load) {
    double records = sum(load, Operation::storesValue, OperationRecord::ok);
    return records > 0 ? load.facts().number(Fact.USER_WRITTEN_BYTES) / records : Double.NaN;
  }

  /** Returns the mean size of the records after a load; NaN if unknown. */
  static double liveBytes(PhaseRecord load) {
    return load.facts().number(Fact.USER_LIVE_BYTES) / load.facts().number(Fact.RECORDS);
  }

  private static double sum(
      PhaseRecord phase, Predicate<Operation> which, ToLongFunction<OperationRecord> count) {
    return phase.operations().entrySet().stream()
        .filter(each -> Operation.ofResult(each.getKey()).filter(which).isPresent())
        .mapToLong(each -> count.applyAsLong(each.getValue()))
        .sum();
  }

  /** Returns a fact as a number; 0 if it is missing. */
  static double number(PhaseRecord phase, Fact fact) {
    return phase.facts().has(fact) ? phase.facts().number(fact) : 0;
  }

  /** Compares the facts of a phase with the counts of a stretch of time. */
  void compare(PhaseRecord phase, String stretch, Contradictions found) {
    Checked checked = new Checked(phase, stretch, found);
    double read = sum(phase, Operation.READ::equals, OperationRecord::ok);
    checked.same(Fact.READS_HITS, read, "the number of reads");
    checked.same(
        Fact.READS_MISSES,
        sum(phase, Operation.READ::equals, OperationRecord::notFound),
        "the number of missed reads");
    checked.atMost(Fact.STALE_READS, read, 0, "the number of reads");
    double errors = sum(phase, any -> true, OperationRecord::errorTotal);
    checked.atMost(Fact.REPEATED_RECORDS, errors, 0, "the number of errors");
    double lasted = timeline.millis(stretch) * 1e6;
    checked.atMost(
        Fact.UNAVAILABLE_NANOS,
        errors > 0 ? lasted * (1 + LATE) : 0,
        errors > 0 ? LATE_NANOS : 0,
        errors > 0 ? RawTimeline.FILE : "a phase without errors");
    checked.atMost(
        Fact.UNAVAILABLE_LONGEST_NANOS,
        phase.facts().number(Fact.UNAVAILABLE_NANOS),
        0,
        Fact.UNAVAILABLE_NANOS.label());
    records(phase, stretch, checked);
    bytes(phase, checked);
  }

  private void records(PhaseRecord phase, String stretch, Checked checked) {
    double inserted = timeline.all(stretch, Operation.INSERT);
    double deleted = timeline.all(stretch, Operation.DELETE);
    double doubtful = sum(phase, any -> true, OperationRecord::errorTotal);
    double fewest = phase.load() ? inserted : loaded - deleted;
    double most = phase.load() ? inserted : loaded + inserted;
    if (!Double.isNaN(fewest)) {
      checked.between(Fact.RECORDS, fewest - doubtful, most + doubtful, 0, RawTimeline.FILE);
    }
    checked.atMost(
        Fact.COMPENSATION_RECORDS, deleted, 0, "the number of deletes in " + RawTimeline.FILE);
    String asked = phase.settings().getOrDefault("records", "");
    if (phase.load() && asked.matches("[0-9]{1,15}")) {
      // A trace may begin without some of its records.
      double least = phase.facts().has(Fact.USER_WRITTEN_BYTES) ? Double.parseDouble(asked) : 0;
      checked.found.between(
          stretch + ": inserts",
          sum(phase, Operation.INSERT::equals, OperationRecord::ok),
          least - doubtful,
          Double.parseDouble(asked),
          0,
          "the setting 'records'");
    }
  }

  private void bytes(PhaseRecord phase, Checked checked) {
    if (Double.isNaN(recordBytes)) {
      return;
    }
    // Of values that vary in length, only the worker has counted the bytes.
    boolean fixed = recordBytes == Math.rint(recordBytes);
    double stored =
        sum(phase, Operation::storesValue, OperationRecord::ok)
            + number(phase, Fact.COMPENSATION_RECORDS);
    double deleted = sum(phase, Operation.DELETE::equals, OperationRecord::ok);
    double read = sum(phase, READING::contains, OperationRecord::ok);
    double scans = sum(phase, SCANNING::contains, OperationRecord::ok);
    if (!fixed || (scans > 0 && checked.has(Fact.USER_READ_BYTES))) {
      checked.found.leaveOut(fixed ? SCANNED : VARYING);
    }
    String source = "the total at %.1f bytes a record".formatted(recordBytes);
    if (fixed) {
      double least = stored * recordBytes;
      double most = (stored + deleted) * recordBytes;
      checked.between(Fact.USER_WRITTEN_BYTES, least, most, 1, source);
    }
    if (fixed && scans == 0) {
      double bytes = read * recordBytes;
      checked.between(Fact.USER_READ_BYTES, bytes, bytes, 1, source);
    }
    double mean = fixed || Double.isNaN(liveBytes) ? recordBytes : liveBytes;
    double live = phase.facts().number(Fact.RECORDS) * mean;
    checked.between(Fact.USER_LIVE_BYTES, live, live, 1, source);
    double before = phase.load() ? 0 : loaded * mean;
    checked.between(Fact.USER_BEGIN_BYTES, before, before, 1, source);
  }

  /** Compares facts that exist. */
  private record Checked(PhaseRecord phase, String stretch, Contradictions found) {

    private boolean has(Fact fact) {
      return phase.facts().has(fact);
    }

    private String figure(Fact fact) {
      return stretch + ": " + fact.label();
    }

    private double stated(Fact fact) {
      return phase.facts().number(fact);
    }

    private void same(Fact fact, double raw, String source) {
      if (has(fact)) {
        found.same(figure(fact), stated(fact), raw, source);
      }
    }

    private void atMost(Fact fact, double most, double slack, String source) {
      if (has(fact)) {
        found.atMost(figure(fact), stated(fact), most, slack, source);
      }
    }

    private void between(Fact fact, double least, double most, double slack, String source) {
      if (has(fact)) {
        found.between(figure(fact), stated(fact), least, most, slack, source);
      }
    }
  }
}

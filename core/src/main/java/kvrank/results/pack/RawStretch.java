package kvrank.results.pack;

import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import kvrank.fact.Fact;
import kvrank.results.LatencyLog;
import kvrank.results.OperationRecord;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;
import kvrank.results.Timeline;
import kvrank.workload.request.Operation;
import org.HdrHistogram.Histogram;

/** Compares the counts, latencies and the time of a phase with a stretch of time in raw files. */
record RawStretch(RunRecord run, RawLatencies latencies, RawTimeline timeline, RawSamples samples) {

  /** The log has milliseconds, of the start and of the length. */
  static final double MILLIS = 3e-3;

  /** By how much throughput may differ from its count and time. */
  static final double RATE = 0.01;

  /** How late the last line of a file may be. */
  private static final double LATE = 0.02;

  private static final double LATE_NANOS = 5e7;

  /** The suffix of the status of errors in a warm-up, which the timeline counts there. */
  private static final String IN_WARMUP = " in the warm-up";

  /** Compares a phase, whose throughput is {@code scale} times that of the stretch. */
  void compare(PhaseRecord phase, String stretch, double scale, Contradictions found) {
    SortedSet<String> labels = timeline.labels(stretch);
    labels.addAll(latencies.of(stretch).keySet());
    labels.removeAll(phase.operations().keySet());
    labels.forEach(label -> found.add(stretch + ": has no " + label + ", unlike its files"));
    phase
        .operations()
        .forEach(
            (label, record) -> {
              operation(phase, stretch, label, record, found);
              if (phase.elapsedNanos() > 0) {
                double rate = record.ok() * 1e9 / phase.elapsedNanos() * scale;
                String figure = stretch + ", " + label + ": throughput";
                found.near(figure, record.throughput(), rate, RATE * rate, "ok per elapsedNanos");
              }
            });
    time(phase, stretch, found);
    inFlight(phase, stretch, found);
  }

  private void operation(
      PhaseRecord phase,
      String stretch,
      String label,
      OperationRecord record,
      Contradictions found) {
    String place = stretch + ", " + label;
    String counts = RawTimeline.FILE;
    long errors =
        record.errors().entrySet().stream()
            .filter(each -> !each.getKey().endsWith(IN_WARMUP))
            .mapToLong(Map.Entry::getValue)
            .sum();
    long ok = timeline.measured(stretch, label, Timeline.Interval::ok);
    found.same(place + ": ok", record.ok(), ok, counts);
    long missing = timeline.measured(stretch, label, Timeline.Interval::notFound);
    found.same(place + ": notFound", record.notFound(), missing, counts);
    long failed = timeline.measured(stretch, label, Timeline.Interval::errors);
    found.same(place + ": errors", errors, failed, counts);
    found.same(
        place + ": errors in the warm-up",
        record.errorTotal() - errors,
        timeline.errorsBefore(stretch, label),
        counts);
    Optional<Histogram> raw =
        Optional.ofNullable(latencies.of(stretch).get(label)).map(LatencyLog.Recorded::histogram);
    RawLatencies.compare(place, record.latencyNanos(), raw, found);
    // An iteration counts the records that it walks over.
    if (Operation.ofResult(label).filter(Operation.ITERATE::equals).isEmpty()) {
      double requests = raw.map(Histogram::getTotalCount).orElse(0L);
      double batch = setting(phase, "batch");
      double partly = batch > 1 ? failed : 0;
      found.atMost(place + ": ok", ok + missing, (requests + partly) * batch, 0, RawLatencies.FILE);
      // No fact has the requests of a group that were due and never sent.
      if (!phase.facts().parts(Fact.GROUP_RATE_ASKED).containsKey(label.replaceFirst(":.*", ""))) {
        double unsent = RawFacts.number(phase, Fact.RATE_UNSENT);
        found.atMost(place + ": count", requests, ok + missing + failed + unsent, 0, counts);
      }
    }
  }

  private void time(PhaseRecord phase, String stretch, Contradictions found) {
    String figure = stretch + ": elapsedNanos";
    double elapsed = phase.elapsedNanos();
    latencies.of(stretch).values().stream()
        .mapToDouble(RawStretch::seconds)
        .findFirst()
        .ifPresent(
            seconds -> found.near(figure, elapsed, seconds * 1e9, MILLIS * 1e9, RawLatencies.FILE));
    // The time of an open loop may end after its last request, and machines have own clocks.
    boolean single =
        !phase.facts().has(Fact.RATE_ASKED)
            && phase.facts().parts(Fact.GROUP_RATE_ASKED).isEmpty()
            && !run.facts().has(Fact.GENERATORS);
    if (single) {
      double warmup = RawFacts.number(phase, Fact.WARMUP_NANOS);
      double counted = timeline.millis(stretch) * 1e6;
      double slack = LATE * counted + LATE_NANOS;
      found.atMost(figure, elapsed, counted - warmup, slack, RawTimeline.FILE);
      samples
          .millis(stretch)
          .ifPresent(
              millis ->
                  found.atMost(figure, elapsed, millis * 1e6 - warmup, slack, RawSamples.FILE));
    }
  }

  static double seconds(LatencyLog.Recorded recorded) {
    return recorded.interval().end() - recorded.interval().start();
  }

  /** Checks that the time is enough for all requests, each client sending one after another. */
  private void inFlight(PhaseRecord phase, String stretch, Contradictions found) {
    SortedMap<String, LatencyLog.Recorded> raw = latencies.of(stretch);
    double busy = 0;
    double longest = 0;
    for (Map.Entry<String, OperationRecord> each : phase.operations().entrySet()) {
      String label = each.getKey();
      if (raw.containsKey(label) && !phase.withinTransaction(label) && each.getValue().ok() > 0) {
        Histogram histogram = latencies.fromSending(stretch, label);
        busy += histogram.getMean() * histogram.getTotalCount();
        longest = Math.max(longest, (double) histogram.getMaxValue());
      }
    }
    double clients = clients(phase);
    if (busy > clients * (phase.elapsedNanos() * (1 + RATE) + longest)) {
      found.add(
          "%s: elapsedNanos is %,d, but its requests in %s take %,.0f ns, with at most %,.0f at a time"
              .formatted(stretch, phase.elapsedNanos(), RawLatencies.FILE, busy, clients));
    }
  }

  /** Returns the largest number of requests in flight; infinite if the record does not have it. */
  private static double clients(PhaseRecord phase) {
    double ofGroups =
        phase.facts().parts(Fact.GROUP_THREADS).values().stream()
            .mapToDouble(Double::parseDouble)
            .sum();
    boolean known = ofGroups > 0 || !phase.settings().getOrDefault("threads", "").isEmpty();
    double threads = ofGroups > 0 ? ofGroups : setting(phase, "threads");
    return known
        ? threads * setting(phase, "connections") * setting(phase, "pipeline")
        : Double.POSITIVE_INFINITY;
  }

  /** Returns a number of the settings in force; 1 if it is missing. */
  private static double setting(PhaseRecord phase, String label) {
    String text = phase.settings().getOrDefault(label, "");
    return text.matches("[0-9]{1,9}") ? Double.parseDouble(text) : 1;
  }
}

package kvrank.results.pack;

import java.util.List;
import kvrank.fact.Fact;
import kvrank.results.CounterSeries;
import kvrank.results.PhaseRecord;

/** Compares what an embedded engine counts itself with its counts over time. */
record RawCounters(CounterSeries series) {

  private static final String FILE = "counters.csv";

  /** How far the counts of the record may be from the nearest line. */
  private static final double MOMENT = 0.02;

  private static final double PAGE_BYTES = 4096;

  /** Compares a phase with a stretch of time. */
  void compare(PhaseRecord phase, String stretch, Contradictions found) {
    growth(phase, stretch, Fact.COUNTED_READ_BYTES, "storage-read-bytes", found);
    growth(phase, stretch, Fact.COUNTED_WRITTEN_BYTES, "storage-written-bytes", found);
  }

  private void growth(
      PhaseRecord phase, String stretch, Fact fact, String counter, Contradictions found) {
    if (!phase.facts().has(fact)) {
      return;
    }
    List<CounterSeries.Sample> own =
        series.samples().stream().filter(each -> each.counter().equals(counter)).toList();
    double warmupMillis = RawFacts.number(phase, Fact.WARMUP_NANOS) / 1e6;
    double last = Double.NaN;
    double before = 0;
    double first = Double.NaN;
    for (CounterSeries.Sample each : own) {
      boolean inside = each.phase().equals(stretch);
      if (!inside && Double.isNaN(last)) {
        before = each.value();
      } else if (inside) {
        last = each.value();
        boolean measured = each.elapsedMillis() >= Math.floor(warmupMillis);
        first = measured && Double.isNaN(first) ? last : first;
      }
    }
    // Counts begin at 0 again after the engine was opened again.
    double start = before <= last ? before : 0;
    double least = Double.isNaN(first) ? 0 : last - first;
    double most = last - start;
    found.between(
        stretch + ": " + fact.label(),
        phase.facts().number(fact),
        least,
        most,
        MOMENT * most + PAGE_BYTES,
        FILE);
  }
}

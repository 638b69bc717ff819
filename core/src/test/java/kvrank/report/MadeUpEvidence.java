package kvrank.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import kvrank.results.CounterSeries;
import kvrank.results.Evidence;
import kvrank.results.OperationRecord;
import kvrank.results.PhaseRecord;
import kvrank.results.ResourceSeries;
import kvrank.results.ResourceSeries.Column;
import kvrank.results.RunRecord;
import kvrank.results.Timeline;
import org.HdrHistogram.Histogram;

/** Raw series that agree with the records as far as a chart shows it. */
public final class MadeUpEvidence implements Evidence {

  private final String scenario;

  public MadeUpEvidence(String scenario) {
    this.scenario = scenario;
  }

  @Override
  public String scenario() {
    return scenario;
  }

  @Override
  public void addLatencies(RunRecord run, Map<String, Histogram> sums) {
    for (PhaseRecord phase : run.phases()) {
      for (Map.Entry<String, OperationRecord> operation : phase.operations().entrySet()) {
        Random random = new Random(run.engine().hashCode() + run.repetition());
        Histogram histogram =
            sums.computeIfAbsent(phase.name() + "/" + operation.getKey(), any -> new Histogram(3));
        double mean =
            operation.getValue().latencyNanos().map(latency -> latency.mean()).orElse(1e6);
        for (int i = 0; i < 20_000; i++) {
          double tail = i % 500 == 0 ? 20 : 1;
          histogram.recordValue(
              Math.max(1, Math.round(mean * tail * Math.exp(random.nextGaussian() * 0.4))));
        }
      }
    }
  }

  @Override
  public Timeline timeline(RunRecord run) {
    List<Timeline.Interval> intervals = new ArrayList<>();
    for (PhaseRecord phase : run.phases()) {
      Random random = new Random(run.engine().hashCode() + run.repetition());
      for (int second = 0; second < 13 && phase.throughput() > 0; second++) {
        long ok =
            Math.round(phase.throughput() * (second < 3 ? 0.8 : 1 + random.nextGaussian() * 0.03));
        intervals.add(
            new Timeline.Interval(
                phase.name(), second, (second + 1) * 1000L, second < 3, "read", ok, 0, 0, 90_000));
      }
    }
    return new Timeline(intervals);
  }

  @Override
  public CounterSeries counters(RunRecord run) {
    List<CounterSeries.Sample> samples = new ArrayList<>();
    for (PhaseRecord phase : run.phases()) {
      for (int second = 0; second < 13; second++) {
        long millis = second * 1000L;
        samples.add(
            new CounterSeries.Sample(phase.name(), millis, "memtable-bytes", false, 1 + millis));
        samples.add(
            new CounterSeries.Sample(phase.name(), millis, "evicted_keys", true, 5.0 * second));
        samples.add(
            new CounterSeries.Sample(
                phase.name(), millis, "storage-written-bytes", true, 1e6 * second));
      }
    }
    return new CounterSeries(samples);
  }

  @Override
  public ResourceSeries resources(RunRecord run) {
    List<ResourceSeries.Sample> samples = new ArrayList<>();
    long elapsed = 0;
    for (PhaseRecord phase : run.phases()) {
      for (int i = 0; i <= 52; i++) {
        elapsed += 250;
        samples.add(
            new ResourceSeries.Sample(
                phase.name(),
                elapsed,
                ResourceSeries.SERVER,
                i < 12,
                Map.of(
                    Column.USER_SECONDS, elapsed * 0.0006,
                    Column.SYSTEM_SECONDS, elapsed * 0.0002,
                    Column.RESIDENT_BYTES, 50_000_000.0 + 1000 * elapsed,
                    Column.WRITTEN_BYTES, 4096.0 * elapsed)));
      }
    }
    return new ResourceSeries(samples);
  }
}

package kvrank.run.measure;

import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.metric.Latency;
import kvrank.plan.RunSpec;
import kvrank.results.LatencyLog;
import kvrank.results.OperationRecord;
import kvrank.worker.protocol.OperationCount;
import kvrank.worker.protocol.PhaseResult;
import kvrank.workload.request.Operation;
import org.HdrHistogram.Histogram;

/** The operations of a stretch, by label, and their writes. */
final class StretchOperations {

  private static final String INSERT = Operation.INSERT.label();

  private final PhaseResult result;
  private final SortedMap<String, Histogram> histograms;
  private final SortedMap<String, OperationRecord> records = new TreeMap<>();
  private final SortedMap<String, OperationRecord> written;

  StretchOperations(PhaseResult result, SortedMap<String, Histogram> histograms) {
    this.result = result;
    this.histograms = histograms;
    double seconds = result.elapsedNanos() / 1e9;
    for (Map.Entry<String, OperationCount> entry : result.operations().entrySet()) {
      String label = entry.getKey();
      OperationCount count = entry.getValue();
      double throughput = seconds > 0 ? count.ok() / seconds : 0;
      records.put(
          label,
          new OperationRecord(
              count.ok(), count.notFound(), count.errors(), throughput, latency("/" + label)));
    }
    this.written = new TreeMap<>(records);
    if (result.facts().has(Fact.COMPENSATION_RECORDS)) {
      long inserts = result.facts().whole(Fact.COMPENSATION_RECORDS);
      Optional<Latency> latency = latency("/compensation/" + INSERT);
      written.put(INSERT, new OperationRecord(inserts, 0, new TreeMap<>(), 0, latency));
    }
  }

  /** Returns the operations of the workload. */
  SortedMap<String, OperationRecord> records() {
    return records;
  }

  /** Returns these plus unrequested inserts that compensate for deletes and were counted too. */
  SortedMap<String, OperationRecord> written() {
    return written;
  }

  private Optional<Latency> latency(String tag) {
    return Optional.ofNullable(histograms.get(result.phase() + tag)).map(LatencyLog::summary);
  }

  /** Returns latencies from sending, which an open loop logs separately. */
  SortedMap<String, Histogram> service() {
    SortedMap<String, Histogram> service = new TreeMap<>();
    for (String label : records.keySet()) {
      String tag = result.phase() + "/" + label;
      Histogram nanos = histograms.getOrDefault(tag + "/service", histograms.get(tag));
      if (nanos != null) {
        service.put(label, nanos);
      }
    }
    return service;
  }

  /**
   * Returns the bytes of keys and values of the records at the start and at the end, by their mean
   * size. Empty if the engine may have dropped some, and for hosted workloads and traces.
   */
  static Facts liveBytes(RunSpec run, long before, long after) {
    boolean known =
        run.dataset().stays()
            && run.dataset().trace().isEmpty()
            && run.phases().stream().allMatch(p -> p.spec().workload().hosted().isEmpty());
    double record = run.dataset().recordBytes();
    return known
        ? new Facts()
            .put(Fact.USER_BEGIN_BYTES, Math.round(before * record))
            .put(Fact.USER_LIVE_BYTES, Math.round(after * record))
        : new Facts();
  }
}

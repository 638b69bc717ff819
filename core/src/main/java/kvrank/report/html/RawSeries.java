package kvrank.report.html;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import kvrank.results.Evidence;
import kvrank.results.RunRecord;
import kvrank.results.Timeline;
import kvrank.results.UnreadableException;
import kvrank.stats.Group;
import org.HdrHistogram.Histogram;

/** The raw series of completed phases, read once. */
final class RawSeries {

  private record Place(String engine, SortedMap<String, String> factors, String tag) {}

  private final Findings findings;
  private final Map<Place, Histogram> latencies = new HashMap<>();
  private final IdentityHashMap<RunRecord, Timeline> timelines = new IdentityHashMap<>();
  private final List<String> unreadable = new ArrayList<>();
  private String scenario = "";

  RawSeries(Findings findings, Evidence evidence) {
    this.findings = findings;
    attempt(() -> scenario = evidence.scenario());
    for (RunRecord run : findings.runs()) {
      attempt(() -> evidence.latencies(run).forEach((tag, found) -> add(run, tag, found)));
      attempt(() -> timelines.put(run, evidence.timeline(run)));
    }
  }

  @FunctionalInterface
  private interface Reading {
    void read() throws UnreadableException;
  }

  private void attempt(Reading reading) {
    try {
      reading.read();
    } catch (UnreadableException e) {
      unreadable.add(e.getMessage());
    }
  }

  private void add(RunRecord run, String tag, Histogram histogram) {
    int slash = tag.indexOf('/');
    if (slash > 0 && Findings.completed(run, tag.substring(0, slash)).isPresent()) {
      latencies
          .computeIfAbsent(new Place(run.engine(), run.factors(), tag), place -> new Histogram(3))
          .add(histogram);
    }
  }

  /** A message for each file that is broken. */
  List<String> unreadable() {
    return List.copyOf(unreadable);
  }

  /** The scenario as it was resolved; may be empty. */
  String scenario() {
    return scenario;
  }

  /** The latencies of an operation over all repetitions, in nanoseconds. */
  Optional<Histogram> latencies(Group operation, String engine) {
    String tag = operation.phase() + "/" + operation.operation().orElseThrow();
    return Optional.ofNullable(latencies.get(new Place(engine, operation.factors(), tag)));
  }

  /** The timelines of the runs of {@code engine} that completed the phase. */
  List<Timeline> timelines(Group whole, String engine) {
    return findings.runs(engine, whole.factors()).stream()
        .filter(run -> Findings.completed(run, whole.phase()).isPresent())
        .flatMap(run -> Optional.ofNullable(timelines.get(run)).stream())
        .toList();
  }
}

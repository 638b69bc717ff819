package kvrank.results.pack;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import kvrank.results.Timeline;
import kvrank.workload.request.Operation;

/** The counts of {@code timeline.csv} by stretch: a phase, or one step of a sweep. */
final class RawTimeline {

  static final String FILE = "timeline.csv";

  private final Map<String, List<Timeline.Interval>> stretches;

  RawTimeline(Timeline timeline) {
    this.stretches =
        timeline.intervals().stream()
            .collect(groupingBy(Timeline.Interval::phase, TreeMap::new, toList()));
  }

  Set<String> stretches() {
    return stretches.keySet();
  }

  private List<Timeline.Interval> of(String stretch) {
    return stretches.getOrDefault(stretch, List.of());
  }

  /** Returns the sum of a count of {@code label} in the measured time. */
  long measured(String stretch, String label, ToLongFunction<Timeline.Interval> count) {
    return sum(stretch, label, false, count);
  }

  /** Returns the errors of {@code label} in the warm-up. */
  long errorsBefore(String stretch, String label) {
    return sum(stretch, label, true, Timeline.Interval::errors);
  }

  private long sum(
      String stretch, String label, boolean warmup, ToLongFunction<Timeline.Interval> count) {
    return of(stretch).stream()
        .filter(each -> each.warmup() == warmup && each.operation().equals(label))
        .mapToLong(count)
        .sum();
  }

  /** Returns the operations that were counted in the measured time. */
  SortedSet<String> labels(String stretch) {
    SortedSet<String> labels = new TreeSet<>();
    for (Timeline.Interval each : of(stretch)) {
      if (!each.warmup() && each.ok() + each.notFound() + each.errors() > 0) {
        labels.add(each.operation());
      }
    }
    return labels;
  }

  /** Returns the OK records of {@code operation} of all groups, in the warm-up, too. */
  long all(String stretch, Operation operation) {
    return of(stretch).stream()
        .filter(each -> Operation.ofResult(each.operation()).filter(operation::equals).isPresent())
        .mapToLong(Timeline.Interval::ok)
        .sum();
  }

  /** Returns the length of a stretch, with its warm-up; 0 without counts. */
  long millis(String stretch) {
    return of(stretch).stream().mapToLong(Timeline.Interval::elapsedMillis).max().orElse(0);
  }
}

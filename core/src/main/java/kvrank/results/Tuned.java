package kvrank.results;

import static java.util.Comparator.comparingLong;
import static java.util.stream.Collectors.toMap;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import kvrank.metric.Metric;

/** The result of an option search, with the values for the repetitions, the best first. */
public record Tuned(
    String engine, String option, Metric metric, List<Trial> trials, List<String> rows) {

  /** Returns the values used in the repetitions, ascending, by engine. */
  public static Map<String, List<String>> rowsByEngine(List<Tuned> tunings) {
    return tunings.stream()
        .collect(
            toMap(
                Tuned::engine,
                tuned -> tuned.rows().stream().sorted(comparingLong(Long::parseLong)).toList()));
  }

  /** Returns for example {@code redis hz: 64 has the best throughput of 9 values}. */
  @Override
  public String toString() {
    long tried = trials.stream().filter(trial -> trial.measured().isPresent()).count();
    return tried == 0
        ? "%s %s: no value was measured%s"
            .formatted(
                engine,
                option,
                trials.isEmpty() ? "" : ", so its rows are the first values, not the best")
        : "%s %s: %s has the best %s of %d values%s"
            .formatted(engine, option, rows.get(0), metric.title(), tried, edge());
  }

  /** Returns a remark if better values may be beyond the tried ones. */
  private String edge() {
    LongSummaryStatistics range =
        trials.stream().mapToLong(trial -> Long.parseLong(trial.value())).summaryStatistics();
    long best = Long.parseLong(rows.get(0));
    return best == range.getMin()
        ? ", and is the smallest"
        : best == range.getMax() ? ", and is the largest" : "";
  }

  /** One value, tried at each factor point: the geometric mean, or the reason for dropping it. */
  public record Trial(
      String value,
      @JsonSetter(nulls = Nulls.AS_EMPTY) Optional<Double> measured,
      String dropped) {}
}

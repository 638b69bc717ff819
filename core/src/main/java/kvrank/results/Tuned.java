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

/**
 * What a search for the best value of an option has come to; {@code tunings.json} has all.
 *
 * @param engine the name of the engine in the scenario
 * @param metric what the values were judged by
 * @param trials in the order in which they were made
 * @param rows the values that take part in the repetitions, the best first
 */
public record Tuned(
    String engine, String option, Metric metric, List<Trial> trials, List<String> rows) {

  /** Returns the values that take part in the repetitions, ascending, by the engine's name. */
  public static Map<String, List<String>> rowsByEngine(List<Tuned> tunings) {
    return tunings.stream()
        .collect(
            toMap(
                Tuned::engine,
                tuned -> tuned.rows().stream().sorted(comparingLong(Long::parseLong)).toList()));
  }

  /** For example {@code redis hz: 64 has the best throughput of 9 values}. */
  @Override
  public String toString() {
    long tried = trials.stream().filter(trial -> trial.measured().isPresent()).count();
    return tried == 0
        ? "%s %s: no value is measured%s"
            .formatted(
                engine,
                option,
                trials.isEmpty() ? "" : ", so its rows are the first to be tried and not the best")
        : "%s %s: %s has the best %s of %d values%s"
            .formatted(engine, option, rows.get(0), metric.title(), tried, edge());
  }

  /** That better values may be beyond those that were tried. */
  private String edge() {
    LongSummaryStatistics range =
        trials.stream().mapToLong(trial -> Long.parseLong(trial.value())).summaryStatistics();
    long best = Long.parseLong(rows.get(0));
    return best == range.getMin()
        ? ", and is the smallest"
        : best == range.getMax() ? ", and is the largest" : "";
  }

  /**
   * One run with a value, at each factor point.
   *
   * @param measured the geometric mean over phases, operations and factor points; empty if the
   *     value was dropped
   * @param dropped why it was; empty if it was not
   */
  public record Trial(
      String value,
      @JsonSetter(nulls = Nulls.AS_EMPTY) Optional<Double> measured,
      String dropped) {}
}

package kvrank.metric;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * A bound on a metric that a scenario states, for example {@code redis read p99 < 2ms}.
 *
 * @param engine the label of the row
 * @param cells all of which must keep the bound
 * @param below whether values must be below the bound, or else above
 * @param bound in the unit of the metric, or a share of the value of {@code other}
 * @param point factor values by their labels; empty for every factor point
 * @param other the label of the row that the bound is relative to, or {@link #BEST}
 */
public record Expectation(
    String text,
    String engine,
    List<Cell> cells,
    Metric metric,
    boolean below,
    double bound,
    SortedMap<String, String> point,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) @JsonSetter(nulls = Nulls.AS_EMPTY)
        Optional<String> other) {

  /** The name that stands for the best row of a comparison group, unless a row has it. */
  public static final String BEST = "best";

  /** The name that stands for every row. */
  public static final String EVERY = "*";

  /** A value of a metric; without a phase of the whole run, without an operation of the phase. */
  public record Cell(Optional<String> phase, Optional<String> operation) {}

  /** Creates a bound in the unit of the metric. */
  public Expectation(
      String text,
      String engine,
      List<Cell> cells,
      Metric metric,
      boolean below,
      double bound,
      SortedMap<String, String> point) {
    this(text, engine, cells, metric, below, bound, point, Optional.empty());
  }

  public Expectation of(String row) {
    return new Expectation(text, row, cells, metric, below, bound, point, other);
  }

  /** Returns the text without the engine that it is about, for example {@code read p99 < 2ms}. */
  public String requirement() {
    String[] words = text.split("\\s+", 2);
    return words[0].equals(EVERY) || words[0].equals(name()) ? words[1] : text;
  }

  private String name() {
    return engine.split(" ", 2)[0];
  }

  /** Returns this expectation of the row whose name ends with {@code suffix} in addition. */
  public Expectation named(String suffix) {
    Optional<String> row = other.filter(name -> !name.equals(BEST));
    String requirement =
        row.isPresent() ? requirement().replaceFirst("% of \\S+", "$0" + suffix) : requirement();
    return new Expectation(
        name() + suffix + " " + requirement,
        engine.replaceFirst("\\S+", "$0" + suffix),
        cells,
        metric,
        below,
        bound,
        point,
        row.map(label -> label.replaceFirst("\\S+", "$0" + suffix)).or(() -> other));
  }

  public boolean keeps(double value) {
    return below ? value < bound : value > bound;
  }
}

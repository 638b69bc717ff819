package kvrank.stats.history;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import kvrank.metric.Metric;
import kvrank.stats.Group;
import kvrank.stats.infer.Estimate;
import kvrank.stats.infer.Ratio;

/**
 * The executions of one scenario in order, and for each engine and phase the values of the metric
 * that decides it. The sample is the execution: its value is the geometric mean of its repetitions,
 * as repetitions tell nothing about the difference between executions.
 *
 * @param lines in the order of the scenario's phases, then by engine
 * @param notes what is kept apart or left out, a sentence each
 */
public record History(
    String scenario, List<Moment> executions, List<Line> lines, List<String> notes) {

  /**
   * One execution.
   *
   * @param label the stated one, else commits, else the time
   * @param name the last names of its folder
   */
  public record Moment(String label, Instant time, String name, Optional<String> commit) {}

  /**
   * One engine in one phase at one factor point.
   *
   * @param part what distinguishes it from a line with the same names; may be empty
   * @param values of each execution; NaN for none
   * @param newest the value of the newest execution with the interval of its repetitions
   */
  public record Line(
      Group group,
      String engine,
      Metric metric,
      String part,
      List<Double> values,
      Optional<Estimate> newest,
      List<Change> changes) {

    /** Returns the executions that have a value. */
    public int[] measured() {
      return IntStream.range(0, values.size()).filter(i -> !values.get(i).isNaN()).toArray();
    }

    /** Returns the geometric mean of the values from one execution to before another. */
    public double level(int from, int to) {
      return Math.exp(
          values.subList(from, to).stream()
              .filter(value -> !value.isNaN())
              .mapToDouble(Math::log)
              .average()
              .orElse(Double.NaN));
    }

    /** Returns the starts of the stretches without a change, and the end of the last. */
    public List<Integer> ends() {
      List<Integer> ends = new ArrayList<>(List.of(0));
      changes.forEach(change -> ends.add(change.at()));
      ends.add(values.size());
      return ends;
    }

    /**
     * Returns the newest level divided by the level before the first change at or after {@code
     * since}; 1 without such a change.
     */
    public double net(int since) {
      List<Integer> ends = ends();
      int first = 1;
      while (first < ends.size() - 1 && ends.get(first) < since) {
        first++;
      }
      return first == ends.size() - 1
          ? 1
          : level(ends.get(ends.size() - 2), values.size())
              / level(ends.get(first - 1), ends.get(first));
    }

    /** Returns whether {@code ratio} is worse by more than {@code tolerance}. */
    public boolean worse(double ratio, double tolerance) {
      return metric.direction().worse(ratio, tolerance);
    }

    /** Returns whether {@code ratio} is better by more than {@code tolerance}. */
    public boolean better(double ratio, double tolerance) {
      return metric.direction().better(ratio, tolerance);
    }

    /** Returns the logarithm of each value relative to the level there; NaN for none. */
    public double[] noise() {
      double[] noise = new double[values.size()];
      List<Integer> ends = ends();
      for (int i = 0; i + 1 < ends.size(); i++) {
        double level = level(ends.get(i), ends.get(i + 1));
        for (int k = ends.get(i); k < ends.get(i + 1); k++) {
          noise[k] = Math.log(values.get(k) / level);
        }
      }
      return noise;
    }

    /** Returns the correlation of the noise of neighbours; NaN without any. */
    private double resemblance() {
      double[] noise = Arrays.stream(noise()).filter(value -> !Double.isNaN(value)).toArray();
      double products = 0;
      double squares = 0;
      for (int i = 0; i < noise.length; i++) {
        squares += noise[i] * noise[i];
        products += i == 0 ? 0 : noise[i - 1] * noise[i];
      }
      return products / squares;
    }

    /** Returns for example {@code redis, get at fsync=off}. */
    public String label() {
      return engine + ", " + group.label() + (part.isEmpty() ? "" : ", " + part);
    }
  }

  /**
   * A change of the level of a line.
   *
   * @param at the index of the first execution after it; with 95 % confidence it is from {@code
   *     first} to {@code last}
   * @param ratio the level after it divided by the level before it
   */
  public record Change(int at, int first, int last, Ratio ratio) {}

  /** Returns whether a line is worse than before the changes of its last executions. */
  public boolean worse(int recent, double tolerance) {
    return lines.stream().anyMatch(line -> line.worse(line.net(since(recent)), tolerance));
  }

  /**
   * Returns the mean correlation of the noise of neighbouring executions if it is too large for
   * chance: the test assumes that there is none.
   */
  public OptionalDouble resemblance() {
    double mean =
        lines.stream()
            .mapToDouble(Line::resemblance)
            .filter(r -> !Double.isNaN(r))
            .average()
            .orElse(0);
    // Two standard errors of the correlation of one line.
    return mean > 2 / Math.sqrt(executions.size())
        ? OptionalDouble.of(mean)
        : OptionalDouble.empty();
  }

  /** Returns the index of the first of the last {@code recent} executions. */
  public int since(int recent) {
    return Math.max(0, executions.size() - recent);
  }
}

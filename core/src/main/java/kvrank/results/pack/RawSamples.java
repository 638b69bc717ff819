package kvrank.results.pack;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Predicate;
import kvrank.results.ResourceSeries;
import kvrank.results.ResourceSeries.Column;
import kvrank.results.ResourceSeries.Sample;

/** The samples of {@code resources.csv} by process and stretch. */
record RawSamples(ResourceSeries series) {

  static final String FILE = "resources.csv";

  /** A counter is read shortly before its first sample, and that of a child may be lost. */
  private static final double LOST = 0.02;

  /** How late a counter may be read after the last sample of a phase. */
  private static final double LATE_MILLIS = 50;

  List<Sample> of(String process) {
    return series.samples().stream().filter(each -> each.process().equals(process)).toList();
  }

  /** Returns the samples of a process in the measured time of a stretch. */
  Span span(String process, String stretch) {
    return Span.of(of(process), each -> each.phase().equals(stretch) && !each.warmup());
  }

  /** Returns the time in which a stretch was sampled, with its warm-up; empty if it was not. */
  OptionalLong millis(String stretch) {
    List<Sample> own =
        series.samples().stream().filter(each -> each.phase().equals(stretch)).toList();
    return own.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(own.get(own.size() - 1).elapsedMillis() - own.get(0).elapsedMillis());
  }

  /**
   * Some samples of a process, one after the other.
   *
   * @param earlier the last sample but one before them
   * @param before the last sample before them
   * @param after the first sample after them
   */
  record Span(
      Optional<Sample> earlier,
      Optional<Sample> before,
      List<Sample> during,
      Optional<Sample> after) {

    static Span of(List<Sample> samples, Predicate<Sample> which) {
      int from = 0;
      while (from < samples.size() && !which.test(samples.get(from))) {
        from++;
      }
      int to = samples.size();
      while (to > from && !which.test(samples.get(to - 1))) {
        to--;
      }
      return new Span(
          from > 1 ? Optional.of(samples.get(from - 2)) : Optional.empty(),
          from > 0 ? Optional.of(samples.get(from - 1)) : Optional.empty(),
          samples.subList(from, to).stream().filter(which).toList(),
          to < samples.size() ? Optional.of(samples.get(to)) : Optional.empty());
    }

    Optional<Sample> last() {
      return during.isEmpty() ? Optional.empty() : Optional.of(during.get(during.size() - 1));
    }

    OptionalDouble last(Column column) {
      return last().map(each -> each.figure(column)).orElse(OptionalDouble.empty());
    }

    double mean(Column column) {
      return during.stream().mapToDouble(each -> each.figure(column).orElse(0)).average().orElse(0);
    }

    double peak(Column column) {
      return during.stream().mapToDouble(each -> each.figure(column).orElse(0)).max().orElse(0);
    }

    static double or(Optional<Sample> sample, Column column, double other) {
      return sample.map(each -> each.figure(column)).orElse(OptionalDouble.empty()).orElse(other);
    }

    /** Returns the growth of a counter in this time, at its fastest pace in the span. */
    double in(double millis, Column column) {
      double most = 0;
      for (int i = 1; i < during.size(); i++) {
        most = Math.max(most, growth(during.get(i - 1), during.get(i), millis, column));
      }
      return most;
    }

    /**
     * Returns the growth of a counter before the first sample that may count: on a busy machine,
     * the sampler may read it for the sample before after the program has read it. A burst has
     * twice the pace.
     */
    double beforeFirst(Column column) {
      if (earlier.isEmpty() || before.isEmpty() || during.isEmpty()) {
        return 0;
      }
      long gap = during.get(0).elapsedMillis() - before.get().elapsedMillis();
      return Math.min(
          growth(earlier.get(), before.get(), 2.0 * gap, column),
          Math.max(0, or(before, column, 0) - or(earlier, column, 0)));
    }

    private static double growth(Sample from, Sample to, double millis, Column column) {
      double growth = to.figure(column).orElse(0) - from.figure(column).orElse(0);
      double lasted = Math.max(1, to.elapsedMillis() - from.elapsedMillis());
      return Math.max(0, growth) * millis / lasted;
    }

    /**
     * Requires the growth of a counter, which is first read between the last sample before and the
     * first one here.
     *
     * @param later whether it is last read after the last sample
     */
    void growth(
        String figure,
        Number stated,
        Column column,
        boolean later,
        double slack,
        Contradictions found) {
      if (last(column).isEmpty()) {
        found.add("%s is stated, but %s does not have it".formatted(figure, FILE));
        return;
      }
      double first = or(Optional.of(during.get(0)), column, 0);
      double earlier = or(before, column, first);
      double last = last(column).getAsDouble();
      double end = later ? or(after, column, last + in(LATE_MILLIS, column)) : last;
      double least = Math.max(0, Math.min(last, end) - Math.max(first, earlier));
      double most = Math.max(0, Math.max(last, end) - Math.min(first, earlier));
      found.between(figure, stated, least, most, slack + LOST * most, FILE);
    }
  }
}

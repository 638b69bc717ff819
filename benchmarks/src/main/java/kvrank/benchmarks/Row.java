package kvrank.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What a contest came to: its pairs of measurements, and how loud the machine was meanwhile. */
final class Row {

  /** The head of the table that {@link #markdown} gives the lines of. */
  static final String HEAD =
      """
      | row | what | kvrank, median | peer | peer, median | ratio, median | ratio, min–max | pairs \
      | bar | CPU per op, kvrank / peer, µs | noise |
      |---|---|--:|---|--:|--:|--:|--:|---|--:|--:|""";

  private final Contest contest;
  private final List<Measurement> kvrank = new ArrayList<>();
  private final List<Measurement> peer = new ArrayList<>();
  private final List<Double> noise = new ArrayList<>();

  Row(Contest contest) {
    this.contest = contest;
  }

  void add(Measurement own, Optional<Measurement> other) {
    kvrank.add(own);
    other.ifPresent(peer::add);
  }

  /** The share of the machine that other processes, or other machines on the host, used. */
  void addNoise(double share) {
    noise.add(share);
  }

  String markdown() {
    double[] own = values(kvrank);
    double[] other = values(peer);
    double[] ratios = new double[other.length];
    Arrays.setAll(ratios, i -> own[i] / other[i]);
    double ratio = Figures.median(ratios);
    String range =
        ratios.length == 0
            ? Figures.of(Arrays.stream(own).min().orElse(Double.NaN))
                + "–"
                + Figures.of(Arrays.stream(own).max().orElse(Double.NaN))
                + " (values)"
            : Figures.of(Arrays.stream(ratios).min().getAsDouble())
                + "–"
                + Figures.of(Arrays.stream(ratios).max().getAsDouble());
    return "| "
        + String.join(
            " | ",
            contest.name(),
            contest.what(),
            Figures.of(Figures.median(own)),
            contest.peer().isEmpty() ? "–" : contest.peer(),
            Figures.of(Figures.median(other)),
            Figures.of(ratio),
            range,
            Integer.toString(kvrank.size()),
            contest.bar().verdict(ratio, Figures.median(own)),
            Figures.of(cpu(kvrank)) + " / " + Figures.of(cpu(peer)),
            Figures.of(100 * median(noise)) + " %")
        + " |";
  }

  private static double[] values(List<Measurement> measurements) {
    return measurements.stream().mapToDouble(Measurement::value).toArray();
  }

  private static double cpu(List<Measurement> measurements) {
    return Figures.median(measurements.stream().mapToDouble(Measurement::cpuMicros).toArray());
  }

  private static double median(List<Double> values) {
    return Figures.median(values.stream().mapToDouble(Double::doubleValue).toArray());
  }
}

package kvrank.benchmarks.table;

import static java.util.Objects.requireNonNull;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * What a contest came to.
 *
 * @param pairs the quietest ones
 * @param measured how many were measured
 * @param settled whether as many as were asked for were quiet; else no bar is met or missed
 */
public record Row(PeerBenchmark contest, List<Pair> pairs, int measured, boolean settled) {

  /** The head of the table that {@link #markdown} gives the lines of. */
  public static final String HEAD =
      """
      | row | what | kvrank | peer | | ratio | min–max | pairs | bar | CPU per op, µs | ratio of CPU | noise |
      |---|---|--:|---|--:|--:|--:|--:|---|--:|--:|--:|""";

  public Row {
    requireNonNull(contest, "contest is null");
    pairs = List.copyOf(pairs);
  }

  /**
   * The row of the pairs of {@code measured} that had the least noise, as many as were asked for.
   */
  public static Row of(PeerBenchmark contest, List<Pair> measured, Pacing pacing) {
    List<Pair> quietest =
        measured.stream()
            .sorted(Comparator.comparingDouble(Pair::noise))
            .limit(pacing.pairs())
            .toList();
    long quiet = quietest.stream().filter(pacing::quiet).count();
    return new Row(contest, quietest, measured.size(), quiet == pacing.pairs());
  }

  /** Whether every bar is met. */
  public boolean met() {
    return settled
        && contest.bar().isMet(median(Pair::ratio), median(pair -> pair.kvrank().value()))
        && contest.bar().isCpuMet(median(Row::cpuRatio));
  }

  public String markdown() {
    double ratio = median(Pair::ratio);
    double value = median(pair -> pair.kvrank().value());
    boolean alone = contest.peer().isEmpty();
    ToDoubleFunction<Pair> compared = alone ? pair -> pair.kvrank().value() : Pair::ratio;
    return "| "
        + String.join(
            " | ",
            contest.name(),
            contest.what(),
            Figures.of(value),
            alone ? "–" : contest.peer(),
            Figures.of(median(pair -> peer(pair, Figure::value))),
            Figures.of(ratio),
            range(compared),
            pairs.size() + " of " + measured,
            contest.bar().verdict(ratio, value, settled),
            Figures.of(median(pair -> pair.kvrank().cpuMicros()))
                + " / "
                + Figures.of(median(pair -> peer(pair, Figure::cpuMicros))),
            contest.bar().cpuVerdict(median(Row::cpuRatio), settled),
            Figures.of(100 * median(Pair::noise)) + " %")
        + " |";
  }

  private static double cpuRatio(Pair pair) {
    return pair.kvrank().cpuMicros() / peer(pair, Figure::cpuMicros);
  }

  private String range(ToDoubleFunction<Pair> of) {
    double[] values = pairs.stream().mapToDouble(of).sorted().toArray();
    return Figures.of(values[0]) + "–" + Figures.of(values[values.length - 1]);
  }

  private double median(ToDoubleFunction<Pair> of) {
    return Figures.median(pairs.stream().mapToDouble(of).toArray());
  }

  private static double peer(Pair pair, ToDoubleFunction<Figure> of) {
    Optional<Figure> peer = pair.peer();
    return peer.isEmpty() ? Double.NaN : of.applyAsDouble(peer.get());
  }
}

package kvrank.stats;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.DoubleStream;
import kvrank.metric.Metric;
import kvrank.stats.infer.BlockTable;
import kvrank.stats.infer.Estimate;
import kvrank.stats.infer.PairVerdict;
import kvrank.stats.infer.PairwiseComparisons;
import kvrank.stats.infer.RankRange;
import kvrank.stats.infer.Ratio;
import kvrank.stats.infer.RepetitionBlock;
import kvrank.stats.infer.Separation;

/**
 * Engines ordered by one metric inside one comparison group.
 *
 * @param standings best first: by value, but never above an engine that is separated as better;
 *     ties by name
 * @param excluded the engines and repetitions without a value, in the order of the scenario
 * @param comparisons every two engines; none for counts, which are facts and not ranked
 */
public record Ranking(
    Metric metric,
    Group group,
    List<Standing> standings,
    List<Excluded> excluded,
    PairwiseComparisons comparisons) {

  /** Values that differ by this factor are too far apart for noise, also without a test. */
  private static final double FAR = 5;

  /** Ranks {@code values}, which are by engine and block and tested once. */
  public static Ranking of(
      Metric metric,
      Group group,
      SortedMap<String, SortedMap<RepetitionBlock, Double>> values,
      List<Excluded> excluded) {
    return of(
        metric, group, samples(values), excluded, PairwiseComparisons.of(table(metric, values)));
  }

  /** Returns the values of each engine without their blocks, which take most of the memory. */
  static SortedMap<String, double[]> samples(
      SortedMap<String, SortedMap<RepetitionBlock, Double>> values) {
    SortedMap<String, double[]> samples = new TreeMap<>();
    values.forEach(
        (engine, blocks) ->
            samples.put(
                engine, blocks.values().stream().mapToDouble(Double::doubleValue).toArray()));
    return samples;
  }

  /** Returns the values that are compared; none for counts. */
  static BlockTable table(
      Metric metric, SortedMap<String, SortedMap<RepetitionBlock, Double>> values) {
    return BlockTable.of(metric.counted() ? new TreeMap<>() : values);
  }

  /** Ranks the samples of each engine, given the comparisons of their table. */
  static Ranking of(
      Metric metric,
      Group group,
      SortedMap<String, double[]> samples,
      List<Excluded> excluded,
      PairwiseComparisons comparisons) {
    SortedMap<String, Estimate> estimates = new TreeMap<>();
    samples.forEach(
        (engine, own) -> {
          List<Double> values = DoubleStream.of(own).boxed().toList();
          Double value = comparisons.values().get(engine);
          estimates.put(
              engine,
              value == null
                  ? Estimate.ofCounts(values)
                  : Estimate.of(value, values, comparisons.estimates(engine)));
        });
    return ranked(metric, group, estimates, excluded, comparisons);
  }

  private static Ranking ranked(
      Metric metric,
      Group group,
      SortedMap<String, Estimate> estimates,
      List<Excluded> excluded,
      PairwiseComparisons comparisons) {
    Set<String> untested = untested(metric, estimates, comparisons);
    SortedMap<String, Double> places = new TreeMap<>();
    estimates.forEach((engine, estimate) -> places.put(engine, estimate.value()));
    boolean byValue = untested.size() == estimates.size();
    BiPredicate<String, String> better =
        (first, second) ->
            byValue
                ? metric.direction().compare(places.get(first), places.get(second)) < 0
                : (untested.contains(first) || untested.contains(second))
                    ? farBetter(metric, estimates.get(first), estimates.get(second))
                    : comparisons.better(first, second, metric.direction());
    List<String> order = order(metric, places, better);
    List<Standing> standings = new ArrayList<>();
    for (String engine : order) {
      standings.add(
          new Standing(
              RankRange.of(engine, order, better),
              engine,
              estimates.get(engine),
              untested.contains(engine),
              ratio(engine, order.get(0), estimates, comparisons)));
    }
    return new Ranking(metric, group, standings, excluded, comparisons);
  }

  /**
   * Returns the engines with too few repetitions for a test. Values place them if all are such;
   * otherwise only values that are far apart do.
   */
  private static Set<String> untested(
      Metric metric, SortedMap<String, Estimate> estimates, PairwiseComparisons comparisons) {
    Set<String> untested = new TreeSet<>();
    estimates.forEach(
        (engine, estimate) -> {
          if (!metric.counted()
              && estimate.samples() < Estimate.FEWEST
              && estimates.keySet().stream()
                  .map(other -> comparisons.verdict(engine, other).kind())
                  .allMatch(Separation.UNTESTED::equals)) {
            untested.add(engine);
          }
        });
    return untested;
  }

  /** Returns whether the worst of some values is {@link #FAR} times better than the best others. */
  private static boolean farBetter(Metric metric, Estimate values, Estimate others) {
    double worst = Collections.max(values.values(), metric.direction()::compare);
    double best = Collections.min(others.values(), metric.direction()::compare);
    return metric.direction().compare(worst, best) < 0
        && Math.max(worst, best) >= FAR * Math.min(worst, best);
  }

  private static List<String> order(
      Metric metric, Map<String, Double> places, BiPredicate<String, String> better) {
    List<String> left = new ArrayList<>(places.keySet());
    left.sort(Comparator.comparing(places::get, metric.direction()::compare)); // then names
    List<String> order = new ArrayList<>();
    while (!left.isEmpty()) {
      String next =
          left.stream()
              .filter(engine -> left.stream().noneMatch(other -> better.test(other, engine)))
              .findFirst()
              .orElse(left.get(0));
      order.add(next);
      left.remove(next);
    }
    return order;
  }

  private static Ratio ratio(
      String engine,
      String other,
      Map<String, Estimate> estimates,
      PairwiseComparisons comparisons) {
    if (engine.equals(other)) {
      return Ratio.ONE;
    }
    Ratio ratio = comparisons.verdict(engine, other).ratio();
    if (!Double.isNaN(ratio.value())) {
      return ratio;
    }
    double otherValue = estimates.get(other).value();
    double value = estimates.get(engine).value();
    return Ratio.withoutInterval(
        value == otherValue ? 1 : otherValue == 0 ? Double.NaN : value / otherValue);
  }

  /** Returns the value of {@code engine} divided by that of {@code other}; both have one. */
  Ratio ratio(String engine, String other) {
    return ratio(engine, other, estimates(any -> true), comparisons);
  }

  private SortedMap<String, Estimate> estimates(Predicate<String> engines) {
    SortedMap<String, Estimate> estimates = new TreeMap<>();
    standings.stream()
        .filter(standing -> engines.test(standing.engine()))
        .forEach(standing -> estimates.put(standing.engine(), standing.estimate()));
    return estimates;
  }

  /**
   * Returns the ranking of some of the engines among each other. The tests are the same, and allow
   * for all pairs.
   */
  public Ranking only(Predicate<String> engines) {
    return ranked(
        metric,
        group,
        estimates(engines),
        excluded.stream().filter(each -> engines.test(each.engine())).toList(),
        comparisons);
  }

  public PairVerdict verdict(String engine, String other) {
    return comparisons.verdict(engine, other);
  }

  /**
   * Returns the verdict on the engine of {@code standing} against the first and, if these are not
   * separated, against the others.
   */
  public Separation separation(Standing standing) {
    String best = standings.get(0).engine();
    if (standing.engine().equals(best)) {
      return Separation.BEST;
    }
    Separation kind = verdict(standing.engine(), best).kind();
    boolean open = kind == Separation.NOT_SEPARATED || kind == Separation.EQUAL;
    return open && standing.rank() > 1 ? Separation.BELOW_ANOTHER : kind;
  }

  /** Returns whether no two engines are separated, so that each may have any rank. */
  public boolean undecided() {
    return RankRange.undecided(standings.stream().map(Standing::ranks).toList());
  }

  /** Returns the engines with a value, then those without. */
  public Set<String> engines() {
    Set<String> engines = new LinkedHashSet<>();
    standings.forEach(standing -> engines.add(standing.engine()));
    excluded.forEach(exclusion -> engines.add(exclusion.engine()));
    return engines;
  }

  /** Returns the repetitions of {@code engine} without a value. */
  public List<Excluded> excluded(String engine) {
    return excluded.stream().filter(exclusion -> exclusion.engine().equals(engine)).toList();
  }

  public Optional<Standing> standing(String engine) {
    return standings.stream().filter(standing -> standing.engine().equals(engine)).findFirst();
  }
}

package kvrank.report.ranking;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import kvrank.metric.Direction;
import kvrank.metric.Metric;
import kvrank.report.block.Quantities;
import kvrank.stats.Group;
import kvrank.stats.Ranking;
import kvrank.stats.ResourceRanking;
import kvrank.stats.Standing;
import kvrank.stats.infer.RankRange;

/**
 * The rankings of one phase and level of fsync by one metric at several factor points, which an
 * engine sums up by ranges.
 *
 * @param equalWork whether engines may be compared by them
 */
public record PointRankings(List<Ranking> rankings, boolean equalWork) {

  /** Puts {@code rankings} together by phase, level of fsync and metric, in order. */
  public static List<PointRankings> of(Stream<ResourceRanking> rankings) {
    return rankings
        .collect(groupingBy(PointRankings::key, LinkedHashMap::new, toList()))
        .values()
        .stream()
        .map(
            alike ->
                new PointRankings(
                    alike.stream().map(ResourceRanking::ranking).toList(),
                    alike.get(0).equalWork()))
        .toList();
  }

  private static List<Object> key(ResourceRanking each) {
    Ranking ranking = each.ranking();
    return List.of(
        ranking.group().phase(), ranking.group().fsync(), ranking.metric().id(), each.equalWork());
  }

  public Metric metric() {
    return rankings.get(0).metric();
  }

  public List<Group> groups() {
    return rankings.stream().map(Ranking::group).toList();
  }

  /** Returns whether two engines or more have a value at the same point. */
  public boolean compared() {
    return most() > 1;
  }

  private int most() {
    return rankings.stream().mapToInt(ranking -> ranking.standings().size()).max().orElseThrow();
  }

  private List<Standing> standings(String engine) {
    return rankings.stream().flatMap(ranking -> ranking.standing(engine).stream()).toList();
  }

  /** Returns the values of {@code engine} in ascending order, in the metric's unit. */
  public double[] values(String engine) {
    return standings(engine).stream()
        .mapToDouble(each -> each.estimate().value())
        .sorted()
        .toArray();
  }

  /** Returns the value of {@code engine} or the range of several; {@code -} without any. */
  public String value(String engine) {
    double[] values = values(engine);
    if (values.length == 0) {
      return Quantities.NONE;
    }
    double high = values[values.length - 1];
    String text = Quantities.of(metric().unit(), values[0]);
    return text.equals(Quantities.of(metric().unit(), high))
        ? text
        : Quantities.range(metric().unit(), values[0], high);
  }

  /**
   * Returns the ranks that {@code engine} may have at any of the points, with a question mark if no
   * test gave some of them; empty if it may have any rank, has no value, or did other work.
   */
  public Optional<String> ranks(String engine) {
    List<Standing> standings = standings(engine);
    if (standings.isEmpty() || !equalWork) {
      return Optional.empty();
    }
    RankRange ranks =
        new RankRange(
            standings.stream().mapToInt(each -> each.ranks().best()).min().orElseThrow(),
            standings.stream().mapToInt(each -> each.ranks().worst()).max().orElseThrow());
    boolean untested = standings.stream().anyMatch(Standing::untested);
    return !untested && ranks.equals(new RankRange(1, most()))
        ? Optional.empty()
        : Optional.of(ranks + (untested ? "?" : ""));
  }

  /**
   * Returns the engines of rankings by one metric at several factor points, best first by the
   * geometric mean; those without a value at some point come last.
   */
  public static List<String> order(List<Ranking> rankings) {
    if (rankings.size() == 1) {
      return rankings.get(0).standings().stream().map(Standing::engine).toList();
    }
    SortedMap<String, List<Double>> values = new TreeMap<>();
    for (Ranking ranking : rankings) {
      for (Standing each : ranking.standings()) {
        values.computeIfAbsent(each.engine(), any -> new ArrayList<>()).add(better(ranking, each));
      }
    }
    return values.keySet().stream()
        .sorted(
            Comparator.comparing((String engine) -> -values.get(engine).size())
                .thenComparing(engine -> -mean(values.get(engine))))
        .toList();
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
  }

  /** Returns the logarithm of a value, or its negative if lower is better. */
  private static double better(Ranking ranking, Standing standing) {
    double log = Math.log(standing.estimate().value());
    return ranking.metric().direction() == Direction.HIGHER ? log : -log;
  }
}

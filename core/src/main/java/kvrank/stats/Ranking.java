package kvrank.stats;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Engines ordered by one metric inside one comparison group.
 *
 * @param standings the best first; engines that share a rank by their values, then by name
 * @param excluded what has no value here, and why, in the order of the scenario's engines
 */
public record Ranking(
    Metric metric, Group group, List<Standing> standings, List<Excluded> excluded) {

  public Ranking {
    requireNonNull(metric, "metric is null");
    requireNonNull(group, "group is null");
    standings = List.copyOf(standings);
    excluded = List.copyOf(excluded);
  }

  /**
   * Ranks {@code estimates}. From the best value on, every engine that the data cannot separate
   * from the best one of the current rank shares that rank; the first that it can separate opens
   * the next.
   */
  public static Ranking of(
      Metric metric, Group group, SortedMap<String, Estimate> estimates, List<Excluded> excluded) {
    List<Map.Entry<String, Estimate>> ordered = new ArrayList<>(estimates.entrySet());
    ordered.sort(
        Comparator.comparing(
            entry -> entry.getValue().value(), metric.direction()::compare)); // stable: then names
    List<Standing> standings = new ArrayList<>();
    for (int start = 0; start < ordered.size(); ) {
      Estimate best = ordered.get(start).getValue();
      int end = start + 1;
      while (end < ordered.size() && best.overlaps(ordered.get(end).getValue())) {
        end++;
      }
      for (Map.Entry<String, Estimate> entry : ordered.subList(start, end)) {
        standings.add(new Standing(start + 1, entry.getKey(), entry.getValue(), end - start > 1));
      }
      start = end;
    }
    return new Ranking(metric, group, standings, excluded);
  }

  /** The standing with the best value. */
  public Optional<Standing> best() {
    return standings.stream().findFirst();
  }

  /** The standing of {@code engine}. */
  public Optional<Standing> standing(String engine) {
    return standings.stream().filter(standing -> standing.engine().equals(engine)).findFirst();
  }

  /**
   * The value divided by the best value: at most 1 where higher is better, at least 1 where lower
   * is. NaN if the best value is 0 and this is not.
   */
  public double ratioToBest(Standing standing) {
    double best = standings.get(0).estimate().value();
    double value = standing.estimate().value();
    if (value == best) {
      return 1;
    }
    return best == 0 ? Double.NaN : value / best;
  }
}

package kvrank.stats;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import kvrank.metric.Metric;

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
   * the next. {@link Pairs} says when two are separated.
   */
  public static Ranking of(
      Metric metric, Group group, SortedMap<String, Estimate> estimates, List<Excluded> excluded) {
    List<Map.Entry<String, Estimate>> ordered = new ArrayList<>(estimates.entrySet());
    ordered.sort(
        Comparator.comparing(
            entry -> entry.getValue().value(), metric.direction()::compare)); // stable: then names
    Pairs pairs = new Pairs(ordered.stream().map(Map.Entry::getValue).toList());
    List<Standing> standings = new ArrayList<>();
    for (int start = 0; start < ordered.size(); ) {
      int end = start + 1;
      while (end < ordered.size() && pairs.tied(start, end)) {
        end++;
      }
      for (int i = start; i < end; i++) {
        standings.add(
            new Standing(
                start + 1,
                ordered.get(i).getKey(),
                ordered.get(i).getValue(),
                end - start > 1,
                i == 0 ? Ratio.ONE : pairs.ratio(0, i)));
      }
      start = end;
    }
    return new Ranking(metric, group, standings, excluded);
  }

  /** What the data say of an engine and the best one. */
  public enum Separation {
    /** It is the best, or nobody is better. */
    BEST(""),
    /** It is worse. */
    SEPARATED(""),
    /** The ratio of the two, whatever the noise, is within 0.9 and 1.1. */
    EQUAL("equal within 10 %"),
    /** The data cannot tell which of the two is better. */
    NOT_SEPARATED("not separated"),
    /** Too few repetitions to tell. */
    UNTESTED("");

    private final String label;

    Separation(String label) {
      this.label = label;
    }

    /** In words; empty where the ratio says it. */
    public String label() {
      return label;
    }
  }

  /** Returns what the data say of the engine of {@code standing} and the best one. */
  public Separation separation(Standing standing) {
    if (standing.engine().equals(standings.get(0).engine())) {
      return Separation.BEST;
    }
    if (!standing.ratio().hasInterval()) {
      return standing.tied() && standing.rank() == 1 ? Separation.EQUAL : Separation.UNTESTED;
    }
    if (standing.rank() > 1) {
      return Separation.SEPARATED;
    }
    return standing.ratio().low() >= 0.9 && standing.ratio().high() <= 1.1
        ? Separation.EQUAL
        : Separation.NOT_SEPARATED;
  }

  /** The standing with the best value. */
  public Optional<Standing> best() {
    return standings.stream().findFirst();
  }

  /** The standing of {@code engine}. */
  public Optional<Standing> standing(String engine) {
    return standings.stream().filter(standing -> standing.engine().equals(engine)).findFirst();
  }
}

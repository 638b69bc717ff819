package kvrank.report.ranking;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toList;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import kvrank.stats.Group;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;
import kvrank.stats.infer.BlockTable;
import kvrank.stats.infer.PairVerdict;
import kvrank.stats.infer.PairwiseComparisons;
import kvrank.stats.infer.Ratio;
import kvrank.stats.infer.RepetitionBlock;

/**
 * The effect of a factor on each engine: its value at the last point divided by that at the first.
 * Both are in the same repetitions, so they are compared as two engines are. All these comparisons
 * of a report share the error.
 */
public final class FactorRatios {

  private static final String FROM = " from";
  private static final String TO = " to";

  /**
   * Two factor points of a phase that differ in one factor: its smallest and its largest value, or
   * the first and the last of the scenario if these are not numbers.
   */
  public record Ends(String factor, Group from, Group to) {

    /** Returns for example {@code threads=8 vs. 1}. */
    public String label() {
      return factor + "=" + value(to) + " vs. " + value(from);
    }

    private String value(Group group) {
      return group.factors().get(factor);
    }

    /** Returns the factor point without the factor, for example {@code fsync=off, batch=1}. */
    public String others() {
      return from.showing(
              from.varying().stream()
                  .filter(other -> !other.equals(factor))
                  .collect(toCollection(TreeSet::new)))
          .point();
    }
  }

  private final Map<Ends, Map<String, Ratio>> ratios = new LinkedHashMap<>();

  public FactorRatios(RankingIndex index) {
    List<Ends> ends = new ArrayList<>();
    List<String> engines = new ArrayList<>();
    List<BlockTable> tables = new ArrayList<>();
    for (List<Group> phaseGroups : index.phaseGroupsByPhase()) {
      for (Ends each : ends(index, phaseGroups)) {
        for (String engine : index.engines()) {
          Optional<BlockTable> table = table(index, each, engine);
          if (table.isPresent()) {
            ends.add(each);
            engines.add(engine);
            tables.add(table.get());
          }
        }
      }
    }
    List<PairwiseComparisons> compared = index.compared(tables);
    for (int i = 0; i < compared.size(); i++) {
      double value = value(index, ends.get(i).to(), engines.get(i));
      double other = value(index, ends.get(i).from(), engines.get(i));
      PairVerdict verdict = compared.get(i).verdict(engines.get(i) + TO, engines.get(i) + FROM);
      ratios
          .computeIfAbsent(ends.get(i), any -> new LinkedHashMap<>())
          .put(
              engines.get(i),
              verdict
                  .inference()
                  .map(pair -> pair.showing(Math.log(value / other)).ratio(verdict.level()))
                  .orElse(Ratio.withoutInterval(value / other)));
    }
  }

  private static double value(RankingIndex index, Group group, String engine) {
    return index.decisive(group).standing(engine).orElseThrow().estimate().value();
  }

  /** Returns the ratios of engines in the order of the scenario, by their ends. */
  public Map<Ends, Map<String, Ratio>> all() {
    return ratios;
  }

  /** Returns the ends that are compared among {@code phaseGroups}, which are of one phase. */
  public List<Ends> among(List<Group> phaseGroups) {
    return ratios.keySet().stream()
        .filter(each -> phaseGroups.contains(each.from()) && phaseGroups.contains(each.to()))
        .toList();
  }

  public Optional<Ratio> of(Ends ends, String engine) {
    return Optional.ofNullable(ratios.getOrDefault(ends, Map.of()).get(engine));
  }

  public boolean hasIntervals(Ends ends) {
    return ratios.getOrDefault(ends, Map.of()).values().stream().anyMatch(Ratio::hasInterval);
  }

  /** Returns the ends of each factor at each point of the others, if the same metric decides. */
  private static List<Ends> ends(RankingIndex index, List<Group> phaseGroups) {
    SortedMap<String, List<String>> settings = index.results().manifest().factors();
    List<Ends> ends = new ArrayList<>();
    for (String factor : phaseGroups.get(0).varying()) {
      List<String> values = settings.getOrDefault(factor, List.of());
      if (values.size() > 1 && !factor.equals(Group.FSYNC)) {
        phaseGroups.stream()
            .filter(group -> !index.decisive(group).standings().isEmpty())
            .collect(groupingBy(group -> key(index, group, factor), LinkedHashMap::new, toList()))
            .values()
            .stream()
            .filter(sweep -> sweep.size() > 1)
            .map(sweep -> ends(factor, sweep, values))
            .forEach(ends::add);
      }
    }
    return ends;
  }

  private static Ends ends(String factor, List<Group> sweep, List<String> values) {
    boolean numbers = values.stream().allMatch(value -> value.matches("[0-9]+(\\.[0-9]+)?"));
    Comparator<Group> order =
        Comparator.comparingDouble(
            group -> {
              String value = group.factors().getOrDefault(factor, "");
              return numbers && !value.isEmpty()
                  ? Double.parseDouble(value)
                  : values.indexOf(value);
            });
    List<Group> sorted = sweep.stream().sorted(order).toList();
    return new Ends(factor, sorted.get(0), sorted.get(sorted.size() - 1));
  }

  private static List<Object> key(RankingIndex index, Group group, String factor) {
    SortedMap<String, String> others = new TreeMap<>(group.factors());
    others.remove(factor);
    Ranking decisive = index.decisive(group);
    return List.of(others, decisive.metric(), decisive.group().operation());
  }

  /** Returns the values of an engine at both ends; empty if no repetition has both. */
  private static Optional<BlockTable> table(RankingIndex index, Ends ends, String engine) {
    SortedMap<RepetitionBlock, Double> from = values(index.decisive(ends.from()), engine);
    SortedMap<RepetitionBlock, Double> to = values(index.decisive(ends.to()), engine);
    // Machines of merged results are factor points, too, but share no repetition.
    return Collections.disjoint(from.keySet(), to.keySet())
        ? Optional.empty()
        : Optional.of(BlockTable.of(new TreeMap<>(Map.of(engine + FROM, from, engine + TO, to))));
  }

  private static SortedMap<RepetitionBlock, Double> values(Ranking ranking, String engine) {
    BlockTable table = ranking.comparisons().table();
    int row = table.engines().indexOf(engine);
    SortedMap<RepetitionBlock, Double> values = new TreeMap<>();
    for (int block = 0; row >= 0 && block < table.blocks().size(); block++) {
      double log = table.logs().get(row)[block];
      if (!Double.isNaN(log)) {
        values.put(table.blocks().get(block), Math.exp(log));
      }
    }
    return values;
  }
}

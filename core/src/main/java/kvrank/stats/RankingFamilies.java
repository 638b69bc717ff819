package kvrank.stats;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toSet;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.concurrent.ForkJoinTask;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import kvrank.metric.Metric;
import kvrank.results.ExecutionResults;
import kvrank.results.Manifest;
import kvrank.results.Manifest.Adaptive;
import kvrank.stats.infer.BlockAnalysis;
import kvrank.stats.infer.BlockTable;
import kvrank.stats.infer.PairwiseComparisons;
import kvrank.stats.infer.SequentialPlan;

/**
 * Tests the tables of many rankings together: those of a family share the error, and the same
 * numbers are tested once.
 */
final class RankingFamilies {

  /** How engines are compared, given the looks that adaptive repetitions have spent. */
  @FunctionalInterface
  interface Tests {

    /** Returns the comparisons of {@code tables}, which share {@code error}. */
    List<PairwiseComparisons> of(List<BlockTable> tables, double error);

    /** Leaves engines in the order of their values. */
    static Tests none() {
      return (tables, error) -> PairwiseComparisons.untested(tables);
    }

    static Tests of(ExecutionResults results) {
      return plan(results).<Tests>map(plan -> plan::comparisons).orElse(PairwiseComparisons::of);
    }
  }

  /** A ranking without its comparisons. */
  record Values(
      Metric metric,
      Group group,
      SortedMap<String, double[]> samples,
      BlockTable table,
      List<Excluded> excluded) {

    /** Tables of a family share the error, if they do not decide. */
    String family() {
      return metric.id() + group.operation().orElse("");
    }

    /** Returns whether both are of one phase at one factor point, or this of its whole runs. */
    boolean sameRuns(Values other) {
      return group.ofWholeRuns() || group.phase().equals(other.group.phase());
    }

    List<Object> key() {
      return List.of(group, metric);
    }

    Ranking ranking(PairwiseComparisons comparisons) {
      return Ranking.of(metric, group, samples, excluded, comparisons);
    }
  }

  /** The family of the tables that decide; no metric has this name. */
  private static final String DECIDING = "";

  private RankingFamilies() {}

  /** Returns the rankings of {@code values}, which decide and so share the error. */
  static List<Ranking> deciding(Tests tests, List<Values> values) {
    return compared(tests, values, any -> true, any -> true);
  }

  /**
   * Returns the rankings of the {@code kept} ones of {@code values}, in the same order. Those that
   * decide share the error; of the others, those of each metric. The same numbers are tested once.
   */
  static List<Ranking> compared(
      Tests tests, List<Values> values, Predicate<Values> deciding, Predicate<Values> kept) {
    List<BlockTable> tables = values.stream().map(Values::table).toList();
    int[] tested = tested(values, tables, deciding);
    int[] ranked =
        IntStream.range(0, tested.length).filter(i -> kept.test(values.get(i))).toArray();
    IntFunction<String> family =
        i -> deciding.test(values.get(i)) ? DECIDING : values.get(i).family();
    Set<String> families =
        IntStream.of(ranked).mapToObj(i -> family.apply(tested[i])).collect(toSet());
    PairwiseComparisons[] comparisons = new PairwiseComparisons[tested.length];
    Collection<List<Integer>> together =
        IntStream.range(0, tested.length)
            .filter(i -> tested[i] == i && families.contains(family.apply(i)))
            .boxed()
            .collect(groupingBy(family::apply))
            .values();
    // A task each, the longest first: a stream would give several to one thread at once.
    ForkJoinTask.invokeAll(
        together.stream()
            .sorted(Comparator.comparing((List<Integer> of) -> of.size()).reversed())
            .map(
                of ->
                    ForkJoinTask.adapt(
                        () -> {
                          List<PairwiseComparisons> compared =
                              tests.of(
                                  of.stream().map(tables::get).toList(),
                                  PairwiseComparisons.TABLES);
                          for (int i = 0; i < compared.size(); i++) {
                            comparisons[of.get(i)] = compared.get(i);
                          }
                        }))
            .toList());
    return IntStream.of(ranked)
        .parallel()
        .mapToObj(
            i -> {
              PairwiseComparisons own = comparisons[tested[i]];
              return values.get(i).ranking(tested[i] == i ? own : own.sharedWith(tables.get(i)));
            })
        .toList();
  }

  /**
   * Returns for each of {@code values} the place of those that are tested for it: its own, unless
   * others of the phase or run have the same numbers in another form, such as the throughput of a
   * phase and of its only operation. Two tests of the same numbers, each in a family of its own,
   * could contradict each other.
   */
  private static int[] tested(
      List<Values> values, List<BlockTable> tables, Predicate<Values> deciding) {
    int[] tested = new int[values.size()];
    Map<SortedMap<String, String>, List<Integer>> distinct = new HashMap<>();
    List<Integer> decidingFirst =
        IntStream.range(0, tested.length)
            .boxed()
            .sorted(Comparator.comparing(i -> !deciding.test(values.get(i))))
            .toList();
    for (int i : decidingFirst) {
      Values own = values.get(i);
      boolean decides = deciding.test(own);
      List<Integer> others =
          distinct.computeIfAbsent(own.group().factors(), any -> new ArrayList<>());
      tested[i] =
          others.stream()
              .filter(other -> !decides && own.sameRuns(values.get(other)))
              .filter(other -> tables.get(i).powerOf(tables.get(other)) != 0)
              .findFirst()
              .orElse(i);
      if (tested[i] == i) {
        others.add(i);
      }
    }
    return tested;
  }

  /** Returns the looks that adaptive repetitions have spent; empty if their number is fixed. */
  private static Optional<SequentialPlan> plan(ExecutionResults results) {
    List<Manifest> sequential =
        results.executions().stream()
            .map(ExecutionResults::manifest)
            .filter(manifest -> firstLook(manifest).isPresent())
            .toList();
    if (sequential.isEmpty()) {
      return Optional.empty();
    }
    int first = sequential.stream().mapToInt(m -> firstLook(m).get()).min().orElseThrow();
    TreeSet<Integer> ends = new TreeSet<>();
    sequential.forEach(manifest -> ends.addAll(manifest.extended()));
    ends.add(sequential.stream().mapToInt(Manifest::repetitions).max().orElseThrow());
    ends.removeIf(end -> end < first);
    SequentialPlan plan = new SequentialPlan(first, ends.first());
    if (sequential.size() == 1) {
      plan = sequential.get(0).adaptive().flatMap(Adaptive::ended).map(plan::ended).orElse(plan);
    }
    for (int end : ends.tailSet(ends.first(), false)) {
      plan = plan.extended(end);
    }
    return Optional.of(plan);
  }

  /**
   * Returns the number of repetitions after which the values first decided over more; empty if
   * never. Looks at too few repetitions for a test cost nothing.
   */
  private static Optional<Integer> firstLook(Manifest manifest) {
    return manifest
        .adaptive()
        .map(Adaptive::atLeast)
        .or(() -> manifest.extended().stream().filter(n -> n >= BlockAnalysis.FEWEST).findFirst());
  }
}

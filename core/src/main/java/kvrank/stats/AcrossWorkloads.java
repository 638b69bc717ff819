package kvrank.stats;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import kvrank.metric.Metric;
import kvrank.stats.infer.BlockTable;
import kvrank.stats.infer.PairwiseComparisons;
import kvrank.stats.infer.RankRange;
import kvrank.stats.infer.Ratio;
import kvrank.stats.infer.RepetitionBlock;

/**
 * A comparison of engines by one deciding metric over several workloads, at one durability on one
 * machine.
 *
 * <p>A workload counts once: by the geometric mean over the factor points at which every engine has
 * a value. A geometric mean of ratios does not depend on the reference engine (P. J. Fleming and J.
 * J. Wallace, "How not to lie with statistics", Communications of the ACM 29, 1986).
 *
 * <p>The phases of one run share its server, its JVM and its minute, so workloads are not an
 * independent sample. The sample is the repetition: the mean over the workloads of the logarithms
 * of an engine's values. A verdict holds only for these workloads.
 *
 * @param metric throughput, or p99 latency over the workloads with a given rate
 * @param place the durability class and the facts that differ between machines
 * @param rows one per engine, best first
 * @param comparisons every two engines
 * @param leftOut phases and engines that do not count, with reasons
 */
public record AcrossWorkloads(
    Metric metric,
    SortedMap<String, String> place,
    List<String> workloads,
    List<Row> rows,
    PairwiseComparisons comparisons,
    List<String> leftOut) {

  /**
   * An engine.
   *
   * @param ranks the ranks that it may have
   * @param ratio the geometric mean of its ratios to the first row's engine
   * @param meanRank the mean of its ranks by the values of each workload
   * @param best the number of workloads in which that rank is 1
   */
  public record Row(RankRange ranks, String engine, Ratio ratio, double meanRank, int best) {}

  /** Returns whether no two engines are separated, so that each may have any rank. */
  public boolean undecided() {
    return RankRange.undecided(rows.stream().map(Row::ranks).toList());
  }

  private record Place(SortedMap<String, String> factors, Metric metric) {}

  /**
   * Returns one comparison per durability class, machine and deciding metric, in the order of the
   * rankings.
   *
   * @param deciding the ranking that decides each phase at each factor point
   */
  static List<AcrossWorkloads> of(List<Ranking> deciding, RankingFamilies.Tests tests) {
    Map<Place, List<Ranking>> places =
        deciding.stream()
            .collect(
                groupingBy(
                    ranking -> new Place(place(ranking.group()), ranking.metric()),
                    LinkedHashMap::new,
                    toList()));
    List<Workloads> tables =
        places.entrySet().stream()
            .map(place -> Workloads.of(place.getKey().metric(), place.getValue()))
            .toList();
    List<PairwiseComparisons> comparisons =
        tests.of(tables.stream().map(Workloads::means).toList(), PairwiseComparisons.ACROSS);
    List<AcrossWorkloads> all = new ArrayList<>();
    for (Place place : places.keySet()) {
      Workloads table = tables.get(all.size());
      PairwiseComparisons pairs = comparisons.get(all.size());
      all.add(
          new AcrossWorkloads(
              place.metric(),
              place.factors(),
              List.copyOf(table.points().keySet()),
              table.rows(pairs),
              pairs,
              table.leftOut()));
    }
    return all;
  }

  private static SortedMap<String, String> place(Group group) {
    SortedMap<String, String> place = new TreeMap<>(group.factors());
    place
        .keySet()
        .removeIf(
            factor ->
                !factor.equals(Group.FSYNC)
                    && !(Merge.apart(factor) && group.varying().contains(factor)));
    return place;
  }

  /**
   * The workloads that count, with their factor points, at which all {@code engines} have values.
   */
  private record Workloads(
      Metric metric,
      List<String> engines,
      Map<String, List<Ranking>> points,
      List<String> leftOut) {

    /** Returns the table of phases at one durability on one machine. */
    static Workloads of(Metric metric, List<Ranking> rankings) {
      Set<String> leftOut = new LinkedHashSet<>();
      Map<String, List<Ranking>> byPhase = new LinkedHashMap<>();
      for (Ranking ranking : rankings) {
        Group group = ranking.group().phaseGroup();
        if (ranking.standings().isEmpty()) {
          leftOut.add(group.label() + ": no " + metric.title());
        } else {
          byPhase.computeIfAbsent(group.phase(), any -> new ArrayList<>()).add(ranking);
        }
      }
      Set<String> engines = engines(rankings, byPhase, leftOut);
      Map<String, List<Ranking>> counted = new LinkedHashMap<>();
      byPhase.forEach(
          (phase, points) -> {
            List<Ranking> complete =
                points.stream().filter(point -> missing(point, engines).isEmpty()).toList();
            if (complete.isEmpty()) {
              leftOut.add(
                  phase + ": no value for " + String.join(", ", missing(points.get(0), engines)));
            } else if (!engines.isEmpty()) {
              counted.put(phase, complete);
            }
          });
      return new Workloads(
          metric,
          counted.isEmpty() ? List.of() : List.copyOf(engines),
          counted,
          List.copyOf(leftOut));
    }

    /** Returns the engines with values in at least half of the phases, to keep most rows. */
    private static Set<String> engines(
        List<Ranking> rankings, Map<String, List<Ranking>> byPhase, Set<String> leftOut) {
      Set<String> ranked = new TreeSet<>();
      rankings.forEach(ranking -> ranked.addAll(ranking.engines()));
      Set<String> engines = new TreeSet<>();
      for (String engine : ranked) {
        Predicate<Ranking> hasValue = point -> value(point, engine).isPresent();
        long phases =
            byPhase.values().stream().filter(points -> points.stream().anyMatch(hasValue)).count();
        if (phases > 0 && 2 * phases >= byPhase.size()) {
          engines.add(engine);
        } else {
          leftOut.add(
              "%s: a value in only %d of %d phases".formatted(engine, phases, byPhase.size()));
        }
      }
      return engines;
    }

    private static Optional<Double> value(Ranking ranking, String engine) {
      return ranking
          .standing(engine)
          .map(standing -> standing.estimate().value())
          .filter(value -> value > 0 && Double.isFinite(value));
    }

    private static List<String> missing(Ranking ranking, Set<String> engines) {
      return engines.stream().filter(engine -> value(ranking, engine).isEmpty()).toList();
    }

    /** Returns the geometric means over the workloads, by engine and block. */
    BlockTable means() {
      SortedMap<String, SortedMap<RepetitionBlock, Double>> means = new TreeMap<>();
      for (String engine : engines) {
        SortedMap<RepetitionBlock, Double> logs = new TreeMap<>();
        List<List<SortedMap<RepetitionBlock, Double>>> values =
            points.values().stream()
                .map(all -> all.stream().map(point -> logs(point, engine)).toList())
                .toList();
        for (RepetitionBlock block : values.get(0).get(0).keySet()) {
          double mean =
              values.stream()
                  .mapToDouble(
                      all ->
                          all.stream()
                              .mapToDouble(point -> point.getOrDefault(block, Double.NaN))
                              .average()
                              .orElseThrow())
                  .average()
                  .orElseThrow();
          if (!Double.isNaN(mean)) {
            logs.put(block, Math.exp(mean));
          }
        }
        if (!logs.isEmpty()) {
          means.put(engine, logs);
        }
      }
      return BlockTable.of(means);
    }

    private static SortedMap<RepetitionBlock, Double> logs(Ranking point, String engine) {
      BlockTable table = point.comparisons().table();
      SortedMap<RepetitionBlock, Double> logs = new TreeMap<>();
      int at = table.engines().indexOf(engine);
      double[] row = at < 0 ? new double[0] : table.logs().get(at);
      for (int b = 0; b < row.length; b++) {
        if (!Double.isNaN(row[b])) {
          logs.put(table.blocks().get(b), row[b]);
        }
      }
      return logs;
    }

    List<Row> rows(PairwiseComparisons comparisons) {
      List<String> order =
          comparisons.table().engines().stream()
              .sorted(
                  Comparator.comparing(
                      e -> comparisons.values().get(e), metric.direction()::compare))
              .toList();
      List<Row> rows = new ArrayList<>();
      for (String engine : order) {
        double[] ranks =
            points.values().stream().mapToDouble(workload -> rank(workload, engine)).toArray();
        rows.add(
            new Row(
                RankRange.of(engine, order, (a, b) -> comparisons.better(a, b, metric.direction())),
                engine,
                comparisons.verdict(engine, order.get(0)).ratio(),
                Arrays.stream(ranks).average().orElseThrow(),
                (int) Arrays.stream(ranks).filter(rank -> rank == 1).count()));
      }
      return rows;
    }

    /**
     * Returns the rank of {@code engine} by the geometric mean of values, the mean rank if tied.
     */
    private double rank(List<Ranking> workload, String engine) {
      double own = mean(workload, engine);
      double rank = 0.5;
      for (String other : engines) {
        double mean = mean(workload, other);
        rank += mean == own ? 0.5 : metric.direction().compare(mean, own) < 0 ? 1 : 0;
      }
      return rank;
    }

    private static double mean(List<Ranking> workload, String engine) {
      return workload.stream()
          .mapToDouble(point -> Math.log(value(point, engine).orElseThrow()))
          .average()
          .orElseThrow();
    }
  }
}

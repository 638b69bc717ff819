package kvrank.stats;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import com.fasterxml.jackson.annotation.JsonProperty;
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
import java.util.stream.IntStream;
import kvrank.metric.Metrics;
import kvrank.stats.infer.Estimate;
import kvrank.stats.infer.Friedman;
import kvrank.stats.infer.MultipleTesting;
import kvrank.stats.infer.WilcoxonSignedRank;
import org.apache.commons.math3.stat.ranking.NaturalRanking;

/**
 * A comparison of engines by throughput over several workloads, at one durability on one machine.
 *
 * <p>A workload counts once: its ratio is the geometric mean over the factor points at which every
 * engine has a value. A geometric mean of ratios does not depend on the reference engine (P. J.
 * Fleming and J. J. Wallace, "How not to lie with statistics", Communications of the ACM 29, 1986).
 *
 * @param place the durability class and the facts that differ between machines
 * @param rows one per engine, best geometric mean first
 * @param friedman the gate; present for at least 3 engines and 2 workloads
 * @param pairs every two engines, in the order of the rows; empty for fewer than 2 workloads
 * @param leftOut phases and engines that do not count, with reasons
 */
public record AcrossWorkloads(
    SortedMap<String, String> place,
    List<String> workloads,
    List<Row> rows,
    Optional<Friedman> friedman,
    List<Pair> pairs,
    List<String> leftOut) {

  public static final double ALPHA = 1 - Estimate.CONFIDENCE;

  /** An engine; {@code best} is the number of workloads in which it has rank 1. */
  public record Row(
      String engine,
      @JsonProperty("geometricMeanOfRatios") double ratio,
      double meanRank,
      int best) {}

  /** Two engines; {@code p} has Holm's correction over all pairs. */
  public record Pair(String first, String second, long wins, WilcoxonSignedRank test, double p) {}

  /** Returns one comparison per durability class and machine, in the order of the rankings. */
  public static List<AcrossWorkloads> of(List<Ranking> rankings) {
    return rankings.stream()
        .filter(ranking -> ranking.metric().equals(Metrics.THROUGHPUT))
        .filter(ranking -> ranking.group().operation().isEmpty())
        .collect(groupingBy(ranking -> place(ranking.group()), LinkedHashMap::new, toList()))
        .entrySet()
        .stream()
        .map(entry -> of(entry.getKey(), entry.getValue()))
        .toList();
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

  private static AcrossWorkloads of(SortedMap<String, String> place, List<Ranking> rankings) {
    RatioTable table = RatioTable.of(rankings);
    List<double[]> blocks = table.logRatios();
    int k = table.engines().size();
    List<double[]> inverse =
        blocks.stream().map(block -> Arrays.stream(block).map(log -> -log).toArray()).toList();
    List<double[]> ranks = inverse.stream().map(new NaturalRanking()::rank).toList();
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < k && !blocks.isEmpty(); i++) {
      int engine = i;
      rows.add(
          new Row(
              table.engines().get(i),
              Math.exp(blocks.stream().mapToDouble(block -> block[engine]).average().orElseThrow()),
              ranks.stream().mapToDouble(block -> block[engine]).average().orElseThrow(),
              (int) ranks.stream().filter(block -> block[engine] == 1).count()));
    }
    rows.sort(Comparator.comparingDouble(Row::ratio).reversed().thenComparing(Row::engine));
    boolean several = blocks.size() >= 2;
    return new AcrossWorkloads(
        place,
        table.workloads(),
        rows,
        several && k >= 3 ? Optional.of(Friedman.of(inverse)) : Optional.empty(),
        several ? pairs(table, rows) : List.of(),
        table.leftOut());
  }

  private static List<Pair> pairs(RatioTable table, List<Row> rows) {
    List<Pair> pairs = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      for (int j = i + 1; j < rows.size(); j++) {
        double[] first = table.column(rows.get(i).engine());
        double[] second = table.column(rows.get(j).engine());
        long wins = IntStream.range(0, first.length).filter(w -> first[w] > second[w]).count();
        WilcoxonSignedRank test = WilcoxonSignedRank.of(first, second);
        pairs.add(new Pair(rows.get(i).engine(), rows.get(j).engine(), wins, test, test.p()));
      }
    }
    double[] corrected = MultipleTesting.holm(pairs.stream().mapToDouble(Pair::p).toArray());
    for (int i = 0; i < corrected.length; i++) {
      Pair pair = pairs.get(i);
      pairs.set(i, new Pair(pair.first(), pair.second(), pair.wins(), pair.test(), corrected[i]));
    }
    return pairs;
  }

  /**
   * Returns the number of workloads from which the pairwise tests can separate any of these
   * engines: the test's smallest p-value, corrected for the number of pairs, must reach 0.05.
   */
  public int workloadsNeeded() {
    int comparisons = Math.max(1, pairs.size());
    int needed = 1;
    while (WilcoxonSignedRank.smallestP(needed) * comparisons > ALPHA) {
      needed++;
    }
    return needed;
  }

  /** Returns whether Friedman's test finds a difference; true for two engines without a gate. */
  public boolean gateOpen() {
    return friedman.map(test -> test.p() <= ALPHA).orElse(rows.size() == 2);
  }

  /** Returns whether the gate is open and the corrected p-value is small. */
  public boolean separated(Pair pair) {
    return gateOpen() && pair.p() <= ALPHA;
  }

  /** The logarithms of ratios to the best engine: a row per workload, without gaps. */
  private record RatioTable(
      List<String> engines,
      List<String> workloads,
      List<double[]> logRatios,
      List<String> leftOut) {

    /** Returns the table of phases at one durability on one machine. */
    static RatioTable of(List<Ranking> rankings) {
      Set<String> leftOut = new LinkedHashSet<>();
      Map<String, List<Ranking>> byPhase = new LinkedHashMap<>();
      for (Ranking ranking : rankings) {
        if (ranking.group().factors().getOrDefault("rate", "max").equals("max")) {
          byPhase.computeIfAbsent(ranking.group().phase(), p -> new ArrayList<>()).add(ranking);
        } else {
          leftOut.add("points with a rate: their throughput is the rate that was set");
        }
      }
      Set<String> engines = engines(rankings, byPhase, leftOut);
      List<String> workloads = new ArrayList<>();
      List<double[]> rows = new ArrayList<>();
      byPhase.forEach(
          (phase, points) -> {
            List<Ranking> complete =
                points.stream().filter(point -> missing(point, engines).isEmpty()).toList();
            if (complete.isEmpty()) {
              leftOut.add(
                  phase + ": no value for " + String.join(", ", missing(points.get(0), engines)));
            } else if (!engines.isEmpty()) {
              workloads.add(phase);
              rows.add(row(complete, engines));
            }
          });
      return new RatioTable(List.copyOf(engines), workloads, rows, List.copyOf(leftOut));
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

    private static double[] row(List<Ranking> points, Set<String> engines) {
      double[] row = new double[engines.size()];
      for (Ranking point : points) {
        double[] logs =
            engines.stream().mapToDouble(e -> Math.log(value(point, e).orElseThrow())).toArray();
        double best = Arrays.stream(logs).max().orElseThrow();
        for (int i = 0; i < row.length; i++) {
          row[i] += (logs[i] - best) / points.size();
        }
      }
      return row;
    }

    double[] column(String engine) {
      int index = engines.indexOf(engine);
      return logRatios.stream().mapToDouble(row -> row[index]).toArray();
    }
  }
}

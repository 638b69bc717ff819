package kvrank.stats;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Workloads by engines without holes: the logarithms of ratios to the best engine.
 *
 * @param engines the columns, by name
 * @param workloads the rows
 * @param logRatios a row each
 * @param leftOut what would leave holes, with the reason
 */
record RatioTable(
    List<String> engines, List<String> workloads, List<double[]> logRatios, List<String> leftOut) {

  private static final String RATE = "rate";
  private static final String UNLIMITED = "max";

  /** From the throughputs of phases at one durability on one machine. */
  static RatioTable of(List<Ranking> rankings) {
    Set<String> leftOut = new LinkedHashSet<>();
    Map<String, List<Ranking>> byPhase = new LinkedHashMap<>();
    for (Ranking ranking : rankings) {
      if (ranking.group().factors().getOrDefault(RATE, UNLIMITED).equals(UNLIMITED)) {
        byPhase.computeIfAbsent(ranking.group().phase(), p -> new ArrayList<>()).add(ranking);
      } else {
        leftOut.add("points with a rate: throughput there is what was asked for");
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
                phase + ": no value of " + String.join(", ", missing(points.get(0), engines)));
          } else if (!engines.isEmpty()) {
            workloads.add(phase);
            rows.add(row(complete, engines));
          }
        });
    return new RatioTable(
        List.copyOf(engines), List.copyOf(workloads), List.copyOf(rows), List.copyOf(leftOut));
  }

  /** Those with a value in at least half of the phases: one that has few would leave few rows. */
  private static Set<String> engines(
      List<Ranking> rankings, Map<String, List<Ranking>> byPhase, Set<String> leftOut) {
    Set<String> all = new TreeSet<>();
    for (Ranking ranking : rankings) {
      ranking.standings().forEach(standing -> all.add(standing.engine()));
      ranking.excluded().forEach(excluded -> all.add(excluded.engine()));
    }
    Set<String> engines = new TreeSet<>();
    for (String engine : all) {
      long phases =
          byPhase.values().stream()
              .filter(points -> points.stream().anyMatch(point -> value(point, engine).isPresent()))
              .count();
      if (phases > 0 && 2 * phases >= byPhase.size()) {
        engines.add(engine);
      } else {
        leftOut.add("%s: a value in %d of %d phases".formatted(engine, phases, byPhase.size()));
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
      double best = Double.NEGATIVE_INFINITY;
      for (double log : logs) {
        best = Math.max(best, log);
      }
      for (int i = 0; i < row.length; i++) {
        row[i] += (logs[i] - best) / points.size();
      }
    }
    return row;
  }

  /** The logarithms of one engine's ratios, by workload. */
  double[] column(String engine) {
    int index = engines.indexOf(engine);
    return logRatios.stream().mapToDouble(row -> row[index]).toArray();
  }
}

package kvrank.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.results.Results;
import kvrank.results.RunRecord;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;
import kvrank.stats.Separation;
import kvrank.stats.Standing;
import org.apache.commons.math3.distribution.BetaDistribution;

/**
 * What rows that are the same engine under several names say of the tool on this machine: the share
 * of their comparisons that were called different. Executions that are merged are looked at one by
 * one.
 */
final class FalseAlarms {

  private static final double CONFIDENCE = 0.95;

  private FalseAlarms() {}

  /** Returns a sentence each on throughput and on latency, none if no two rows are the same. */
  static List<String> of(RankingIndex index) {
    Collection<String> asked = asked(index.results()).values();
    List<String> sentences = new ArrayList<>();
    if (Set.copyOf(asked).size() < asked.size()) {
      List<Results> all = index.results().executions();
      List<RankingIndex> executions =
          all.size() == 1 ? List.of(index) : all.stream().map(RankingIndex::of).toList();
      add(
          sentences,
          "throughput",
          executions,
          of -> of.metric().equals(Metrics.THROUGHPUT) && of.group().operation().isEmpty());
      add(sentences, "latency", executions, of -> of.metric().id().startsWith(Metric.LATENCY));
    }
    return sentences;
  }

  /** What each row asked for, as far as that is known. */
  private static Map<String, String> asked(Results results) {
    Map<String, String> asked = new HashMap<>();
    for (RunRecord run : results.runs()) {
      if (run.facts().containsKey(RunRecord.ASKED)) {
        asked.put(run.engine(), run.facts().get(RunRecord.ASKED));
      }
    }
    return asked;
  }

  /** What is said of each two rows of {@code ranking} that asked for the same. */
  private static List<Separation> same(Ranking ranking, Map<String, String> asked) {
    List<Separation> found = new ArrayList<>();
    List<String> engines = ranking.standings().stream().map(Standing::engine).toList();
    for (int i = 0; i < engines.size(); i++) {
      String engine = asked.get(engines.get(i));
      for (String other : engines.subList(i + 1, engines.size())) {
        if (engine != null && engine.equals(asked.get(other))) {
          found.add(ranking.verdict(engines.get(i), other).kind());
        }
      }
    }
    return found;
  }

  private static void add(
      List<String> sentences, String what, List<RankingIndex> all, Predicate<Ranking> counted) {
    int comparisons = 0;
    int separated = 0;
    for (RankingIndex index : all) {
      Map<String, String> asked = asked(index.results());
      for (Ranking ranking : index.rankings()) {
        if (counted.test(ranking) && !index.load(ranking.group())) {
          for (Separation each : same(ranking, asked)) {
            comparisons += each == Separation.UNTESTED ? 0 : 1;
            separated += each == Separation.SEPARATED ? 1 : 0;
          }
        }
      }
    }
    if (comparisons > 0) {
      // Clopper and Pearson's interval; that of the library takes no share of 0 or 1.
      int others = comparisons - separated;
      double low =
          separated == 0
              ? 0
              : new BetaDistribution(separated, others + 1)
                  .inverseCumulativeProbability((1 - CONFIDENCE) / 2);
      double high =
          others == 0
              ? 1
              : new BetaDistribution(separated + 1, others)
                  .inverseCumulativeProbability((1 + CONFIDENCE) / 2);
      double share = 100.0 * separated / comparisons;
      sentences.add(
          String.format(
              Locale.ROOT,
              what + ": %d of %d comparisons separated, %.1f %% (%.1f … %.1f)",
              separated,
              comparisons,
              share,
              100 * low,
              100 * high));
    }
  }
}

package kvrank.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
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

  private final Map<String, String> asked;
  private int comparisons;
  private int separated;

  private FalseAlarms(RankingIndex index, Predicate<Ranking> counted) {
    asked = asked(index.results());
    for (Ranking ranking : index.rankings()) {
      if (counted.test(ranking) && !index.load(ranking.group())) {
        count(ranking);
      }
    }
  }

  /** What each row asked for, as far as that is known. */
  private static Map<String, String> asked(Results results) {
    Map<String, String> asked = new HashMap<>();
    for (RunRecord run : results.runs()) {
      Optional.ofNullable(run.facts().get(RunRecord.ASKED))
          .ifPresent(engine -> asked.put(run.engine(), engine));
    }
    return asked;
  }

  private void count(Ranking ranking) {
    List<String> engines = ranking.standings().stream().map(Standing::engine).toList();
    for (int i = 0; i < engines.size(); i++) {
      for (String other : engines.subList(i + 1, engines.size())) {
        Separation kind = ranking.verdict(engines.get(i), other).kind();
        String engine = asked.get(engines.get(i));
        if (engine != null && engine.equals(asked.get(other)) && kind != Separation.UNTESTED) {
          comparisons++;
          separated += kind == Separation.SEPARATED ? 1 : 0;
        }
      }
    }
  }

  /** Returns a sentence each on throughput and on latency, none if no two rows are the same. */
  static List<String> of(RankingIndex index) {
    Collection<String> asked = asked(index.results()).values();
    if (Set.copyOf(asked).size() == asked.size()) {
      return List.of();
    }
    List<RankingIndex> executions = new ArrayList<>();
    List<Results> all = index.results().executions();
    all.forEach(each -> executions.add(all.size() == 1 ? index : RankingIndex.of(each)));
    List<String> sentences = new ArrayList<>();
    add(
        sentences,
        "throughput",
        executions,
        of -> of.metric().equals(Metrics.THROUGHPUT) && of.group().operation().isEmpty());
    add(sentences, "latency", executions, of -> of.metric().id().startsWith(Metric.LATENCY));
    return sentences;
  }

  private static void add(
      List<String> sentences, String what, List<RankingIndex> all, Predicate<Ranking> counted) {
    int comparisons = 0;
    int separated = 0;
    for (RankingIndex index : all) {
      FalseAlarms alarms = new FalseAlarms(index, counted);
      comparisons += alarms.comparisons;
      separated += alarms.separated;
    }
    if (comparisons > 0) {
      // Clopper and Pearson's interval; that of the library takes no share of 0 or 1.
      double low =
          separated == 0
              ? 0
              : new BetaDistribution(separated, comparisons - separated + 1)
                  .inverseCumulativeProbability((1 - CONFIDENCE) / 2);
      double high =
          separated == comparisons
              ? 1
              : new BetaDistribution(separated + 1, comparisons - separated)
                  .inverseCumulativeProbability((1 + CONFIDENCE) / 2);
      sentences.add(
          String.format(
              Locale.ROOT,
              "%s: %d of %d comparisons separated, %.1f %% (%.1f … %.1f)",
              what,
              separated,
              comparisons,
              100.0 * separated / comparisons,
              100 * low,
              100 * high));
    }
  }
}

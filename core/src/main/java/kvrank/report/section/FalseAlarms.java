package kvrank.report.section;

import static java.util.stream.Collectors.toMap;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import kvrank.fact.Fact;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.results.ExecutionResults;
import kvrank.results.RunRecord;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;
import kvrank.stats.Standing;
import kvrank.stats.infer.Separation;
import org.apache.commons.math3.distribution.BetaDistribution;

/**
 * The false alarms of kvrank on this machine, from rows that are the same engine under several
 * names: the share of their comparisons that are separated. Merged executions are counted one by
 * one.
 */
public final class FalseAlarms {

  private static final double CONFIDENCE = 0.95;

  private FalseAlarms() {}

  /** Returns the same as an answer, if every engine has several rows. */
  public static List<String> answers(RankingIndex index) {
    Collection<String> asked = asked(index.results()).values();
    return asked.stream().allMatch(each -> Collections.frequency(asked, each) > 1)
        ? of(index).stream().map("False alarms in %s."::formatted).toList()
        : List.of();
  }

  /** Returns a sentence each on throughput and latency; none if no two rows are the same engine. */
  public static List<String> of(RankingIndex index) {
    Collection<String> asked = asked(index.results()).values();
    List<String> sentences = new ArrayList<>();
    if (Set.copyOf(asked).size() < asked.size()) {
      List<ExecutionResults> all = index.results().executions();
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

  /** Returns the settings that each row asked for, as far as they are known. */
  private static Map<String, String> asked(ExecutionResults results) {
    return results.runs().stream()
        .filter(run -> run.facts().has(Fact.ASKED))
        .collect(
            toMap(RunRecord::engine, run -> run.facts().text(Fact.ASKED), (one, last) -> last));
  }

  /** The counts for one engine in one execution, whose rows share their noise. */
  private static final class Tally {
    private int comparisons;
    private int separated;
  }

  /** Counts each pair of rows in {@code ranking} that asked for the same. */
  private static void count(
      Ranking ranking, Map<String, String> asked, Map<String, Tally> byEngine) {
    List<String> engines = ranking.standings().stream().map(Standing::engine).toList();
    for (int i = 0; i < engines.size(); i++) {
      String engine = asked.get(engines.get(i));
      for (String other : engines.subList(i + 1, engines.size())) {
        if (engine != null && engine.equals(asked.get(other))) {
          Separation found = ranking.verdict(engines.get(i), other).kind();
          Tally tally = byEngine.computeIfAbsent(engine, any -> new Tally());
          tally.comparisons += found == Separation.UNTESTED ? 0 : 1;
          tally.separated += found == Separation.SEPARATED ? 1 : 0;
        }
      }
    }
  }

  private static void add(
      List<String> sentences, String what, List<RankingIndex> all, Predicate<Ranking> counted) {
    List<Tally> tallies = new ArrayList<>();
    for (RankingIndex index : all) {
      Map<String, String> asked = asked(index.results());
      Map<String, Tally> byEngine = new HashMap<>();
      for (Ranking ranking : index.rankings()) {
        if (counted.test(ranking) && !index.load(ranking.group())) {
          count(ranking, asked, byEngine);
        }
      }
      tallies.addAll(byEngine.values());
    }
    int comparisons = tallies.stream().mapToInt(each -> each.comparisons).sum();
    int separated = tallies.stream().mapToInt(each -> each.separated).sum();
    if (comparisons > 0) {
      double share = (double) separated / comparisons;
      sentences.add(
          String.format(
              Locale.ROOT,
              what + ": %d of %d comparisons separated, %.1f %% (%.1f … %.1f)",
              separated,
              comparisons,
              100 * share,
              100 * bound(tallies, share, comparisons, (1 - CONFIDENCE) / 2),
              100 * bound(tallies, share, comparisons, (1 + CONFIDENCE) / 2)));
    }
  }

  /**
   * Returns a bound of Clopper and Pearson's interval for the number of independent comparisons
   * that would vary as much as {@code tallies} do (E. L. Korn and B. I. Graubard, "Confidence
   * intervals for proportions with small expected number of positive counts estimated from survey
   * data", Survey Methodology 24, 1998).
   */
  private static double bound(List<Tally> tallies, double share, int comparisons, double at) {
    double squares = 0;
    for (Tally each : tallies) {
      squares += Math.pow(each.separated - share * each.comparisons, 2);
    }
    double k = tallies.size();
    double effect = squares * k / (k - 1) / (share * (1 - share) * comparisons);
    double n = effect > 1 ? comparisons / effect : comparisons;
    double less = at < 0.5 ? n * share : n * share + 1;
    double more = at < 0.5 ? n * (1 - share) + 1 : n * (1 - share);
    // The library does not accept a share of 0 or 1.
    return less == 0 || more == 0
        ? share
        : new BetaDistribution(less, more).inverseCumulativeProbability(at);
  }
}

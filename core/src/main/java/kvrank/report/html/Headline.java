package kvrank.report.html;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import kvrank.stats.Group;
import kvrank.stats.Standing;

/** The answer to the question in a sentence or two. */
final class Headline {

  private Headline() {}

  private record Score(String engine, long alone, long shared) {
    long first() {
      return alone + shared;
    }
  }

  static String of(Findings findings) {
    List<Group> ranked =
        findings.wholes().stream()
            .filter(group -> !findings.throughput(group).standings().isEmpty())
            .toList();
    if (ranked.isEmpty()) {
      return "No engine can be ranked.";
    }
    List<Score> scores = scores(findings, ranked);
    StringBuilder text = new StringBuilder();
    Score best = scores.get(0);
    text.append(best.engine()).append(" comes first in ").append(of(best, ranked.size()));
    List<String> others =
        scores.stream().skip(1).map(score -> score.engine() + " in " + of(score, -1)).toList();
    text.append(others.isEmpty() ? "" : ", " + String.join(", ", others)).append('.');
    boolean single =
        ranked.stream()
            .flatMap(group -> findings.throughput(group).standings().stream())
            .anyMatch(standing -> !standing.estimate().hasInterval());
    if (single) {
      text.append(" Where there is no interval, ties cannot be told.");
    }
    return text.toString();
  }

  private static String of(Score score, int all) {
    StringBuilder text = new StringBuilder();
    if (all == 1) {
      text.append("the only comparison");
    } else if (score.first() == all) {
      text.append("all ").append(all).append(" comparisons");
    } else {
      text.append(score.first());
      text.append(all < 0 ? "" : " of " + all + " comparisons");
    }
    if (score.shared() > 0) {
      text.append(score.alone() == 0 ? " (tied)" : " (" + score.shared() + " of them tied)");
    }
    return text.toString();
  }

  private static List<Score> scores(Findings findings, List<Group> ranked) {
    Map<String, Score> scores = new LinkedHashMap<>();
    for (String engine : findings.engines()) {
      long alone = 0;
      long shared = 0;
      for (Group group : ranked) {
        Standing standing = findings.throughput(group).standing(engine).orElse(null);
        if (standing != null && standing.rank() == 1) {
          alone += standing.tied() ? 0 : 1;
          shared += standing.tied() ? 1 : 0;
        }
      }
      scores.put(engine, new Score(engine, alone, shared));
    }
    List<Score> first = new ArrayList<>(scores.values());
    first.removeIf(score -> score.first() == 0);
    first.sort(Comparator.comparingLong(Score::first).thenComparingLong(Score::alone).reversed());
    return first;
  }
}

package kvrank.report.html;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.results.RunRecord;
import kvrank.stats.Standing;

/** The answer to the question in a sentence or two. A tie is nobody's win. */
final class Headline {

  private Headline() {}

  static String of(Findings findings) {
    return killed(findings.runs()) + ranked(findings);
  }

  /** Who lost acknowledged writes when it was killed; empty without a kill test. */
  private static String killed(List<RunRecord> runs) {
    SortedMap<String, Long> lost = new TreeMap<>();
    for (RunRecord run : runs) {
      run.killTest().stream()
          .flatMap(test -> test.kills().stream())
          .flatMap(kill -> kill.losses().stream())
          .forEach(losses -> lost.merge(run.engine(), losses.lost(), Long::sum));
    }
    if (lost.isEmpty()) {
      return "";
    }
    List<String> losers =
        lost.keySet().stream().filter(engine -> lost.get(engine) > 0).sorted().toList();
    return losers.isEmpty()
        ? "Killed, no engine lost a write that it had acknowledged. "
        : "Killed, %s lost writes that were acknowledged. ".formatted(String.join(", ", losers));
  }

  private static String ranked(Findings findings) {
    List<List<Standing>> ranked =
        findings.wholes().stream()
            .map(group -> findings.throughput(group).standings())
            .filter(standings -> !standings.isEmpty())
            .toList();
    if (ranked.isEmpty()) {
      return "No engine can be ranked.";
    }
    List<List<Standing>> compared =
        ranked.stream().filter(standings -> standings.size() > 1).toList();
    if (compared.isEmpty()) {
      return "Only "
          + String.join(
              ", ", ranked.stream().map(standings -> standings.get(0).engine()).distinct().toList())
          + " could be measured: there is nothing to compare.";
    }
    boolean doubtful =
        compared.stream()
            .flatMap(List::stream)
            .anyMatch(standing -> !standing.estimate().hasInterval());
    return sentence(wins(compared), compared.size())
        + (doubtful ? " Where there is no interval, ties cannot be told." : "")
        + (findings.unproven().isEmpty() ? "" : " Not every durability is proven.");
  }

  private static SortedMap<String, Long> wins(List<List<Standing>> compared) {
    SortedMap<String, Long> wins = new TreeMap<>();
    for (List<Standing> standings : compared) {
      if (!standings.get(0).tied()) {
        wins.merge(standings.get(0).engine(), 1L, Long::sum);
      }
    }
    return wins;
  }

  private static String sentence(SortedMap<String, Long> wins, int all) {
    String comparisons = all == 1 ? "the only comparison" : "all " + all + " comparisons";
    if (wins.isEmpty()) {
      return "In " + comparisons + " the best engines are tied: the data cannot separate them.";
    }
    List<Map.Entry<String, Long>> order = new ArrayList<>(wins.entrySet());
    order.sort(Map.Entry.<String, Long>comparingByValue().reversed());
    List<String> parts = new ArrayList<>();
    for (Map.Entry<String, Long> win : order) {
      String count = win.getValue() == all ? comparisons : Long.toString(win.getValue());
      parts.add(
          parts.isEmpty()
              ? win.getKey()
                  + " is fastest in "
                  + count
                  + (win.getValue() == all ? "" : " of " + all + " comparisons")
              : win.getKey() + " in " + count);
    }
    long tied = all - wins.values().stream().mapToLong(Long::longValue).sum();
    return String.join(", ", parts)
        + (tied > 0 ? "; in %d the best are tied.".formatted(tied) : ".");
  }
}

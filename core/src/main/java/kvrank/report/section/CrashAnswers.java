package kvrank.report.section;

import static java.util.Comparator.comparingLong;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import kvrank.report.ranking.Labels;
import kvrank.results.RunRecord;
import kvrank.stats.RankingIndex;

/** Sentences about the acknowledged writes that engines lost in crashes. */
public final class CrashAnswers {

  /** More engines that lost no more than their level allows are not named in a sentence. */
  private static final int MOST_NAMED = 5;

  private CrashAnswers() {}

  /**
   * Returns a sentence for each factor point, for example {@code killed at fsync=off, redis lost
   * nothing, ignix 49,115 of 65,745 writes}, and for each reason why there was no crash; none
   * without a crash test.
   */
  public static List<String> of(RankingIndex index) {
    return CrashRows.of(index).stream().flatMap(test -> answers(test).stream()).toList();
  }

  private static List<String> answers(CrashRows test) {
    Map<String, List<CrashRow>> points =
        test.rows().stream()
            .filter(row -> row.unsupported().isEmpty())
            .filter(row -> row.runs().stream().anyMatch(RunRecord::shown))
            .collect(groupingBy(row -> row.group().pointSuffix(), LinkedHashMap::new, toList()));
    List<String> answers = new ArrayList<>();
    points.forEach((at, rows) -> answers.add(answer(at, rows, test.powerCut())));
    answers.addAll(unsupported(test.rows(), test.powerCut()));
    return answers;
  }

  /** Returns the sentence about the rows of one factor point. */
  private static String answer(String at, List<CrashRow> rows, boolean powerCut) {
    List<String> kept = new ArrayList<>();
    List<String> lost = new ArrayList<>();
    List<CrashRow> allowed = rows.stream().filter(CrashRow::lostWhatIsAllowed).toList();
    List<CrashRow> summed = allowed.size() > MOST_NAMED ? allowed : List.of();
    List<String> other = new ArrayList<>();
    List<String> spared = new ArrayList<>();
    for (CrashRow row : rows.stream().filter(each -> !summed.contains(each)).toList()) {
      if (row.losses().crashes().isEmpty() && row.losses().offence().isEmpty()) {
        spared.add(row.engine());
      } else if (row.kept() && row.losses().unknown() > 0) {
        other.add(
            "%s lost no acknowledged write in %s %s, and the rest proved nothing"
                .formatted(row.engine(), row.seen(), powerCut ? "power cuts" : "crashes"));
      } else if (row.kept()) {
        kept.add(row.engine());
      } else if (row.losses().lost() > 0) {
        lost.add(row.part());
        row.losses().unavailable().ifPresent(text -> other.add(row.engine() + " " + text));
      } else if (!row.losses().offence().isEmpty()) {
        other.add(row.engine() + " " + row.losses().offence());
      } else {
        String why = row.losses().unproven().map(" ("::concat).map(t -> t + ")").orElse("");
        other.add(row.engine() + " is not proven" + why);
      }
    }
    List<String> parts = new ArrayList<>();
    if (!kept.isEmpty()) {
      parts.add(Labels.joined(kept) + " lost no acknowledged write");
    }
    if (!summed.isEmpty()) {
      parts.add(summary(summed));
    }
    if (!lost.isEmpty()) {
      parts.add(Labels.joined(lost) + " acknowledged writes");
    }
    parts.addAll(other);
    if (!spared.isEmpty()) {
      String were = spared.size() == 1 ? " was not " : " were not ";
      parts.add(Labels.joined(spared) + were + (powerCut ? "cut" : "killed"));
    }
    String event = powerCut ? "in power cuts" : "killed";
    return Verdicts.sentence(event + at + ", " + String.join("; ", parts));
  }

  /**
   * Returns for example {@code 24 engines lost acknowledged writes, which were up to 7.96 ms
   * (sqlite) to 3.80 s (badger) old}; no age after kills.
   */
  private static String summary(List<CrashRow> rows) {
    List<CrashRow> aged =
        rows.stream()
            .filter(row -> row.losses().powerCut() && row.losses().oldestLostNanos().isPresent())
            .sorted(comparingLong(row -> row.losses().oldestLostNanos().getAsLong()))
            .toList();
    String lost = rows.size() + " engines lost acknowledged writes";
    return aged.isEmpty()
        ? lost
        : "%s, which were up to %s to %s old"
            .formatted(lost, aged.get(0).aged(), aged.get(aged.size() - 1).aged());
  }

  /** Returns a sentence for each reason why there was no crash. */
  private static List<String> unsupported(List<CrashRow> all, boolean powerCut) {
    List<String> answers = new ArrayList<>();
    all.stream()
        .filter(row -> row.unsupported().isPresent())
        .collect(groupingBy(row -> row.unsupported().get(), LinkedHashMap::new, toList()))
        .forEach(
            (why, rows) -> {
              boolean none = rows.size() == all.size();
              String who = Labels.joined(rows.stream().map(CrashRow::engine).distinct().toList());
              answers.add(
                  Verdicts.sentence(
                      (none ? "No engine" : who)
                          + " had "
                          + (none ? "a " : "no ")
                          + (powerCut ? "power cut: " : "crash test: ")
                          + why));
            });
    return answers;
  }
}

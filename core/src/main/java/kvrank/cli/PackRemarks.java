package kvrank.cli;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import kvrank.report.block.Quantities;
import kvrank.results.ExecutionResults;
import kvrank.results.Outcome;
import kvrank.results.RunRecord;
import kvrank.results.ShellWord;
import kvrank.scenario.Repetitions;
import kvrank.stats.Disturbance;

/** Why readers can conclude less from an execution, as sentences with the next step. */
final class PackRemarks {

  private PackRemarks() {}

  /**
   * Returns the remarks about an execution.
   *
   * @param folder where it is, as a user would name it; empty for one in an archive
   */
  static List<String> of(ExecutionResults execution, Optional<String> folder) {
    List<String> remarks = new ArrayList<>();
    Map<List<Object>, Set<Integer>> repetitions = new HashMap<>();
    for (RunRecord run : execution.runs()) {
      if (run.outcome() instanceof Outcome.Completed) {
        repetitions
            .computeIfAbsent(List.of(run.engine(), run.factors()), any -> new TreeSet<>())
            .add(run.repetition());
      }
    }
    long few =
        repetitions.values().stream().filter(each -> each.size() < Repetitions.DEFAULT).count();
    if (few > 0) {
      int fewest = repetitions.values().stream().mapToInt(Set::size).min().orElse(0);
      remarks.add(
          "%s: %s, and ranks need %d; %s adds some, then pack it again"
              .formatted(
                  execution.name(),
                  Quantities.counted(fewest, "repetition"),
                  Repetitions.DEFAULT,
                  folder
                      .map(
                          path ->
                              "'./kvrank run --resume %s --repetitions %d'"
                                  .formatted(ShellWord.of(path), Repetitions.DEFAULT))
                      .orElse("'run --resume' of the results that it was made from")));
    }
    Disturbance found = Disturbance.of(execution);
    if (found.disturbed() > 0) {
      remarks.add(
          ("%s: others disturbed %d of %d runs, which count less; measure again on a quiet machine,"
                  + " or state the cause where you publish it")
              .formatted(execution.name(), found.disturbed(), found.runs()));
    }
    return remarks;
  }

  /** Returns a sentence about a text in {@code files} that may be private. */
  static String doubt(String text, SortedSet<String> files) {
    int others = files.size() - 1;
    return "'%s' in %s%s may be private; replace it in the results and pack them again, unless anyone may read it"
        .formatted(
            text,
            files.first(),
            others == 0 ? "" : " and " + Quantities.counted(others, "other file"));
  }
}

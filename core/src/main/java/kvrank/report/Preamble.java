package kvrank.report;

import java.util.ArrayList;
import java.util.List;
import kvrank.results.Manifest;
import kvrank.results.Results;
import kvrank.stats.RankingIndex;

/** What stands at the top of every report. */
final class Preamble {

  private Preamble() {}

  /** Title and question. */
  static List<Block> title(RankingIndex index) {
    Manifest manifest = index.results().manifest();
    return List.of(
        new Block.Heading(1, manifest.scenario()), new Block.Question(manifest.question()));
  }

  /** The size of the experiment, or of each that was merged. */
  static List<String> experiment(Results results) {
    if (results.executions().size() > 1) {
      List<String> lines = new ArrayList<>();
      lines.add("Merged from %d executions:".formatted(results.parts().size()));
      results.parts().forEach(part -> lines.add(execution(part)));
      return lines;
    }
    String planned = results.manifest().planned().toString();
    return List.of(
        "Experiment: %s, %s UTC"
            .formatted(
                size(results.manifest()),
                planned.substring(0, Math.min(16, planned.length())).replace('T', ' ')));
  }

  /**
   * What must not be overlooked.
   *
   * @param unreadable a message for each file that is missing or broken
   * @param details how many of them are named; the others are counted
   */
  static List<Block> warnings(RankingIndex index, List<String> unreadable, int details) {
    Results results = index.results();
    List<Block> blocks = new ArrayList<>();
    if (!unreadable.isEmpty()) {
      blocks.add(unreadable(unreadable, details));
    }
    if (!index.differences().isEmpty()) {
      blocks.add(new Block.Warning("What is not the same is kept apart:", index.differences()));
    }
    if (!results.warnings().isEmpty()) {
      blocks.add(new Block.Warning("The machine was busy before the runs:", results.warnings()));
    }
    return blocks;
  }

  private static String size(Manifest manifest) {
    return "%s, %s, %s of each run, storage %s, seed %d"
        .formatted(
            counted(manifest.engines().size(), "engine"),
            counted(manifest.phases().size(), "phase"),
            counted(manifest.repetitions(), "repetition"),
            manifest.medium(),
            manifest.seed());
  }

  private static String execution(Results part) {
    return "%s: scenario %s, %s, host %s"
        .formatted(
            part.name(),
            part.manifest().scenario(),
            size(part.manifest()),
            part.environment().getOrDefault("host", "unknown"));
  }

  private static String counted(int number, String what) {
    return number == 1 ? "1 " + what : number + " " + what + "s";
  }

  private static Block unreadable(List<String> messages, int details) {
    return new Block.Warning(
        messages.size() == 1
            ? "1 file is missing or unreadable; what follows is without it:"
            : messages.size() + " files are missing or unreadable; what follows is without them:",
        first(messages, details));
  }

  /** The first of {@code all}, and how many more there are. */
  static List<String> first(List<String> all, int most) {
    List<String> shown = new ArrayList<>(all.subList(0, Math.min(most, all.size())));
    if (shown.size() < all.size()) {
      shown.add("and %d more".formatted(all.size() - shown.size()));
    }
    return shown;
  }
}

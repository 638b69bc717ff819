package kvrank.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import kvrank.results.Manifest;
import kvrank.results.Results;
import kvrank.stats.RankingIndex;

/** What stands at the top of every report. */
final class Preamble {

  private Preamble() {}

  /**
   * Title, question, what is missing or unreadable, and the size of the experiment.
   *
   * @param details how many missing or unreadable files are named; the others are counted
   */
  static List<Block> of(RankingIndex board, int details) {
    Results results = board.results();
    Manifest manifest = results.manifest();
    List<Block> blocks = new ArrayList<>();
    blocks.add(new Block.Heading(1, manifest.scenario()));
    blocks.add(new Block.Question(manifest.question()));
    if (!results.unreadable().isEmpty()) {
      blocks.add(unreadable(results.unreadable(), details));
    }
    if (results.executions().size() == 1) {
      blocks.add(
          new Block.Text(
              "%s, %s, %s of each run, storage %s, seed %d."
                  .formatted(
                      counted(manifest.engines().size(), "engine"),
                      counted(manifest.phases().size(), "phase"),
                      counted(manifest.repetitions(), "repetition"),
                      manifest.medium(),
                      manifest.seed())));
    } else {
      blocks.add(new Block.Text("Merged from %d executions:".formatted(results.parts().size())));
      blocks.add(new Block.Items(results.parts().stream().map(Preamble::execution).toList()));
    }
    if (!board.differences().isEmpty()) {
      blocks.add(new Block.Warning("What is not the same is kept apart:", board.differences()));
    }
    if (!results.warnings().isEmpty()) {
      blocks.add(new Block.Warning("Of the machine, before the runs:", results.warnings()));
    }
    if (results.runs().isEmpty()) {
      blocks.add(new Block.Text("No run was recorded."));
    }
    return blocks;
  }

  private static String execution(Results part) {
    Manifest manifest = part.manifest();
    return "%s: scenario %s, %s, %s, %s, storage %s, seed %d, host %s"
        .formatted(
            part.name(),
            manifest.scenario(),
            counted(manifest.engines().size(), "engine"),
            counted(manifest.phases().size(), "phase"),
            counted(manifest.repetitions(), "repetition"),
            manifest.medium(),
            manifest.seed(),
            part.environment().getOrDefault("host", "unknown"));
  }

  private static String counted(int number, String what) {
    return number == 1 ? "1 " + what : number + " " + what + "s";
  }

  private static Block unreadable(List<String> messages, int details) {
    List<String> shown = messages.stream().limit(details).collect(Collectors.toList());
    if (messages.size() > shown.size()) {
      shown.add("and %d more".formatted(messages.size() - shown.size()));
    }
    return new Block.Warning(
        messages.size() == 1
            ? "1 file is missing or unreadable; what follows is without it:"
            : messages.size() + " files are missing or unreadable; what follows is without them:",
        shown);
  }
}

package kvrank.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import kvrank.results.Manifest;
import kvrank.results.Results;

/** What stands at the top of every report. */
final class Preamble {

  private Preamble() {}

  /**
   * Title, question, what is missing or unreadable, and the size of the experiment.
   *
   * @param details how many missing or unreadable files are named; the others are counted
   */
  static List<Block> of(Results results, int details) {
    Manifest manifest = results.manifest();
    List<Block> blocks = new ArrayList<>();
    blocks.add(new Block.Heading(1, manifest.scenario()));
    blocks.add(new Block.Question(manifest.question()));
    if (!results.unreadable().isEmpty()) {
      blocks.add(unreadable(results.unreadable(), details));
    }
    blocks.add(
        new Block.Text(
            "%d engines, %d phases, %d %s of each run, storage %s, seed %d."
                .formatted(
                    manifest.engines().size(),
                    manifest.phases().size(),
                    manifest.repetitions(),
                    manifest.repetitions() == 1 ? "repetition" : "repetitions",
                    manifest.medium(),
                    manifest.seed())));
    if (results.runs().isEmpty()) {
      blocks.add(new Block.Text("No run was recorded."));
    }
    return blocks;
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

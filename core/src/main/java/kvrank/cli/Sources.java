package kvrank.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import kvrank.results.ExecutionResults;
import kvrank.results.ResultsDirectory;
import kvrank.results.UnreadableException;
import kvrank.results.pack.OpenedPack;

/** The results that a command was given, as folders or packs. Closing it removes unpacked files. */
final class Sources implements AutoCloseable {

  static final String DESCRIPTION =
      "Names of scenarios, for their newest results, folders such as results/SCENARIO/TIME, or"
          + " archives of 'kvrank pack'.";

  private final Installation installation;
  private final List<OpenedPack> packs = new ArrayList<>();

  Sources(Installation installation) {
    this.installation = installation;
  }

  static boolean isPack(String given) {
    return OpenedPack.isNamed(given) && Files.isRegularFile(Path.of(given));
  }

  /** Returns the results of {@code given}: several if a pack has several. */
  List<ResultsDirectory> of(String given) throws UnreadableException, IOException {
    if (!isPack(given)) {
      return List.of(ResultsDirectory.at(installation.results(given)));
    }
    OpenedPack pack = OpenedPack.of(Path.of(given));
    packs.add(pack);
    return pack.executions();
  }

  /** Returns all that can be read, and reports each of the others, and if none can be read. */
  List<ExecutionResults> readable(List<String> given, Terminal terminal) throws IOException {
    List<ExecutionResults> readable = new ArrayList<>();
    for (String each : given) {
      try {
        for (ResultsDirectory directory : of(each)) {
          readable.add(directory.read());
        }
      } catch (UnreadableException e) {
        terminal.error(e.getMessage());
      }
    }
    if (readable.isEmpty()) {
      terminal.error("none of these results can be read");
    }
    return readable;
  }

  @Override
  public void close() {
    packs.forEach(OpenedPack::close);
  }
}

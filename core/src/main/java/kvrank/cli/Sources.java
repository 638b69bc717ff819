package kvrank.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
  private final Terminal terminal;
  private final Map<Path, String> archives = new HashMap<>();
  private final List<OpenedPack> packs = new ArrayList<>();

  Sources(Installation installation, Terminal terminal) {
    this.installation = installation;
    this.terminal = terminal;
  }

  static boolean isPack(String given) {
    return OpenedPack.isNamed(given) && Files.isRegularFile(Path.of(given));
  }

  /** Returns the results of {@code given}: several if a pack has several. */
  List<ExecutionResults> of(String given) throws UnreadableException, IOException {
    return isPack(given) ? ofPack(given) : List.of(ofFolder(given));
  }

  /** Returns the results of {@code given}, which is not a pack. */
  ExecutionResults ofFolder(String given) throws UnreadableException, IOException {
    return ResultsDirectory.at(installation.results(given)).read();
  }

  /** As {@link #of}, but all results of a scenario. */
  List<ExecutionResults> all(String given) throws UnreadableException, IOException {
    if (isPack(given)) {
      return ofPack(given);
    }
    List<ExecutionResults> all = new ArrayList<>();
    for (ResultsDirectory each : installation.executions(given)) {
      all.add(each.read());
    }
    return all;
  }

  private List<ExecutionResults> ofPack(String given) throws UnreadableException, IOException {
    OpenedPack pack = OpenedPack.of(Path.of(given));
    packs.add(pack);
    List<ExecutionResults> executions = new ArrayList<>();
    for (ResultsDirectory each : pack.executions()) {
      ExecutionResults read = pack.read(each);
      archives.put(read.directory(), given);
      executions.add(
          read.with(read.unreadable().stream().map(text -> given + ": " + text).toList()));
    }
    return executions;
  }

  /** Returns where results are, as a user would name the place. */
  String place(ExecutionResults results) {
    String archive = archives.get(results.directory());
    return archive == null
        ? Installation.shorten(results.directory().toAbsolutePath()).toString()
        : archive + ": " + results.name();
  }

  /** Returns each execution once, with the most runs that were given; reports the others. */
  List<ExecutionResults> distinct(List<ExecutionResults> executions) {
    List<ExecutionResults> distinct = new ArrayList<>();
    // Only executions with an equal key can be the same.
    Map<List<Object>, List<Integer>> places = new HashMap<>();
    for (ExecutionResults each : executions) {
      List<Object> key = List.of(each.manifest().scenario(), each.manifest().planned());
      List<Integer> alike = places.computeIfAbsent(key, any -> new ArrayList<>());
      Optional<Integer> same =
          alike.stream().filter(place -> distinct.get(place).sameExecution(each)).findFirst();
      if (same.isEmpty()) {
        alike.add(distinct.size());
        distinct.add(each);
        continue;
      }
      ExecutionResults known = distinct.get(same.get());
      boolean more = each.runs().size() > known.runs().size();
      ExecutionResults kept = more ? each : known;
      distinct.set(same.get(), kept);
      terminal.error(
          "%s is the same execution as %s, and counts once"
              .formatted(place(more ? known : each), place(kept)));
    }
    return distinct;
  }

  /** Returns those with a completed run, and reports the others. */
  List<ExecutionResults> measured(List<ExecutionResults> executions) {
    List<ExecutionResults> measured = new ArrayList<>();
    for (ExecutionResults each : executions) {
      if (each.measured()) {
        measured.add(each);
      } else {
        terminal.error(place(each) + ": has no completed run, so there is nothing to publish");
      }
    }
    return measured;
  }

  /** Returns all that can be read, and reports each of the others, and if none can be read. */
  List<ExecutionResults> readable(List<String> given) throws IOException {
    List<ExecutionResults> readable = new ArrayList<>();
    for (String each : given) {
      try {
        readable.addAll(of(each));
      } catch (UnreadableException e) {
        terminal.error(e.getMessage());
      }
    }
    if (readable.isEmpty()) {
      terminal.error("none of these results can be read");
    }
    return distinct(readable);
  }

  @Override
  public void close() {
    packs.forEach(OpenedPack::close);
  }
}

package kvrank.cli;

import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import kvrank.scenario.NamedFiles.Kind;
import kvrank.scenario.read.ScenarioReader;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.TypeConversionException;

/** Lists everything that has a name, with its question or description. */
final class ListCommand extends Command {

  private static final List<String> KINDS = Stream.of(Kind.values()).map(Kind::toString).toList();

  private final ArgSpec only =
      add(
          parameter("KIND", Kind.class, "One of ${COMPLETION-CANDIDATES} (default: all).")
              .arity("0..1")
              .converters(ListCommand::kind)
              .completionCandidates(KINDS));

  ListCommand(Command parent) {
    super(parent, "List scenarios, workloads, engines and tables, one per line.");
  }

  @Override
  public Integer call() {
    List<Kind> shown =
        Optional.ofNullable(only.<Kind>getValue()).map(List::of).orElse(List.of(Kind.values()));
    ScenarioReader reader = installation.reader();
    PrintStream out = terminal.out();
    Stream<String> names =
        shown.stream().flatMap(kind -> installation.namedFiles().names(kind).stream());
    int width = names.mapToInt(String::length).max().orElse(1);
    for (Kind kind : shown) {
      if (shown.size() > 1) {
        out.println(kind.toString());
      }
      for (String name : installation.namedFiles().names(kind)) {
        String headline = reader.headline(installation.file(kind, name)).orElse("");
        out.println(terminal.fitted(("  %-" + width + "s  ").formatted(name), headline));
      }
    }
    return ExitStatus.COMPLETED;
  }

  private static Kind kind(String label) {
    String problem = "'" + label + "' is not one of " + String.join(", ", KINDS);
    return Stream.of(Kind.values())
        .filter(kind -> kind.toString().equals(label))
        .findFirst()
        .orElseThrow(() -> new TypeConversionException(problem));
  }
}

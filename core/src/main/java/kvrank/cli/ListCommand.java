package kvrank.cli;

import static java.util.stream.Collectors.joining;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import kvrank.scenario.ScenarioReader;
import kvrank.scenario.Shelves.Kind;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** Lists what has a name: one line each, with its question or description. */
@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    addMethodSubcommands = false,
    description = "List scenarios, workloads, engines and tables, with a line each.")
final class ListCommand implements Callable<Integer> {

  private final Installation installation;
  private final Terminal terminal;

  @Parameters(
      paramLabel = "KIND",
      arity = "0..1",
      converter = KindName.class,
      description = "One of ${COMPLETION-CANDIDATES}; default: all.")
  private Kind only;

  ListCommand(Installation installation, Terminal terminal) {
    this.installation = installation;
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    List<Kind> shown = only == null ? List.of(Kind.values()) : List.of(only);
    ScenarioReader reader = installation.reader();
    PrintStream out = terminal.out();
    Stream<String> names =
        shown.stream().flatMap(kind -> installation.shelves().names(kind).stream());
    int width = names.mapToInt(String::length).max().orElse(1);
    for (Kind kind : shown) {
      if (shown.size() > 1) {
        out.println(kind.toString());
      }
      for (String name : installation.shelves().names(kind)) {
        String headline = reader.headline(installation.file(kind, name)).orElse("");
        out.println(terminal.cut(("  %-" + width + "s  %s").formatted(name, headline)));
      }
    }
    return ExitStatus.COMPLETED;
  }

  /** A kind by its label. */
  static final class KindName implements ITypeConverter<Kind> {

    @Override
    public Kind convert(String label) {
      for (Kind kind : Kind.values()) {
        if (kind.toString().equals(label)) {
          return kind;
        }
      }
      String all = Arrays.stream(Kind.values()).map(Kind::toString).collect(joining(", "));
      throw new TypeConversionException("'" + label + "' is none of " + all);
    }
  }
}

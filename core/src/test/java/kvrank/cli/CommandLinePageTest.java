package kvrank.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvrank.scenario.NamedFiles;
import kvrank.scenario.read.ScenarioReader;
import kvrank.trace.TraceFormat;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** {@code docs/reference/command-line.md} has every command with its options. */
class CommandLinePageTest {

  private static final Path HOME = Path.of(System.getProperty("kvrank.home"));
  private static final Path PAGE = HOME.resolve("docs/reference/command-line.md");

  /** Options of every command, which the page names once. */
  private static final List<String> SHARED = List.of("--debug", "--help", "--version");

  /** {@code -Dkvrank.rewrite=true} writes the tables again. */
  @Test
  void hasTheOptionsOfEveryCommand() throws Exception {
    String text = Files.readString(PAGE);
    String expected = text;
    for (Map.Entry<String, CommandSpec> command : commands().entrySet()) {
      assertThat(text).contains("\n## " + command.getKey() + "\n");
      String name = command.getKey().replace(' ', '-');
      String marker = "<!-- options-of-%s: written by CommandLinePageTest -->\n".formatted(name);
      String table = table(command.getValue());
      if (!table.isEmpty()) {
        assertThat(expected).contains(marker);
        int from = expected.indexOf(marker) + marker.length();
        int to = expected.startsWith("|", from) ? expected.indexOf("\n\n", from) + 1 : from;
        expected = expected.substring(0, from) + table + expected.substring(to);
      }
    }
    if (Boolean.getBoolean("kvrank.rewrite")) {
      Files.writeString(PAGE, expected);
      text = expected;
    }
    assertThat(text).as("rewrite it with -Dkvrank.rewrite=true").isEqualTo(expected);
  }

  @Test
  void namesEveryKeyOfSet() throws Exception {
    String page = Files.readString(PAGE) + Files.readString(PAGE.resolveSibling("yaml.md"));
    for (String key : ScenarioReader.overridable()) {
      assertThat(page).contains("`" + key + "`");
    }
  }

  @Test
  void readmeHasEveryCommand() throws Exception {
    String table = Files.readString(HOME.resolve("README.md")).split("\\| command .*\n", 2)[1];
    assertThat(
            Pattern.compile("`\\./kvrank (\\w+)")
                .matcher(table.substring(0, table.indexOf("\n\n")))
                .results()
                .map(found -> found.group(1))
                .distinct())
        .containsExactlyInAnyOrderElementsOf(
            commands().keySet().stream().map(name -> name.split(" ", 2)[0]).distinct().toList());
  }

  @Test
  void tracesPageHasEveryFormat() throws Exception {
    String page = Files.readString(PAGE.resolveSibling("traces.md"));
    assertThat(Pattern.compile("(?m)^\\| `(.*?)` \\|").matcher(page).results())
        .extracting(found -> found.group(1))
        .containsExactly(
            Stream.of(TraceFormat.values()).map(TraceFormat::label).toArray(String[]::new));
  }

  /** The commands that do something by their names, as they are typed. */
  private static SortedMap<String, CommandSpec> commands() {
    Terminal none =
        new Terminal(
            new PrintStream(System.out, true, StandardCharsets.UTF_8),
            new PrintStream(System.err, true, StandardCharsets.UTF_8),
            false,
            false,
            0);
    Installation installation = new Installation(new NamedFiles(HOME, List.of()), Map.of());
    SortedMap<String, CommandSpec> commands = new TreeMap<>();
    collect(Kvrank.commandLine(installation, none), "", commands);
    return commands;
  }

  private static void collect(CommandLine line, String name, Map<String, CommandSpec> commands) {
    if (line.getSubcommands().isEmpty()) {
      commands.put(name, line.getCommandSpec());
    }
    line.getSubcommands()
        .forEach((each, sub) -> collect(sub, (name + " " + each).strip(), commands));
  }

  private static String table(CommandSpec command) {
    List<ArgSpec> all =
        Stream.concat(
                command.positionalParameters().stream(),
                command.options().stream().filter(option -> !SHARED.contains(option.longestName())))
            .toList();
    return all.isEmpty()
        ? ""
        : all.stream()
            .map(CommandLinePageTest::row)
            .collect(Collectors.joining("", "| argument | meaning |\n|---|---|\n", ""));
  }

  private static String row(ArgSpec argument) {
    String label = argument.paramLabel().replace("|", "\\|");
    String name =
        argument instanceof OptionSpec option
            ? option.longestName() + (option.arity().max() == 0 ? "" : " " + label)
            : label;
    return "| `%s` | %s |\n".formatted(name, String.join(" ", argument.description()));
  }
}

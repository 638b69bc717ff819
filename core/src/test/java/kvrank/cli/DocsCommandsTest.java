package kvrank.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import kvrank.scenario.NamedFiles;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Commands in blocks of the docs have the options that there are, also those that no test runs. */
class DocsCommandsTest {

  private static final Path HOME = Path.of(System.getProperty("kvrank.home"));

  /** A command of kvrank, perhaps after variables or the name of a container's image. */
  private static final Pattern COMMAND =
      Pattern.compile(
          "(?:^|[/ ])kvrank ((?:%s) [^#|]*)"
              .formatted(String.join("|", line().getSubcommands().keySet())));

  @TestFactory
  Stream<DynamicTest> commandsParse() throws IOException {
    List<Path> pages = new ArrayList<>(List.of(HOME.resolve("README.md")));
    try (Stream<Path> docs = Files.walk(HOME.resolve("docs"))) {
      docs.filter(page -> page.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    return pages.stream()
        .map(
            page ->
                DynamicTest.dynamicTest(
                    HOME.relativize(page).toString(), () -> assertThat(problems(page)).isEmpty()));
  }

  private static List<String> problems(Path page) throws IOException {
    List<String> problems = new ArrayList<>();
    boolean inside = false;
    for (String line : Files.readAllLines(page, StandardCharsets.UTF_8)) {
      inside ^= line.strip().startsWith("```");
      Matcher command = COMMAND.matcher(line);
      // Brackets belong to a synopsis.
      if (inside && command.find() && !line.contains("[")) {
        try {
          line().parseArgs(command.group(1).strip().split(" +", -1));
        } catch (ParameterException e) {
          problems.add(line + ": " + e.getMessage());
        }
      }
    }
    return problems;
  }

  private static CommandLine line() {
    Terminal terminal =
        new Terminal(
            new PrintStream(System.out, true, StandardCharsets.UTF_8),
            new PrintStream(System.err, true, StandardCharsets.UTF_8),
            false,
            false,
            0);
    return Kvrank.commandLine(
        new Installation(new NamedFiles(HOME, List.of()), Map.of()), terminal);
  }
}

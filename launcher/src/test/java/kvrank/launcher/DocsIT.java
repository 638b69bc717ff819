package kvrank.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvrank.launcher.DocsPage.Block;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Runs the commands of the docs, with the exceptions that a {@link DocsPage} states. */
class DocsIT extends InstalledKvrank {

  @TestFactory
  Stream<DynamicTest> commandsWork() throws IOException {
    recordMonday();
    List<DynamicTest> tests = new ArrayList<>();
    for (DocsPage page : DocsPage.guides()) {
      if (page.toString().equals(ExternalBindingIT.PAGE)) {
        continue;
      }
      List<Block> run = page.scripts();
      for (Block block : run) {
        tests.add(
            DynamicTest.dynamicTest(
                page + ", " + block,
                () -> {
                  if (block.equals(run.get(0))) {
                    prepare(page);
                  }
                  run(block);
                }));
      }
    }
    return tests.stream();
  }

  /** Each page has engines of its own. */
  private void prepare(DocsPage page) throws IOException {
    Path own = home.resolve(".kvrank");
    if (Files.isDirectory(own)) {
      try (Stream<Path> files = Files.walk(own)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
    page.writeFiles(home);
  }

  /** Runs a block without its commands of Maven, whose names {@link DocsTest} checks. */
  private void run(Block block) throws Exception {
    String script =
        block
            .commands()
            .filter(line -> !line.startsWith("mvn "))
            .map(this::dated)
            .collect(Collectors.joining("\n", "set -eu\n", "\n"));
    Execution execution = Execution.shell(home, script);

    assertThat(execution.status()).as("%s%n%s", script, execution.text()).isZero();
  }

  /** {@code results/SCENARIO/DATE} is the oldest execution. */
  private String dated(String line) {
    Matcher folder = Pattern.compile("results/([a-z-]+)/DATE").matcher(line);
    return folder.replaceAll(
        match -> {
          try (Stream<Path> dates = Files.list(home.resolve("results").resolve(match.group(1)))) {
            return dates.sorted().findFirst().orElseThrow().toString();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  /** What {@code redis-cli monitor} prints on the page about traces. */
  private void recordMonday() throws IOException {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      lines.add(
          "1700000000.%06d [0 127.0.0.1:6] %s \"user:%d\"%s"
              .formatted(
                  100 * i,
                  i % 10 == 0 ? "\"SET\"" : "\"GET\"",
                  i * i % 97,
                  i % 10 == 0 ? " \"value\"" : ""));
    }
    Files.write(home.resolve("monday.txt"), lines, StandardCharsets.UTF_8);
  }
}

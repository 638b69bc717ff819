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
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import javax.tools.ToolProvider;
import kvrank.launcher.DocsPage.Block;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Commands of the docs run as they stand there, but for what a {@link DocsPage} says of them. */
class DocsIT extends InstalledKvrank {

  private static final Pattern RUN = Pattern.compile("(\\./kvrank (run|plan) [^#]*?)( *#.*)?");

  @TestFactory
  Stream<DynamicTest> commandsWork() throws IOException {
    recordMonday();
    List<DynamicTest> tests = new ArrayList<>();
    for (DocsPage page : DocsPage.guides()) {
      List<Block> run =
          page.blocks().stream()
              .filter(block -> block.language().equals("sh"))
              .filter(block -> block.marker("not run,").isEmpty())
              .toList();
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
    buildJavaEngines();
  }

  /** Runs a block but for its commands of Maven, whose names {@link DocsTest} checks. */
  private void run(Block block) throws Exception {
    String script =
        block
            .text()
            .lines()
            .filter(line -> !line.startsWith("mvn "))
            .map(line -> shortened(dated(line), block))
            .collect(Collectors.joining("\n", "set -eu\n", "\n"));
    Execution execution = Execution.shell(home, script);

    assertThat(execution.status()).as("%s%n%s", script, execution.text()).isZero();
  }

  private static String shortened(String line, Block block) {
    Matcher run = RUN.matcher(line);
    if (!run.matches()) {
      return line;
    }
    return run.group(1)
        + (run.group(2).equals("run") ? " --no-wait " : " ")
        + block.marker("add").orElse("")
        + (block.marker("may exit 1,").isPresent() ? " || [ $? = 1 ]" : "");
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

  /** Compiles what a page has under {@code .kvrank/bindings}, as its {@code pom.xml} would. */
  private void buildJavaEngines() throws IOException {
    Path bindings = home.resolve(".kvrank/bindings");
    if (!Files.isDirectory(bindings)) {
      return;
    }
    try (Stream<Path> files = Files.walk(bindings)) {
      for (Path source : files.filter(file -> file.toString().endsWith(".java")).toList()) {
        Path engine = bindings.resolve(bindings.relativize(source).getName(0));
        Path classes = engine.resolve("target/classes");
        Files.createDirectories(classes);
        assertThat(
                ToolProvider.getSystemJavaCompiler()
                    .run(
                        null,
                        null,
                        null,
                        "-d",
                        classes.toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        source.toString()))
            .isZero();
        jar(classes, engine.resolve("target/" + engine.getFileName() + "-1.0.jar"));
      }
    }
  }

  private static void jar(Path classes, Path jar) throws IOException {
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        out.putNextEntry(new ZipEntry(classes.relativize(file).toString()));
        Files.copy(file, out);
      }
    }
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

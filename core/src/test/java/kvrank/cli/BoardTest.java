package kvrank.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import kvrank.scenario.NamedFiles;
import org.junit.jupiter.api.Test;

/** The packs in {@code board/} are checked as CI checks them. */
class BoardTest {

  private static final Path HOME =
      Path.of(requireNonNull(System.getProperty("kvrank.home"), "kvrank.home is not set"));

  @Test
  void allPacksAreValidTogether() throws IOException {
    List<String> words = new ArrayList<>(List.of("validate"));
    try (Stream<Path> files = Files.list(HOME.resolve("board"))) {
      files
          .map(Path::toString)
          .filter(name -> name.endsWith(".tar.gz"))
          .sorted()
          .forEach(words::add);
    }
    assertThat(words).hasSizeGreaterThan(5);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);

    int status =
        Kvrank.run(
            new Installation(new NamedFiles(HOME, List.of()), Map.of()),
            new Terminal(stream, stream, false, false, 0),
            words.toArray(String[]::new));

    assertThat(status).as(out.toString(StandardCharsets.UTF_8)).isZero();
    assertThat(
            out.toString(StandardCharsets.UTF_8).lines().filter(line -> line.endsWith(": valid")))
        .hasSize(words.size() - 1);
  }
}

package kvrank.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The page has the tables of the program, and some rows, drawn again, are the same. */
class ValidationPageTest {

  private static final Path PAGE =
      Path.of(System.getProperty("kvrank.home"), "docs/explanation/validation.md");

  /** Rows that take a second or two. */
  private static final Map<String, String> DRAWN =
      Map.of(
          "intervals", "slowed",
          "executions", "%",
          "two-speeds", "2 engines",
          "found", "10 %, 3 engines");

  @TestFactory
  Stream<DynamicTest> tablesAreThoseOfTheProgram() throws IOException {
    String page = Files.readString(PAGE, StandardCharsets.UTF_8);
    return new ValidationPage()
        .tables().entrySet().stream()
            .map(
                table ->
                    DynamicTest.dynamicTest(
                        table.getKey(), () -> check(page, table.getKey(), table.getValue())));
  }

  private static void check(String page, String name, ValidationPage.Table table) {
    String comment = ValidationPage.marker(name);
    assertThat(page).contains(comment);
    String written = page.substring(page.indexOf(comment)).split("\n\n", 2)[0] + "\n";
    assertThat(written).contains(table.head());
    table.rows().keySet().forEach(label -> assertThat(written).contains("| %s |".formatted(label)));
    if (DRAWN.containsKey(name)) {
      assertThat(written).contains(table.row(DRAWN.get(name)) + "\n");
    }
  }
}

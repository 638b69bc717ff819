package kvrank.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import kvrank.launcher.DocsPage.Block;
import org.junit.jupiter.api.Test;

/**
 * A module that is not part of kvrank is built against the artifact {@code kvrank-binding} by a
 * real Maven, and its engine is ranked: the example of the how-to page, by the page's own commands.
 */
class ExternalBindingIT extends InstalledKvrank {

  /** {@link DocsIT}, which runs no Maven, leaves this page out. */
  static final String PAGE = "docs/how-to/add-a-java-engine.md";

  /** Apart from the user's, which must not get a jar of this build; kept, since it has plugins. */
  private static final Path REPOSITORY = PROJECT.resolve("launcher/target/maven-repository");

  @Test
  void aModuleOutsideOfTheCloneIsBuiltAndItsEngineAnswersCorrectly() throws Exception {
    DocsPage page = DocsPage.read(PROJECT.resolve(PAGE));
    page.writeFiles(home);
    for (Block block : page.scripts()) {
      run(block);
    }
    Path bindings = Files.move(home.resolve(".kvrank/bindings"), home.resolve("elsewhere"));
    scenario(
        "external",
        """
        question: Does an engine of a third party answer correctly?
        engines: [skip-list]
        fsync: none
        records: 1000
        verify: values
        phases: [load, zipfian, range-scan, prefix-scan, delete]
        measure: {warmup: 0s, duration: 100ms}
        repetitions: 1
        """);

    Execution execution = kvrank(Map.of("KVRANK_BINDINGS", bindings.toString()), "run", "external");

    assertThat(execution.status()).as(execution.text()).isZero();
    assertThat(record("external", "skip-list.r1"))
        .contains("\"status\" : \"completed\"", "\"engine.version\" : \"" + Runtime.version())
        .contains("\"sample\" : \"1000\"", "\"checked.wrong\" : \"0\"")
        .doesNotContainPattern("\"errors\" : \\{\\s*\"");
  }

  private void run(Block block) throws IOException, InterruptedException {
    String script =
        block
            .commands()
            .collect(
                Collectors.joining(
                    "\n",
                    """
                    set -eu
                    PATH="%s/bin:$PATH"
                    export MAVEN_OPTS="${MAVEN_OPTS-} -Duser.home=%s -Dmaven.repo.local=%s"
                    """
                        .formatted(
                            System.getProperty("maven.home"),
                            System.getProperty("user.home"),
                            REPOSITORY),
                    "\n"));
    Execution execution = Execution.shell(home, script);

    assertThat(execution.status()).as("%s%n%s", script, execution.text()).isZero();
  }
}

package kvrank.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import kvrank.Wording;
import kvrank.input.InvalidInputException;
import kvrank.input.Problem;
import kvrank.scenario.read.ScenarioReader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The class of an engine is looked for where it is built, before anything is started. */
class EngineReaderTest {

  @RegisterExtension final Wording wording = new Wording();

  @TempDir Path home;

  @BeforeEach
  void build() throws IOException {
    jar("worker/target/kvrank-worker.jar", "kvrank.binding.Shared");
    jar("worker/target/lib/core.jar", "site.ycsb.BasicDB");
    jar("bindings/native/target/kvrank-native.jar", "kvrank.own.NativeBinding");
    jar("bindings/native/target/lib/base.jar", "kvrank.base.BaseBinding");
    jar("bindings/other/old.jar", "site.ycsb.db.OldClient");
    Files.createFile(home.resolve("bindings/native/pom.xml"));
  }

  @Test
  void aClassIsInTheModuleInItsLibrariesInTheWorkerOrNamedJars() throws Exception {
    for (String there :
        List.of(
            "{module: native, class: kvrank.own.NativeBinding}",
            "{module: native, class: kvrank.base.BaseBinding}",
            "{class: site.ycsb.BasicDB}",
            "{class: kvrank.binding.Shared}",
            "{class: site.ycsb.db.OldClient, classpath: [old.jar]}")) {
      assertThat(problems(there)).as(there).isEmpty();
    }
  }

  @Test
  void aClassThatIsNowhereIsAnErrorAtItsPlace() throws Exception {
    assertThat(problems("{module: native, class: kvrank.own.NativBinding}"))
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.line()).isEqualTo(2);
              wording.check(problem.message());
            });
    assertThat(problems("{class: site.ycsb.db.OldClient}")).hasSize(1);
  }

  @Test
  void whereTheModuleIsNotPackagedNobodyKnows() throws Exception {
    Files.delete(home.resolve("bindings/native/target/kvrank-native.jar"));
    Files.createDirectories(home.resolve("bindings/native/target/classes"));
    assertThat(problems("{module: native, class: kvrank.own.NativBinding}")).isEmpty();
  }

  @Test
  void whatALibraryAsksForIsWhatItIsTold() throws Exception {
    Path asked = home.resolve("bindings/native/target/native/store.properties");
    Files.createDirectories(asked.getParent());
    Files.writeString(asked, "commit choice one all\ndir text\nfiles number\nsync flag\n");

    assertThat(told("sync: true, files: 5, commit: one")).isEmpty();
    assertThat(told("sync: true, files: \"${records}\", commit: all")).isEmpty();
    wording.check(told("sink: true, files: 5, commit: one"));
    assertThat(told("files: 5, commit: one"))
        .containsExactly("library 'store' needs property 'sync'");
    assertThat(told("sync: on, files: -5, commit: none"))
        .containsExactly(
            "'on' is not one of true, false",
            "'-5' is not a whole number; write only digits",
            "'none' is not one of one, all");

    wording.check(told("sync: true, files: 10k, commit: one"));
    wording.check(told("sync: true, files: 9223372036854775808, commit: one"));
    Files.writeString(asked, "* any\nsync flag\n");
    assertThat(told("sync: true, files: 5")).isEmpty();

    Files.move(asked, asked.resolveSibling("stores.properties"));
    wording.check(told("sink: true"));
    Files.createDirectories(home.resolve("bindings/store"));
    assertThat(told("sink: true")).isEmpty();
  }

  @Test
  void whatRunsNoWorkerIsNoFlagOfItsJvm() throws Exception {
    assertThat(flags("-ea, -Xmx1g, -XX:+UseZGC, --add-opens=a/b=c, '-Dsome=thing'")).isEmpty();
    for (String flag : List.of("-version", "--dry-run", "-jar", "x", "''", "-Xrunjdwp:suspend=y")) {
      assertThat(flags(flag)).as(flag).singleElement().asString().contains("is not a flag");
    }
  }

  private List<String> flags(String flags) throws IOException {
    return problems("{class: site.ycsb.BasicDB, jvm: [%s]}".formatted(flags)).stream()
        .map(Problem::message)
        .toList();
  }

  private List<String> told(String properties) throws IOException {
    String binding =
        "{module: native, class: kvrank.own.NativeBinding, library: store,"
            + " properties: {library: \"${library}\", dir: \"${data}\", %s}}";
    return problems(binding.formatted(properties)).stream().map(Problem::message).toList();
  }

  private List<Problem> problems(String binding) throws IOException {
    Path file = home.resolve("bindings/other/engine.yaml");
    Files.writeString(
        file,
        """
        description: A map.
        binding: %s
        capabilities: [insert]
        fsync: {on: {unsupported: It has no file}, none: {}}
        embedded: true
        """
            .formatted(binding));
    try {
      new ScenarioReader(home).readEngine(file);
      return List.of();
    } catch (InvalidInputException e) {
      return e.problems();
    }
  }

  private void jar(String path, String type) throws IOException {
    Path file = home.resolve(path);
    Files.createDirectories(file.getParent());
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file))) {
      jar.putNextEntry(new JarEntry(type.replace('.', '/') + ".class"));
    }
  }
}

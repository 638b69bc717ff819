package kvrank;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Checks the classes of the modules against the table of packages in architecture.md. */
class ArchitectureTest {

  private static final Path PAGE =
      Path.of(requireNonNull(System.getProperty("kvrank.home"), "kvrank.home is not set"))
          .resolve("docs/maintainers/architecture.md");

  private static final String HEADER = "| package | responsibility | may use |";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("kvrank");

  /** The last row of the worker; the rows below it are packages of the controller. */
  private static final String LAST_OF_WORKER = "worker.check";

  /**
   * By package, in the order of the table, what it may use; {@code workload.*} includes
   * subpackages.
   */
  private static final Map<String, List<String>> TABLE = new LinkedHashMap<>();

  @BeforeAll
  static void readTable() throws IOException {
    List<String> lines = Files.readAllLines(PAGE);
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).equals(HEADER)) {
        lines.stream()
            .skip(i + 2L)
            .takeWhile(line -> line.startsWith("|"))
            .forEach(ArchitectureTest::add);
      }
    }
  }

  private static void add(String row) {
    String[] cells = row.split("\\|", -1);
    List<String> uses =
        Stream.of(cells[3].replace("`", "").split(",", -1))
            .map(String::strip)
            .filter(name -> !name.equals("–"))
            .toList();
    TABLE.put(cells[1].replace("`", "").strip(), uses);
  }

  private static String name(JavaClass type) {
    return type.getPackageName().replaceFirst("^kvrank\\.", "");
  }

  private static boolean matches(String entry, String name) {
    String parent = entry.replaceFirst("\\.\\*$", "");
    return name.equals(parent) || (entry.endsWith(".*") && name.startsWith(parent + "."));
  }

  @Test
  void theTableHasEveryPackageAndNoOther() {
    Set<String> packages = new TreeSet<>();
    CLASSES.forEach(type -> packages.add(name(type)));

    assertThat(TABLE.keySet()).containsExactlyInAnyOrderElementsOf(packages);
  }

  @Test
  void packagesUseWhatTheTableAllowsAndAllOfIt() {
    List<String> violations = new ArrayList<>();
    SortedMap<String, Set<String>> unused = new TreeMap<>();
    TABLE.forEach((name, uses) -> unused.put(name, new TreeSet<>(uses)));
    for (JavaClass type : CLASSES) {
      String from = name(type);
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        JavaClass target = dependency.getTargetClass().getBaseComponentType();
        String to = name(target);
        if (!target.getPackageName().startsWith("kvrank.") || to.equals(from)) {
          continue;
        }
        unused.getOrDefault(from, Set.of()).removeIf(entry -> matches(entry, to));
        if (TABLE.getOrDefault(from, List.of()).stream().noneMatch(entry -> matches(entry, to))) {
          violations.add("%s may not use %s: %s".formatted(from, to, dependency.getDescription()));
        }
      }
    }
    unused.forEach(
        (from, entries) ->
            entries.forEach(entry -> violations.add("%s does not use %s".formatted(from, entry))));

    assertThat(violations).isEmpty();
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("kvrank.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void onlyOnePackageUsesTestcontainers() {
    noClasses()
        .that()
        .resideOutsideOfPackage("kvrank.provision.docker")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.testcontainers..", "com.github.dockerjava..")
        .check(CLASSES);
  }

  @Test
  void onlyTheCommandLinePrintsAndExits() {
    noClasses()
        .that()
        .resideInAnyPackage(core())
        .and()
        .resideOutsideOfPackage("kvrank.cli")
        .should()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .orShould()
        .callMethod(System.class, "exit", int.class)
        .check(CLASSES);
  }

  /** The packages that run in the controller only: the worker prints what a binding prints. */
  private static String[] core() {
    List<String> rows = List.copyOf(TABLE.keySet());
    assertThat(rows).contains(LAST_OF_WORKER);
    return rows.stream()
        .skip(rows.indexOf(LAST_OF_WORKER) + 1L)
        .map(name -> "kvrank." + name)
        .toArray(String[]::new);
  }

  @Test
  void onlyTheReadersParseYaml() {
    noClasses()
        .that()
        .resideOutsideOfPackages("kvrank.input", "kvrank.scenario.read..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.yaml.snakeyaml..")
        .check(CLASSES);
  }
}

package kvrank;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Holds the table of packages in docs/maintainers/architecture.md. */
class ArchitectureTest {

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(
              "kvrank.metric",
              "kvrank.table",
              "kvrank.scenario",
              "kvrank.plan",
              "kvrank.machine",
              "kvrank.provision",
              "kvrank.results",
              "kvrank.run",
              "kvrank.stats",
              "kvrank.report",
              "kvrank.capture",
              "kvrank.trace",
              "kvrank.cli");

  @Test
  void dataFlowsOneWay() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer("metric")
        .definedBy("kvrank.metric")
        .layer("table")
        .definedBy("kvrank.table")
        .layer("scenario")
        .definedBy("kvrank.scenario")
        .layer("plan")
        .definedBy("kvrank.plan")
        .layer("machine")
        .definedBy("kvrank.machine")
        .layer("provision")
        .definedBy("kvrank.provision..")
        .layer("results")
        .definedBy("kvrank.results")
        .layer("run")
        .definedBy("kvrank.run")
        .layer("stats")
        .definedBy("kvrank.stats")
        .layer("report")
        .definedBy("kvrank.report..")
        .layer("capture")
        .definedBy("kvrank.capture")
        .layer("trace")
        .definedBy("kvrank.trace")
        .layer("cli")
        .definedBy("kvrank.cli")
        .whereLayer("metric")
        .mayNotAccessAnyLayer()
        .whereLayer("table")
        .mayOnlyAccessLayers("metric")
        .whereLayer("scenario")
        .mayOnlyAccessLayers("metric", "table")
        .whereLayer("plan")
        .mayOnlyAccessLayers("scenario")
        .whereLayer("machine")
        .mayOnlyAccessLayers("scenario")
        .whereLayer("provision")
        .mayOnlyAccessLayers("scenario")
        .whereLayer("results")
        .mayOnlyAccessLayers("plan", "scenario", "metric", "table")
        .whereLayer("run")
        .mayOnlyAccessLayers(
            "scenario", "plan", "machine", "provision", "results", "stats", "metric")
        .whereLayer("stats")
        .mayOnlyAccessLayers("results", "metric")
        .whereLayer("report")
        .mayOnlyAccessLayers("stats", "results", "metric", "table")
        .whereLayer("capture")
        .mayOnlyAccessLayers("scenario")
        .whereLayer("trace")
        .mayOnlyAccessLayers("capture", "scenario")
        .check(CLASSES);
  }

  @Test
  void provisionIsLayered() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer("host")
        .definedBy("kvrank.provision.host")
        .layer("server")
        .definedBy("kvrank.provision.server")
        .layer("docker")
        .definedBy("kvrank.provision.docker")
        .layer("provision")
        .definedBy("kvrank.provision")
        .layer("users")
        .definedBy("kvrank.run", "kvrank.cli")
        .whereLayer("host")
        .mayNotAccessAnyLayer()
        .whereLayer("server")
        .mayOnlyAccessLayers("host")
        .whereLayer("docker")
        .mayOnlyAccessLayers("host", "server")
        .whereLayer("provision")
        .mayOnlyAccessLayers("host", "server", "docker")
        .whereLayer("users")
        .mayOnlyAccessLayers("host", "server", "provision")
        .check(CLASSES);
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("kvrank.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void onlyTheDockerPackageUsesTestcontainers() {
    noClasses()
        .that()
        .resideOutsideOfPackage("kvrank.provision.docker")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.testcontainers..", "com.github.dockerjava..")
        .check(CLASSES);
  }

  @Test
  void onlyTheCommandLineSpeaksAndExits() {
    noClasses()
        .that()
        .resideOutsideOfPackage("kvrank.cli")
        .should()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .orShould()
        .callMethod(System.class, "exit", int.class)
        .check(CLASSES);
  }

  @Test
  void onlyTheScenarioPackageParsesYaml() {
    noClasses()
        .that()
        .resideOutsideOfPackage("kvrank.scenario")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.yaml.snakeyaml..")
        .check(CLASSES);
  }
}

package kvrank.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import kvrank.plan.Plan;
import kvrank.plan.Planner;
import kvrank.scenario.InvalidInputException;
import kvrank.scenario.Problem;
import kvrank.scenario.ScenarioReader;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Which scenario, and what is different from its file. */
final class ScenarioOptions {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Parameters(
      paramLabel = "SCENARIO",
      arity = "0..1",
      description = "A name from scenarios/, or the path of a YAML file.")
  private String scenario = "";

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description =
          "Replace a setting, for example --set records=4000000; values a,b make it vary.")
  private List<String> settings = List.of();

  @Option(
      names = "--engines",
      paramLabel = "A,B",
      split = ",",
      description = "Only these of the scenario's engines.")
  private List<String> engines = List.of();

  /** Reads and plans; nothing is started. */
  Plan plan(Installation installation) throws InvalidInputException, IOException {
    if (scenario.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "no scenario given; there are: " + String.join(", ", installation.scenarioNames()));
    }
    Path file = installation.scenario(scenario);
    if (!Files.exists(file)) {
      throw new InvalidInputException(
          List.of(
              new Problem(
                  file,
                  0,
                  0,
                  "",
                  "no such scenario '%s'; there are: %s"
                      .formatted(scenario, String.join(", ", installation.scenarioNames())),
                  "")));
    }
    return Planner.plan(new ScenarioReader(installation.home()).read(file, settings, engines));
  }
}

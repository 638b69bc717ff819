package kvrank.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import kvrank.plan.Plan;
import kvrank.plan.Planner;
import kvrank.scenario.InvalidInputException;
import kvrank.scenario.ScenarioReader;
import kvrank.scenario.Shelves.Kind;
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
      completionCandidates = ScenarioNames.class,
      description = "A name from scenarios/, or the path of a YAML file.")
  private String scenario = "";

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description =
          "Replace a setting, for example --set records=4000000; values a,b make it vary.")
  private List<String> settings = List.of();

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      description = "How often each engine runs at each factor point.")
  private String repetitions = "";

  @Option(
      names = "--engines",
      paramLabel = "A,B",
      split = ",",
      description = "Only these of the scenario's engines.")
  private List<String> engines = List.of();

  /** Reads and plans; nothing is started. */
  Plan plan(Installation installation) throws InvalidInputException {
    if (scenario.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "no scenario given; there are: "
              + String.join(", ", installation.shelves().names(Kind.SCENARIOS)));
    }
    if (!installation.current(scenario).equals(scenario)) {
      spec.commandLine()
          .getErr()
          .printf("note: '%s' is called '%s' now%n", scenario, installation.current(scenario));
    }
    Path file = installation.scenario(scenario);
    List<String> overrides = new ArrayList<>(settings);
    if (!repetitions.isEmpty()) {
      overrides.add("repetitions=" + repetitions);
    }
    ScenarioReader reader =
        installation.reader(note -> spec.commandLine().getErr().println("note: " + note.oneLine()));
    return Planner.plan(reader.read(file, overrides, engines));
  }

  /** The names of the scenarios that are there when a shell's completion is made. */
  static final class ScenarioNames extends ArrayList<String> {

    private static final long serialVersionUID = 1L;

    ScenarioNames() {
      super(Installation.locate(System.getenv()).shelves().names(Kind.SCENARIOS));
    }
  }
}

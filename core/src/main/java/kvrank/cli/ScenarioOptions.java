package kvrank.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import kvrank.plan.Plan;
import kvrank.plan.Planner;
import kvrank.scenario.InvalidInputException;
import kvrank.scenario.Problem;
import kvrank.scenario.Repetitions;
import kvrank.scenario.ScenarioReader;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** Which scenario, and what is different from its file. */
final class ScenarioOptions {

  private final Command command;
  private final ArgSpec scenario;
  private final ArgSpec settings;
  private final ArgSpec repetitions;
  private final ArgSpec untilSeparated;
  private final ArgSpec engines;

  /** Options that {@code command} takes. */
  ScenarioOptions(Command command) {
    this.command = command;
    scenario =
        command.takes(
            Command.word(
                    "SCENARIO", String.class, "A name from scenarios/, or the path of a YAML file.")
                .arity("0..1")
                .completionCandidates(command.installation.scenarios()));
    settings =
        command.takes(
            Command.list(
                "--set",
                "KEY=VALUE",
                "Replace a setting, for example --set records=4000000; values a,b make it vary."));
    repetitions =
        command.takes(
            Command.option(
                "--repetitions",
                "N",
                String.class,
                "How often each engine runs at each factor point; with --resume, more than before."));
    untilSeparated =
        command.takes(
            Command.option(
                "--until-separated",
                "TIME",
                String.class,
                "Repeat what is not settled until engines are separated or equal, at most so long,"
                    + " for example 5m."));
    engines =
        command.takes(
            Command.list("--engines", "A,B", "Only these of the scenario's engines.")
                .splitRegex(","));
  }

  /**
   * Refuses what contradicts {@code --resume}.
   *
   * @param more what it contradicts beside these
   */
  void requireNone(ArgSpec resume, ArgSpec... more) {
    List<ArgSpec> all = new ArrayList<>(List.of(more));
    all.addAll(List.of(scenario, settings, untilSeparated, engines));
    for (ArgSpec each : all) {
      if (command.spec.commandLine().getParseResult().matchedArgs().contains(each)) {
        String name = each instanceof OptionSpec option ? option.longestName() : "a scenario";
        throw new ParameterException(
            command.spec.commandLine(),
            "--resume %s goes on with what was begun; %s cannot be given"
                .formatted(resume.<String>getValue(), name));
      }
    }
  }

  /** Returns how many repetitions an execution is to have that is gone on with. */
  Optional<Integer> more() {
    String text = repetitions.getValue();
    if (text == null) {
      return Optional.empty();
    }
    if (!text.matches("[0-9]{1,3}") || Integer.parseInt(text) > Repetitions.MOST_LOOKS) {
      throw new ParameterException(
          command.spec.commandLine(),
          "--repetitions '%s': with --resume this is a number of at most %d"
              .formatted(text, Repetitions.MOST_LOOKS));
    }
    return Optional.of(Integer.valueOf(text));
  }

  /**
   * Reads and plans; nothing is started.
   *
   * @param more further settings, as those of {@code --set}
   */
  Plan plan(List<String> more) throws InvalidInputException {
    Installation installation = command.installation;
    CommandLine line = command.spec.commandLine();
    String name = scenario.getValue();
    if (name == null) {
      throw new ParameterException(
          line, "no scenario given; there are: " + String.join(", ", installation.scenarios()));
    }
    String current = installation.current(name);
    if (!current.equals(name)) {
      line.getErr().printf("note: '%s' is called '%s' now%n", name, current);
    }
    Path file = installation.scenario(name);
    List<String> overrides = new ArrayList<>(settings.<List<String>>getValue());
    overrides.addAll(more);
    String count = repetitions.getValue();
    if (count != null) {
      overrides.add("repetitions=" + count);
    }
    String budget = untilSeparated.getValue();
    if (budget != null && count != null) {
      throw new ParameterException(
          line,
          "--repetitions makes the number fixed, and --until-separated leaves it open; give one of"
              + " the two, or --until-separated with --set repetitions=%s as the least"
                  .formatted(count));
    }
    if (budget != null) {
      overrides.addAll(List.of("until=separated", "budget=" + budget));
    }
    ScenarioReader reader =
        installation.reader(note -> line.getErr().println("note: " + note.oneLine()));
    try {
      return Planner.plan(reader.read(file, overrides, engines.getValue()));
    } catch (InvalidInputException e) {
      throw new InvalidInputException(e.problems().stream().map(this::byOption).toList());
    }
  }

  /** Returns {@code problem} as one of the option that was given, if that has set the setting. */
  private Problem byOption(Problem problem) {
    ArgSpec option =
        Map.of("repetitions", repetitions, "budget", untilSeparated).get(problem.path());
    return problem.line() == 0 && option instanceof OptionSpec given && given.getValue() != null
        ? new Problem(Path.of(given.longestName()), 0, 0, "", problem.message(), "")
        : problem;
  }
}

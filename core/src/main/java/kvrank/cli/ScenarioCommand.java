package kvrank.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import kvrank.input.InvalidInputException;
import kvrank.input.Problem;
import kvrank.plan.Plan;
import kvrank.plan.Planner;
import kvrank.scenario.Repetitions;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** A command on a scenario, which says what is different from its file. */
abstract class ScenarioCommand extends Command {

  private final ArgSpec scenario =
      takes(
          word("SCENARIO", String.class, "A name from scenarios/, or the path of a YAML file.")
              .arity("0..1")
              .completionCandidates(installation.scenarios()));
  private final ArgSpec settings =
      takes(
          list(
              "--set",
              "KEY=VALUE",
              "Replace a setting, for example --set records=4000000; values a,b make it vary."));
  private final ArgSpec repetitions =
      takes(
          "--repetitions",
          "N",
          "How often each engine runs at each factor point; with --resume, more than before.");
  private final ArgSpec untilSeparated =
      takes(
          "--until-separated",
          "TIME",
          "Repeat what is not settled until engines are separated or equal, at most so long,"
              + " for example 5m.");
  private final ArgSpec engines =
      takes(list("--engines", "A,B", "Only these of the scenario's engines.").splitRegex(","));

  ScenarioCommand(Command parent, String description) {
    super(parent, description);
  }

  /** Refuses what contradicts {@code --resume}: what a scenario is changed by, and {@code more}. */
  final void requireNone(ArgSpec resume, ArgSpec... more) {
    List<ArgSpec> all = new ArrayList<>(List.of(more));
    all.addAll(List.of(scenario, settings, untilSeparated, engines));
    for (ArgSpec each : all) {
      if (spec.commandLine().getParseResult().matchedArgs().contains(each)) {
        String name = each instanceof OptionSpec option ? option.longestName() : "a scenario";
        throw wrong(
            "--resume %s goes on with what was begun; %s cannot be given"
                .formatted(resume.<String>getValue(), name));
      }
    }
  }

  /** Returns how many repetitions an execution is to have that is gone on with. */
  final Optional<Integer> more() {
    String text = repetitions.getValue();
    if (text == null) {
      return Optional.empty();
    }
    if (!text.matches("[0-9]{1,3}") || Integer.parseInt(text) > Repetitions.MOST_LOOKS) {
      throw wrong(
          "--repetitions '%s': with --resume this is a number of at most %d"
              .formatted(text, Repetitions.MOST_LOOKS));
    }
    return Optional.of(Integer.valueOf(text));
  }

  /** Reads and plans, with {@code more} settings as those of {@code --set}; starts nothing. */
  final Plan plan(List<String> more) throws InvalidInputException {
    String name = scenario.getValue();
    if (name == null) {
      throw wrong("no scenario given; there are: " + String.join(", ", installation.scenarios()));
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
      throw wrong(
          "--repetitions makes the number fixed, and --until-separated leaves it open; give one of"
              + " the two, or --until-separated with --set repetitions=%s as the least"
                  .formatted(count));
    }
    if (budget != null) {
      overrides.addAll(List.of("until=separated", "budget=" + budget));
    }
    try {
      return Planner.plan(installation.reader().read(file, overrides, engines.getValue()));
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

package kvrank.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import kvrank.input.Consent;
import kvrank.input.InvalidInputException;
import kvrank.input.Problem;
import kvrank.plan.Plan;
import kvrank.plan.Planner;
import kvrank.scenario.Repetitions;
import kvrank.scenario.Scenario;
import kvrank.scenario.read.ScenarioReader;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** A command on a scenario, with options that change it. */
abstract class ScenarioCommand extends Command {

  /** Short enough to be typed. */
  private static final int MOST_ORDER_SEED = 1_000_000;

  private final ArgSpec scenario =
      add(
          parameter("SCENARIO", String.class, "A name from scenarios/, or the path of a YAML file.")
              .arity("0..1")
              .completionCandidates(installation.scenarios()));
  private final ArgSpec settings =
      add(
          list(
              "--set",
              "KEY=VALUE",
              "Replace a setting, for example --set records=4000000; a list a,b makes it a"
                  + " factor."));
  private final ArgSpec properties =
      add(
          list(
              "-p",
              "KEY=VALUE",
              "Replace a property of the scenario's YCSB files, for example -p readproportion=1."));
  private final ArgSpec repetitions =
      addText(
          "--repetitions",
          "N",
          "How often each engine runs at each factor point; --resume can only raise it.");
  private final ArgSpec untilSeparated =
      addText(
          "--until-separated",
          "TIME",
          "Repeat runs until engines are separated or equal, for at most this time, such as 5m.");
  private final ArgSpec base =
      add(
          list(
              "--base",
              "DIR|ENGINE=FILE",
              "Measure each engine twice: as NAME-base, from this folder of engines or with this"
                  + " executable or image, and as NAME-head."));
  private final ArgSpec head = add(list("--head", "DIR|ENGINE=FILE", "The same for NAME-head."));
  private final ArgSpec engines =
      add(list("--engines", "A,B", "Run only these engines of the scenario.").splitRegex(","));

  private final ArgSpec secrets =
      add(
          list(
              "--allow-secret",
              "NAME",
              "Let the scenario log in to a server with this environment variable or file;"
                  + " without it, only variables KVRANK_… and files in the scenario's folder."));

  ScenarioCommand(Command parent, String description) {
    super(parent, description);
  }

  /** Refuses {@code others} and every argument that changes the scenario with {@code resume}. */
  final void requireNone(ArgSpec resume, ArgSpec... others) {
    List<ArgSpec> refused = new ArrayList<>(List.of(others));
    refused.addAll(List.of(scenario, settings, properties, untilSeparated, base, head, engines));
    for (ArgSpec argument : refused) {
      if (spec.commandLine().getParseResult().matchedArgs().contains(argument)) {
        throw usageError(
            "--resume %s continues what was started, so %s cannot be given"
                .formatted(
                    resume.<String>getValue(),
                    argument instanceof OptionSpec option ? option.longestName() : "a scenario"));
      }
    }
  }

  /** Returns a reader of scenarios that asks {@code programs} whether they may start these. */
  final ScenarioReader reader(Predicate<List<String>> programs) {
    return installation.reader(new Consent(Set.copyOf(secrets.<List<String>>getValue()), programs));
  }

  /** Returns the number of repetitions that a resumed execution gets, if that is given. */
  final Optional<Integer> resumedRepetitions() {
    String text = repetitions.getValue();
    if (text == null) {
      return Optional.empty();
    }
    if (!text.matches("[0-9]{1,3}") || Integer.parseInt(text) > Repetitions.MOST_LOOKS) {
      throw usageError(
          "--repetitions '%s': with --resume, give a whole number up to %d"
              .formatted(text, Repetitions.MOST_LOOKS));
    }
    return Optional.of(Integer.valueOf(text));
  }

  /**
   * Reads the scenario, draws the order of its runs and plans them, with {@code more} settings
   * besides {@code --set}.
   */
  final Plan plan(ScenarioReader reader, String... more) throws InvalidInputException {
    String name = scenario.getValue();
    if (name == null) {
      throw usageError("give a scenario, one of " + String.join(", ", installation.scenarios()));
    }
    Path file = installation.scenario(name);
    List<String> overrides = new ArrayList<>(settings.<List<String>>getValue());
    overrides.addAll(List.of(more));
    String count = repetitions.getValue();
    if (count != null) {
      overrides.add("repetitions=" + count);
    }
    String budget = untilSeparated.getValue();
    if (budget != null && count != null) {
      throw usageError(
          "--repetitions fixes the number that --until-separated leaves open; give one of them, or"
              + " --until-separated with --set repetitions=%s as the minimum".formatted(count));
    }
    if (budget != null) {
      overrides.addAll(List.of("until=separated", "budget=" + budget));
    }
    try {
      reader
          .replaced(file, overrides)
          .ifPresent(text -> terminal.err().println(terminal.wrapped("note: ", text)));
      List<String> bases = base.getValue();
      List<String> heads = head.getValue();
      Scenario read = reader.read(file, overrides, engines.getValue(), properties.getValue());
      Scenario rows =
          bases.isEmpty() && heads.isEmpty() ? read : reader.interleaved(read, bases, heads);
      return Planner.plan(rows.ordered(new Random().nextInt(MOST_ORDER_SEED)));
    } catch (InvalidInputException e) {
      throw new InvalidInputException(e.problems().stream().map(this::byOption).toList());
    }
  }

  /** Returns {@code problem}, named after the option if one of its own has set the setting. */
  private Problem byOption(Problem problem) {
    ArgSpec option =
        Map.of("repetitions", repetitions, "budget", untilSeparated).get(problem.path());
    return problem.line() == 0 && option instanceof OptionSpec given && given.getValue() != null
        ? new Problem(Path.of(given.longestName()), 0, 0, "", problem.message(), "")
        : problem;
  }
}

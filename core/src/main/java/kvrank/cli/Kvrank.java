package kvrank.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import kvrank.results.UnreadableException;
import kvrank.scenario.InvalidInputException;
import kvrank.scenario.Problem;
import kvrank.scenario.ScenarioReader;
import kvrank.scenario.Shelves.Kind;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.UnmatchedArgumentException;

/** The root command: it holds the others and turns what they throw into words and a status. */
final class Kvrank extends Command {

  static final String VERSION = "0.1.0";

  private static final String COMPLETION = "completion";

  private final ArgSpec debug =
      takes(flag("--debug", "Print stack traces of errors.").scopeType(ScopeType.INHERIT));

  private Kvrank(Installation installation, Terminal terminal) {
    super(
        installation,
        terminal,
        "Ranks key-value engines by declared scenarios, and does not rank noise.");
    spec.name("kvrank");
    spec.usageMessage()
        .synopsisSubcommandLabel("COMMAND")
        .footer(
            "",
            "Exit status: 0 every planned run completed; 1 a run failed, timed out or was incorrect,",
            "or a comparison found a regression; 2 the input is invalid; 3 nothing could run.");
  }

  /** Runs the command line and returns the exit status. */
  static int run(Installation installation, Terminal terminal, String... arguments) {
    Kvrank root = new Kvrank(installation, terminal);
    Map<String, BiFunction<Installation, Terminal, Command>> commands = new LinkedHashMap<>();
    commands.put("run", RunCommand::new);
    commands.put("plan", PlanCommand::new);
    commands.put("report", ReportCommand::new);
    commands.put("compare", CompareCommand::new);
    commands.put("engines", EnginesCommand::new);
    commands.put("validate", ValidateCommand::new);
    commands.put("list", ListCommand::new);
    commands.put("clean", CleanCommand::new);
    commands.put(COMPLETION, CompletionCommand::new);
    // Only the command that is asked for is made.
    if (arguments.length > 0
        && commands.containsKey(arguments[0])
        && !arguments[0].equals(COMPLETION)) {
      commands.keySet().retainAll(Set.of(arguments[0]));
    }
    CommandLine line = new CommandLine(root.spec);
    commands.forEach(
        (name, command) -> line.addSubcommand(name, command.apply(installation, terminal).spec));
    line.setOut(new PrintWriter(terminal.out(), true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(terminal.err(), true, StandardCharsets.UTF_8))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpWidth(terminal.width());
    line.setParameterExceptionHandler((e, args) -> root.misuse(e, args));
    line.setExecutionExceptionHandler((e, command, result) -> root.failure(e));
    try {
      return line.execute(arguments);
    } catch (StackOverflowError | OutOfMemoryError | LinkageError e) {
      return root.defect(e);
    }
  }

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getOut());
    return ExitStatus.COMPLETED;
  }

  private int misuse(ParameterException e, String[] arguments) {
    terminal.error(e.getMessage());
    Optional<String> meant = meant(arguments);
    if (meant.isPresent()) {
      terminal.err().println(meant.get());
    } else if (!UnmatchedArgumentException.printSuggestions(e, e.getCommandLine().getErr())) {
      String command = e.getCommandLine().getCommandSpec().qualifiedName();
      terminal.err().println("Try '" + command + " --help'.");
    }
    return ExitStatus.INVALID_INPUT;
  }

  /**
   * Returns a hint that picocli cannot give, of a setting that is given as an option, a scenario as
   * a command.
   */
  private Optional<String> meant(String... arguments) {
    if (installation.shelves().names(Kind.SCENARIOS).contains(arguments[0])) {
      return Optional.of("A scenario is run by 'kvrank run " + arguments[0] + "'.");
    }
    for (int i = 0; i < arguments.length; i++) {
      String[] option = arguments[i].split("=", 2);
      String key = option[0].replaceFirst("^--", "");
      if (option[0].startsWith("--") && ScenarioReader.overridable().contains(key)) {
        boolean apart = option.length == 1 && i + 1 < arguments.length;
        String value = option.length == 2 ? option[1] : apart ? arguments[i + 1] : "VALUE";
        return Optional.of("A setting is given by '--set %s=%s'.".formatted(key, value));
      }
    }
    return Optional.empty();
  }

  /** Says what nobody has foreseen in a sentence, and where the rest of it is. */
  private int defect(Throwable e) {
    if (e instanceof OutOfMemoryError) {
      terminal.error(
          "out of memory, of which this JVM takes %,d MiB at most; JDK_JAVA_OPTIONS=-Xmx… gives it more"
              .formatted(Runtime.getRuntime().maxMemory() >> 20));
      return ExitStatus.RUN_FAILED;
    }
    StringWriter text = new StringWriter();
    text.write("kvrank %s, Java %s\n".formatted(VERSION, Runtime.version()));
    e.printStackTrace(new PrintWriter(text, true));
    try {
      Path file = Files.createTempFile("kvrank-defect-", ".txt");
      Files.writeString(file, text.toString());
      terminal.error(
          "a defect of kvrank: %s; please report it with %s, and with the input"
              .formatted(e, file));
    } catch (IOException none) {
      terminal.error("a defect of kvrank: %s; please report it, with the input".formatted(e));
    }
    return ExitStatus.RUN_FAILED;
  }

  private int failure(Exception e) {
    if (debug.<Boolean>getValue()) {
      e.printStackTrace(terminal.err());
    }
    if (e instanceof InvalidInputException invalid) {
      for (Problem problem : invalid.problems()) {
        terminal.err().println(problem.oneLine());
        if (!problem.excerpt().isEmpty()) {
          terminal.err().println(problem.excerpt().indent(4).stripTrailing());
        }
      }
      int count = invalid.problems().size();
      terminal.error("%d problem%s; nothing was started".formatted(count, count == 1 ? "" : "s"));
      return ExitStatus.INVALID_INPUT;
    }
    if (!(e instanceof UnreadableException) && !(e instanceof IOException)) {
      return defect(e);
    }
    terminal.error(
        e instanceof NoSuchFileException missing
            ? "no such file or folder: '" + missing.getFile() + "'"
            : e instanceof AccessDeniedException denied
                ? "no permission for '" + denied.getFile() + "'"
                : e.getMessage());
    return e instanceof IOException ? ExitStatus.RUN_FAILED : ExitStatus.INVALID_INPUT;
  }
}

package kvrank.cli;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import kvrank.input.InvalidInputException;
import kvrank.input.Problem;
import kvrank.input.Reason;
import kvrank.input.Redaction;
import kvrank.input.Suggestion;
import kvrank.results.UnreadableException;
import kvrank.scenario.NamedFiles.Kind;
import kvrank.scenario.read.ScenarioReader;
import kvrank.workload.trace.TraceException;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.UnmatchedArgumentException;

/** The root command: it holds the others and turns what they throw into words and a status. */
final class Kvrank extends Command {

  /** The version of the pom, which the build writes into {@code version.txt}. */
  static final String VERSION = version();

  private static final String COMPLETION = "completion";

  /** What commands need that are given too few words. */
  private static final Map<String, String> NEEDED =
      Map.of(
          "capture",
          "an ADDRESS; for example 'kvrank capture redis://localhost:6379'",
          COMPLETION,
          "a shell; for example 'kvrank completion bash'",
          "compare",
          "two RESULTS, of then and of now; for example"
              + " 'kvrank compare results/quick/2026-01-02T030405Z quick'",
          "report",
          "RESULTS; for example 'kvrank report quick'",
          "validate",
          "a FILE or a name; for example 'kvrank validate quick'");

  private final ArgSpec debug =
      takes(flag("--debug", "Print stack traces of errors.").scopeType(ScopeType.INHERIT));

  private static String version() {
    try (InputStream in =
        requireNonNull(Kvrank.class.getResourceAsStream("version.txt"), "version.txt is missing")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

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
    Optional<Path> none = installation.noFolder();
    if (none.isPresent()) {
      terminal.error(
          "%s: '%s' is no folder; make it, or name another"
              .formatted(Installation.BINDINGS, none.get()));
      return ExitStatus.INVALID_INPUT;
    }
    CommandLine line = commandLine(installation, terminal, arguments);
    Kvrank root = line.getCommand();
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

  /**
   * Returns the root command with its subcommands; with only one of them if {@code arguments} start
   * with its name, which saves start-up time.
   */
  static CommandLine commandLine(
      Installation installation, Terminal terminal, String... arguments) {
    Kvrank root = new Kvrank(installation, terminal);
    Map<String, Function<Command, Command>> commands = new LinkedHashMap<>();
    commands.put("run", RunCommand::new);
    commands.put("plan", PlanCommand::new);
    commands.put("report", ReportCommand::new);
    commands.put("compare", CompareCommand::new);
    commands.put("capture", CaptureCommand::new);
    commands.put("trace", TraceCommand::new);
    commands.put("engines", EnginesCommand::new);
    commands.put("validate", ValidateCommand::new);
    commands.put("list", ListCommand::new);
    commands.put("clean", CleanCommand::new);
    commands.put(COMPLETION, CompletionCommand::new);
    if (arguments.length > 0
        && commands.containsKey(arguments[0])
        && !arguments[0].equals(COMPLETION)) {
      commands.keySet().retainAll(Set.of(arguments[0]));
    }
    CommandLine line = new CommandLine(root.spec);
    commands.forEach((name, command) -> line.addSubcommand(name, command.apply(root).spec));
    return line;
  }

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getOut());
    return ExitStatus.COMPLETED;
  }

  private int misuse(ParameterException e, String[] arguments) {
    CommandSpec command = e.getCommandLine().getCommandSpec();
    if (e instanceof MissingParameterException missing
        && missing.getMissing().stream().allMatch(ArgSpec::isPositional)
        && NEEDED.containsKey(command.name())) {
      terminal.error(
          "'%s' needs %s".formatted(command.qualifiedName(), NEEDED.get(command.name())));
    } else {
      terminal.error(withoutPasswords(e.getMessage(), arguments));
    }
    Optional<String> meant = meant(e, arguments).or(() -> nearest(e, arguments));
    if (meant.isPresent()) {
      terminal.err().println(meant.get());
    } else if (!UnmatchedArgumentException.printSuggestions(e, e.getCommandLine().getErr())) {
      terminal.err().println("Try '" + command.qualifiedName() + " --help'.");
    }
    return ExitStatus.INVALID_INPUT;
  }

  /** Returns the command or the option that is nearest to one that there is not. */
  private static Optional<String> nearest(ParameterException e, String... arguments) {
    CommandLine line = e.getCommandLine();
    Set<String> names =
        arguments[0].startsWith("-") || line.getParent() != null
            ? line.getCommandSpec().optionsMap().keySet()
            : line.getSubcommands().keySet();
    return e instanceof UnmatchedArgumentException unmatched
        ? unmatched.getUnmatched().stream()
            .findFirst()
            .flatMap(word -> Suggestion.nearest(word.replaceFirst("=.*", ""), names))
            .map(
                name -> "Did you mean: " + line.getCommandSpec().qualifiedName() + " " + name + "?")
        : Optional.empty();
  }

  /** Returns a message in which some of {@code arguments} are repeated. */
  private static String withoutPasswords(String message, String... arguments) {
    String shown = message;
    for (int i = 1; i < arguments.length; i++) {
      // Clients of Redis and others take a password by -a or -p.
      if (arguments[i - 1].matches("-[ap]")
          || Redaction.isSecret(arguments[i - 1].replaceFirst("^-+", ""))) {
        shown = shown.replace(arguments[i], "*".repeat(arguments[i].length()));
      }
    }
    return Redaction.ofMessage(shown);
  }

  /** Returns a hint that picocli has not: of a setting as an option, a scenario as a command. */
  private Optional<String> meant(ParameterException e, String... arguments) {
    if (installation.namedFiles().names(Kind.SCENARIOS).contains(arguments[0])) {
      return Optional.of("A scenario is run by 'kvrank run " + arguments[0] + "'.");
    }
    Set<String> options = e.getCommandLine().getCommandSpec().optionsMap().keySet();
    for (int i = 0; i < arguments.length; i++) {
      String[] option = arguments[i].split("=", 2);
      String key = option[0].replaceFirst("^--", "");
      if (option[0].startsWith("--")
          && !options.contains(option[0])
          && ScenarioReader.overridable().contains(key)) {
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
        // One without a place may have what was taken for the name of a file.
        String line = problem.oneLine();
        terminal.err().println(problem.line() > 0 ? line : Redaction.ofMessage(line));
        if (!problem.excerpt().isEmpty()) {
          terminal.err().println(problem.excerpt().indent(4).stripTrailing());
        }
      }
      int count = invalid.problems().size();
      terminal.error("%d problem%s; nothing was started".formatted(count, count == 1 ? "" : "s"));
      return ExitStatus.INVALID_INPUT;
    }
    boolean unreadable = e instanceof UnreadableException || e instanceof TraceException;
    if (!unreadable && !(e instanceof IOException) && !(e instanceof UncheckedIOException)) {
      return defect(e);
    }
    terminal.error(Redaction.ofMessage(Reason.located(e)));
    return unreadable ? ExitStatus.INVALID_INPUT : ExitStatus.RUN_FAILED;
  }
}

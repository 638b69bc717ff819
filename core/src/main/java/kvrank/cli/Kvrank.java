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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import kvrank.failure.ProcessCheck;
import kvrank.input.InvalidInputException;
import kvrank.input.Problem;
import kvrank.input.Reason;
import kvrank.input.Redaction;
import kvrank.input.Suggestion;
import kvrank.provision.host.TemporaryFolder;
import kvrank.report.block.Quantities;
import kvrank.results.UnreadableException;
import kvrank.results.pack.OpenedPack;
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

/** The root command, which turns exceptions of the others into messages and exit statuses. */
final class Kvrank extends Command {

  /** The version of the root pom, from {@code version.txt}. */
  static final String VERSION = version();

  private static final String COMPLETION = "completion";
  private static final String DEBUG = "--debug";

  /** The arguments that a command lacks when it is given too few. */
  private static final Map<String, String> NEEDED =
      Map.of(
          "capture",
          "an ADDRESS; for example 'kvrank capture redis://localhost:6379'",
          COMPLETION,
          "a shell; for example 'kvrank completion bash'",
          "compare",
          "--run SCENARIO, or two RESULTS, a baseline and a candidate; for example"
              + " 'kvrank compare --run quick --base DIR --head DIR'",
          "history",
          "RESULTS; for example 'kvrank history quick'",
          "report",
          "RESULTS; for example 'kvrank report quick'",
          "pack",
          "RESULTS; for example 'kvrank pack quick'",
          "site",
          "RESULTS and --out DIR; for example 'kvrank site quick --out site'",
          "validate",
          "a FILE or a name; for example 'kvrank validate quick'");

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
        "Ranks key-value engines by declared scenarios, without ranking noise.");
    spec.name("kvrank");
    add(
        flag(DEBUG, "Log the steps of kvrank and Docker, and print stack traces of errors.")
            .scopeType(ScopeType.INHERIT));
    spec.usageMessage()
        .synopsisSubcommandLabel("COMMAND")
        .footer(
            "",
            "Exit status: 0 every planned run completed; 1 a run failed, timed out or was incorrect,"
                + " an engine lost what it promised to keep, or a comparison found a regression; 2 the input is invalid; 3 nothing could"
                + " run.");
  }

  /** Returns whether {@code --debug} or {@code KVRANK_DEBUG=true} asks for the log. */
  static boolean debug(Map<String, String> environment, String... arguments) {
    return List.of(arguments).contains(DEBUG)
        || Boolean.parseBoolean(environment.get("KVRANK_DEBUG"));
  }

  /** Runs the command line and returns the exit status. */
  static int run(Installation installation, Terminal terminal, String... arguments) {
    Optional<Path> missing = installation.missingBindings();
    if (missing.isPresent()) {
      terminal.error(
          "%s: there is no folder '%s'; create it or name another"
              .formatted(Installation.BINDINGS, missing.get()));
      return ExitStatus.INVALID_INPUT;
    }
    CommandLine line = commandLine(installation, terminal, arguments);
    Kvrank root = line.getCommand();
    line.setOut(new PrintWriter(terminal.out(), true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(terminal.err(), true, StandardCharsets.UTF_8))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpWidth(terminal.width());
    line.setParameterExceptionHandler((e, args) -> root.misuse(e, args));
    boolean debug = debug(installation.environment(), arguments);
    line.setExecutionExceptionHandler((e, command, result) -> root.failure(e, debug));
    try {
      return line.execute(arguments);
    } catch (StackOverflowError | OutOfMemoryError | LinkageError e) {
      return root.defect(e);
    }
  }

  /**
   * Returns the root command with its subcommands; only with the one that {@code arguments} start
   * with, if any, as that saves start-up time.
   */
  static CommandLine commandLine(
      Installation installation, Terminal terminal, String... arguments) {
    Kvrank root = new Kvrank(installation, terminal);
    Map<String, Function<Command, Command>> commands = new LinkedHashMap<>();
    commands.put("run", RunCommand::new);
    commands.put("plan", PlanCommand::new);
    commands.put("report", ReportCommand::new);
    commands.put("pack", PackCommand::new);
    commands.put("site", SiteCommand::new);
    commands.put("compare", CompareCommand::new);
    commands.put("history", HistoryCommand::new);
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
        && missing.getMissing().stream().anyMatch(ArgSpec::isPositional)
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

  /** Returns a suggestion of the existing command or option that is closest to an unknown one. */
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

  /** Returns {@code message}, which may quote {@code arguments}, without passwords. */
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

  /** Returns a hint for a setting that is given as an option, or a scenario given as a command. */
  private Optional<String> meant(ParameterException e, String... arguments) {
    if (installation.namedFiles().names(Kind.SCENARIOS).contains(arguments[0])) {
      return Optional.of("To run a scenario, use 'kvrank run " + arguments[0] + "'.");
    }
    Set<String> options = e.getCommandLine().getCommandSpec().optionsMap().keySet();
    for (int i = 0; i < arguments.length; i++) {
      String[] option = arguments[i].split("=", 2);
      String key = option[0].replaceFirst("^--", "");
      if (option[0].startsWith("--")
          && !options.contains(option[0])
          && ScenarioReader.overridable().contains(key)) {
        boolean separate = option.length == 1 && i + 1 < arguments.length;
        String value = option.length == 2 ? option[1] : separate ? arguments[i + 1] : "VALUE";
        return Optional.of("To change a setting, use '--set %s=%s'.".formatted(key, value));
      }
    }
    return Optional.empty();
  }

  /** Reports an unexpected exception as a sentence, and writes its stack trace to a file. */
  private int defect(Throwable e) {
    if (e instanceof OutOfMemoryError) {
      // The JVM throws this error, too, if it can start no more threads.
      terminal.error(
          ProcessCheck.refusal("kvrank")
              .map(refusal -> refusal + "; raise its limits, or end other processes")
              .orElseGet(
                  () ->
                      "out of memory: this JVM may use %,d MiB; set JDK_JAVA_OPTIONS=-Xmx… to raise"
                              .formatted(Runtime.getRuntime().maxMemory() >> 20)
                          + " that"));
      return ExitStatus.RUN_FAILED;
    }
    StringWriter text = new StringWriter();
    text.write("kvrank %s, Java %s\n".formatted(VERSION, Runtime.version()));
    e.printStackTrace(new PrintWriter(text, true));
    try {
      TemporaryFolder.require();
      Path file = Files.createTempFile("kvrank-defect-", ".txt");
      Files.writeString(file, text.toString());
      terminal.error(
          "a defect of kvrank: %s; please report it with the file %s and the input"
              .formatted(e, file));
    } catch (IOException notWritten) {
      terminal.error("a defect of kvrank: %s; please report it with the input".formatted(e));
    }
    return ExitStatus.RUN_FAILED;
  }

  private int failure(Exception e, boolean debug) {
    if (debug) {
      e.printStackTrace(terminal.err());
    }
    if (e instanceof InvalidInputException invalid) {
      boolean packs = true; // which start nothing anyway
      for (Problem problem : invalid.problems()) {
        packs &= OpenedPack.isNamed(problem.file().toString());
        // Without a position, the name of the file comes from the command line.
        String line = problem.oneLine();
        terminal.err().println(problem.line() > 0 ? line : Redaction.ofMessage(line));
        if (!problem.excerpt().isEmpty()) {
          terminal.err().println(problem.excerpt().indent(4).stripTrailing());
        }
      }
      terminal.error(
          Quantities.counted(invalid.problems().size(), "problem")
              + (packs ? "" : "; nothing was started"));
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

package kvrank.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import kvrank.engine.Capability;
import kvrank.engine.EngineDefinition;
import kvrank.engine.ProvisionMethod;
import kvrank.input.InvalidInputException;
import kvrank.input.Problem;
import kvrank.input.Suggestion;
import kvrank.provision.LocalProvisioner;
import kvrank.provision.MethodStatus;
import kvrank.provision.Provisioner;
import kvrank.provision.disk.VolatileDisk;
import kvrank.provision.host.Executables;
import kvrank.scenario.CrashTest.FileSystem;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.NamedFiles.Kind;
import picocli.CommandLine.Model.ArgSpec;

/** Lists the engines, the methods by which they are available here, and what others miss. */
final class EnginesCommand extends Command {

  private final ArgSpec only =
      add(
          parameter("NAME", List.class, "The engines to show (default: all).")
              .auxiliaryTypes(String.class)
              .arity("0..*")
              .initialValue(List.of())
              .completionCandidates(() -> names().iterator()));

  EnginesCommand(Command parent) {
    super(
        parent,
        "List all engines, the methods by which they are available here, and what is missing for"
            + " the others.");
  }

  private List<String> names() {
    return installation.namedFiles().names(Kind.ENGINES);
  }

  @Override
  public Integer call() throws InvalidInputException {
    List<String> known = names();
    List<String> shown = only.getValue();
    for (String name : shown) {
      if (!known.contains(name)) {
        throw usageError("unknown engine '%s'%s".formatted(name, Suggestion.of(name, known)));
      }
    }
    boolean anyAvailable = false;
    List<Problem> problems = new ArrayList<>();
    try (Provisioner provisioner =
        new LocalProvisioner(installation.environment(), terminal.err()::println)) {
      for (String name : shown.isEmpty() ? known : shown) {
        try {
          anyAvailable |= describe(installation.reader().engine(name).orElseThrow(), provisioner);
        } catch (InvalidInputException e) {
          problems.addAll(e.problems());
        }
      }
    }
    if (!problems.isEmpty()) {
      throw new InvalidInputException(problems);
    }
    terminal
        .out()
        .println(
            terminal.wrapped(
                "power cuts (verify: power-cut): ",
                VolatileDisk.missing(FileSystem.EXT4, new Executables(installation.environment()))
                    .map("not here: "::concat)
                    .orElse("possible here")));
    return anyAvailable ? ExitStatus.COMPLETED : ExitStatus.NOTHING_RAN;
  }

  private boolean describe(EngineDefinition engine, Provisioner provisioner) {
    if (engine.planned().isPresent()) {
      heading(engine, "not available");
      line("", engine.planned().get());
      terminal.out().println();
      return false;
    }
    EngineSpec spec = EngineSpec.of(engine);
    List<MethodStatus> methods = provisioner.survey(spec);
    Optional<MethodStatus> chosen = methods.stream().filter(MethodStatus::available).findFirst();
    heading(engine, chosen.map(status -> status.method().label()).orElse("not available here"));
    for (MethodStatus status : methods) {
      line(
          "%s %-10s ".formatted(status.available() ? "+" : "-", status.method().label()),
          status.detail());
    }
    line(
        "can: ",
        spec.capabilities().stream().map(Capability::label).collect(Collectors.joining(", ")));
    engine
        .fsync()
        .forEach(
            (kind, level) ->
                level
                    .unsupported()
                    .ifPresent(reason -> line("fsync " + kind.label() + ": no: ", reason)));
    if (!engine.licence().isEmpty()) {
      line("licence: ", engine.licence());
    }
    if (chosen.filter(status -> status.method() == ProvisionMethod.BUNDLED).isPresent()) {
      line("to get a newer one: ", engine.install());
    }
    if (chosen.isEmpty() && MethodStatus.advisable(methods) && !engine.install().isBlank()) {
      line("to install: ", engine.install());
    }
    terminal.out().println();
    return chosen.isPresent();
  }

  private void heading(EngineDefinition engine, String status) {
    terminal.out().printf("%-14s %s%n", engine.name(), status);
    line("", engine.description());
  }

  private void line(String heading, String text) {
    terminal.out().println(terminal.wrapped("  " + heading, text));
  }
}

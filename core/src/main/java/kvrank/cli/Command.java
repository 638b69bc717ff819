package kvrank.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import kvrank.input.TrustedPath;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;

/**
 * One command with its arguments. They are declared by calls, as reading picocli's annotations
 * takes longer than most commands run.
 */
abstract class Command implements Callable<Integer> {

  final CommandSpec spec = CommandSpec.wrapWithoutInspection(this);
  final Installation installation;
  final Terminal terminal;

  Command(Command parent, String... description) {
    this(parent.installation, parent.terminal, description);
  }

  Command(Installation installation, Terminal terminal, String... description) {
    this.installation = installation;
    this.terminal = terminal;
    spec.usageMessage().description(description);
    spec.version("kvrank " + Kvrank.VERSION);
    OptionSpec.Builder help = flag("--help", "Show this help message and exit.").usageHelp(true);
    add(help.names("-h", "--help"));
    OptionSpec.Builder version = flag("--version", "Print version information and exit.");
    add(version.versionHelp(true).names("-V", "--version"));
  }

  static OptionSpec.Builder flag(String name, String description) {
    return OptionSpec.builder(name)
        .type(boolean.class)
        .initialValue(false)
        .description(description);
  }

  /** An option with a value, by default null. */
  static OptionSpec.Builder option(String name, String label, Class<?> type, String description) {
    return OptionSpec.builder(name).paramLabel(label).type(type).description(description);
  }

  /** The file or folder to write. */
  static OptionSpec.Builder out(String label, String description) {
    return option("--out", label, Path.class, description).names("-o", "--out");
  }

  /** An option that may be repeated; its value is a list of texts, by default empty. */
  static OptionSpec.Builder list(String name, String label, String description) {
    return option(name, label, List.class, description)
        .auxiliaryTypes(String.class)
        .initialValue(List.of());
  }

  /** A positional parameter, by default null. */
  static PositionalParamSpec.Builder parameter(String label, Class<?> type, String description) {
    return PositionalParamSpec.builder().paramLabel(label).type(type).description(description);
  }

  /** Required positional parameters; their value is a list of texts. */
  static PositionalParamSpec.Builder parameters(String label, String arity, String description) {
    return parameter(label, List.class, description)
        .auxiliaryTypes(String.class)
        .arity(arity)
        .required(true);
  }

  final ArgSpec addFlag(String name, String description) {
    return add(flag(name, description));
  }

  final ArgSpec addOut(String label, String description) {
    return add(out(label, description));
  }

  final ArgSpec addText(String name, String label, String description) {
    return add(option(name, label, String.class, description));
  }

  final ArgSpec add(OptionSpec.Builder option) {
    return add(option.build());
  }

  final ArgSpec add(PositionalParamSpec.Builder parameter) {
    return add(parameter.build());
  }

  /** Adds an argument to this command; returns it, as it holds the value after parsing. */
  private ArgSpec add(ArgSpec argument) {
    spec.add(argument);
    return argument;
  }

  /** Returns the file of the option {@code --out}; refuses one that exists or cannot be created. */
  final Path newFile(Path out) throws IOException {
    Path file = out.toAbsolutePath();
    String problem =
        Files.exists(file)
            ? "the file exists; remove it or give another name"
            : !Files.isDirectory(file.getParent())
                ? "its folder does not exist; create it first"
                : !Files.isWritable(file.getParent()) ? "its folder is not writable" : "";
    if (!problem.isEmpty()) {
      throw usageError("--out '%s': %s".formatted(out, problem));
    }
    TrustedPath.require(file);
    return file;
  }

  final ParameterException usageError(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}

package kvrank.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;

/**
 * One command: what it takes, and what it does. Said to picocli in calls, as its annotations take
 * longer to read than most commands to run.
 */
abstract class Command implements Callable<Integer> {

  final CommandSpec spec = CommandSpec.wrapWithoutInspection(this);

  /** Where kvrank's files are. */
  final Installation installation;

  final Terminal terminal;

  /** A command among those that {@code parent} holds. */
  Command(Command parent, String... description) {
    this(parent.installation, parent.terminal, description);
  }

  Command(Installation installation, Terminal terminal, String... description) {
    this.installation = installation;
    this.terminal = terminal;
    spec.usageMessage().description(description);
    spec.version("kvrank " + Kvrank.VERSION);
    OptionSpec.Builder help = flag("--help", "Show this help message and exit.").usageHelp(true);
    takes(help.names("-h", "--help"));
    OptionSpec.Builder version = flag("--version", "Print version information and exit.");
    takes(version.versionHelp(true).names("-V", "--version"));
  }

  /** An option that is given or not. */
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

  /** An option that is a list of texts: given several times, by default never. */
  static OptionSpec.Builder list(String name, String label, String description) {
    return option(name, label, List.class, description)
        .auxiliaryTypes(String.class)
        .initialValue(List.of());
  }

  /** A word that is no option, by default null. */
  static PositionalParamSpec.Builder word(String label, Class<?> type, String description) {
    return PositionalParamSpec.builder().paramLabel(label).type(type).description(description);
  }

  /** All words that are no options, of which there has to be one: a list of texts. */
  static PositionalParamSpec.Builder words(String label, String arity, String description) {
    return word(label, List.class, description)
        .auxiliaryTypes(String.class)
        .arity(arity)
        .required(true);
  }

  /** Takes an option that is given or not; returns what has its value. */
  final ArgSpec takesFlag(String name, String description) {
    return takes(flag(name, description));
  }

  /** Takes an option that is a folder, by default null. */
  final ArgSpec takesFolder(String name, String description) {
    return takes(option(name, "DIR", Path.class, description));
  }

  /** Takes an option with a text, by default null. */
  final ArgSpec takes(String name, String label, String description) {
    return takes(option(name, label, String.class, description));
  }

  /** Takes an option; returns what has its value. */
  final ArgSpec takes(OptionSpec.Builder option) {
    return takes(option.build());
  }

  /** Takes a word; returns what has its value. */
  final ArgSpec takes(PositionalParamSpec.Builder word) {
    return takes(word.build());
  }

  private ArgSpec takes(ArgSpec argument) {
    spec.add(argument);
    return argument;
  }

  /** Returns the file that {@code out} names, which must be new and possible to write. */
  final Path newFile(ArgSpec out) {
    Path file = out.<Path>getValue().toAbsolutePath();
    if (Files.exists(file)) {
      throw wrong("-o '" + out.getValue() + "' exists; remove it, or name another");
    } else if (!Files.isWritable(file.getParent())) {
      throw wrong("-o '" + out.getValue() + "': no file can be written there");
    }
    return file;
  }

  /** Returns that the command line is wrong. */
  final ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}

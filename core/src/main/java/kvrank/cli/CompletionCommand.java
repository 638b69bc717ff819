package kvrank.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints what makes a shell complete commands, options and names. */
@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    addMethodSubcommands = false,
    description = "Print what makes the shell complete commands, options and names.",
    footer = {
      "",
      "bash: source <(./kvrank completion bash)",
      "zsh:  source <(./kvrank completion zsh)"
    })
final class CompletionCommand implements Callable<Integer> {

  private enum Shell {
    BASH,
    ZSH
  }

  private final Terminal terminal;

  @Spec private CommandSpec spec;

  // One script serves both: it asks zsh to understand bash's way. An unknown shell is refused.
  @SuppressWarnings("UnusedVariable")
  @Parameters(paramLabel = "bash|zsh", description = "The shell.")
  private Shell shell = Shell.BASH;

  CompletionCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    terminal.out().print(AutoComplete.bash("kvrank", spec.root().commandLine()));
    return ExitStatus.COMPLETED;
  }
}

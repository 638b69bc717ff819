package kvrank.cli;

import picocli.AutoComplete;

/** Prints the script by which a shell completes commands, options and names. */
final class CompletionCommand extends Command {

  private enum Shell {
    BASH,
    ZSH
  }

  CompletionCommand(Command parent) {
    super(parent, "Print a script that completes commands, options and names in the shell.");
    spec.usageMessage()
        .footer(
            "",
            "bash: source <(./kvrank completion bash)",
            "zsh:  source <(./kvrank completion zsh)");
    // One script serves both, as it puts zsh into its bash mode; other shells are refused.
    add(parameter("bash|zsh", Shell.class, "The shell.").required(true));
  }

  @Override
  public Integer call() {
    terminal.out().print(AutoComplete.bash("kvrank", spec.root().commandLine()));
    return ExitStatus.COMPLETED;
  }
}

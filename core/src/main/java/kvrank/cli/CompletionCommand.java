package kvrank.cli;

import picocli.AutoComplete;

/** Prints what makes a shell complete commands, options and names. */
final class CompletionCommand extends Command {

  private enum Shell {
    BASH,
    ZSH
  }

  CompletionCommand(Command parent) {
    super(parent, "Print what makes the shell complete commands, options and names.");
    spec.usageMessage()
        .footer(
            "",
            "bash: source <(./kvrank completion bash)",
            "zsh:  source <(./kvrank completion zsh)");
    // One script serves both: it asks zsh to understand bash's way. An unknown shell is refused.
    takes(word("bash|zsh", Shell.class, "The shell.").required(true));
  }

  @Override
  public Integer call() {
    terminal.out().print(AutoComplete.bash("kvrank", spec.root().commandLine()));
    return ExitStatus.COMPLETED;
  }
}

package kvrank.cli;

import java.util.ArrayList;
import java.util.List;
import kvrank.provision.LocalProvisioner;
import kvrank.provision.host.Leftovers;

/** Removes what a killed kvrank left, as every run does at its start. */
final class CleanCommand extends Command {

  CleanCommand(Command parent) {
    super(
        parent,
        "Stop and remove what a killed kvrank left on this machine: servers, containers, data,"
            + " temporary files.",
        "Nothing that belongs to a running kvrank or to another user is touched.");
  }

  @Override
  public Integer call() {
    List<String> removed = new ArrayList<>();
    try (LocalProvisioner docker = new LocalProvisioner(installation.environment(), removed::add)) {
      docker.removeOrphans();
    }
    Leftovers leftovers = Leftovers.remove();
    removed.addAll(leftovers.removed());
    removed.forEach(terminal.out()::println);
    leftovers.left().forEach(terminal::error);
    if (removed.isEmpty() && leftovers.left().isEmpty()) {
      terminal.out().println("nothing to remove");
    }
    return leftovers.left().isEmpty() ? ExitStatus.COMPLETED : ExitStatus.RUN_FAILED;
  }
}

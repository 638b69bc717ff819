package kvrank.cli;

import java.util.ArrayList;
import java.util.List;
import kvrank.provision.LocalProvisioner;
import kvrank.provision.host.Leftovers;

/** Removes what a kvrank left that was killed, as every run does before it begins. */
final class CleanCommand extends Command {

  CleanCommand(Command parent) {
    super(
        parent,
        "End and remove what a killed kvrank left here: servers, containers, data, temporary files.",
        "What belongs to a kvrank that runs, or to another user, is left alone.");
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
      terminal.out().println("nothing was left");
    }
    return leftovers.left().isEmpty() ? ExitStatus.COMPLETED : ExitStatus.RUN_FAILED;
  }
}

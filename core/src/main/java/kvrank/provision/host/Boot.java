package kvrank.provision.host;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Starts a process as after a reboot: it finds files on a disk, but no shared memory of earlier
 * processes, and another boot id. Each start is another boot.
 *
 * @param namespace the start of a command that enters the mount namespace with the disk
 * @param disk the folder on the disk, in this namespace
 * @param data the path at which the process finds it
 */
public record Boot(List<String> namespace, Path disk, Path data) {

  private static final String SCRIPT = Script.text(Boot.class, "boot.sh");

  private static final String HIDE = "mount -t tmpfs tmpfs \"$1\" && shift && exec \"$@\"";

  /** Returns the start of a worker's command. */
  public static List<String> worker(Optional<Boot> boot) {
    return entry(boot, false, Optional.empty());
  }

  /**
   * Returns the start of the command of a server, which expects its own entry in {@code /proc}.
   *
   * @param hidden a folder that the server finds empty, if it has a mount namespace
   */
  public static List<String> server(Optional<Boot> boot, Optional<Path> hidden) {
    return entry(boot, true, hidden.map(Path::toAbsolutePath));
  }

  /**
   * Returns the start of a command, which runs in a pid namespace of its own if that is possible.
   *
   * @param boot empty for this machine as it is
   */
  private static List<String> entry(Optional<Boot> boot, boolean server, Optional<Path> hidden) {
    List<String> entry = new ArrayList<>();
    boot.ifPresent(each -> entry.addAll(each.namespaces()));
    boolean enclosed = PidNamespace.problem().isEmpty();
    if (enclosed) {
      entry.addAll(PidNamespace.entry(server && boot.isEmpty()));
    }
    if (boot.isPresent()) {
      entry.addAll(boot.get().script(hidden));
    } else if (enclosed && hidden.isPresent()) {
      entry.addAll(List.of("sh", "-c", HIDE, "kvrank-hide", hidden.get().toString()));
    }
    return entry;
  }

  /**
   * The mount namespace comes before the pid namespace, whose processes could otherwise reach the
   * outer mounts through {@code /proc/1/root}.
   */
  private List<String> namespaces() {
    List<String> command = new ArrayList<>(namespace);
    command.addAll(List.of("unshare", "--mount", "--ipc", "--propagation", "slave"));
    return command;
  }

  private List<String> script(Optional<Path> hidden) {
    return List.of(
        "sh",
        "-c",
        SCRIPT,
        "kvrank-boot",
        disk.toString(),
        data.toString(),
        TemporaryFolder.path().toAbsolutePath().toString(),
        hidden.map(Path::toString).orElse(""));
  }
}

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
 * @param hidden a folder that a server finds empty
 */
public record Boot(List<String> namespace, Path disk, Path data, Path hidden) {

  private static final String SCRIPT = Script.text(Boot.class, "boot.sh");

  /**
   * Returns the start of a command, which runs in a pid namespace of its own if that is possible.
   *
   * @param boot empty for this machine as it is
   * @param server whether it is a server, which expects its own entry in {@code /proc}
   */
  public static List<String> entry(Optional<Boot> boot, boolean server) {
    List<String> entry = new ArrayList<>();
    boot.ifPresent(each -> entry.addAll(each.namespaces()));
    if (PidNamespace.problem().isEmpty()) {
      entry.addAll(PidNamespace.entry(server && boot.isEmpty()));
    }
    boot.ifPresent(each -> entry.addAll(each.script(server)));
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

  private List<String> script(boolean server) {
    return List.of(
        "sh",
        "-c",
        SCRIPT,
        "kvrank-boot",
        disk.toString(),
        data.toString(),
        TemporaryFolder.path().toAbsolutePath().toString(),
        server ? hidden.toString() : "");
  }
}

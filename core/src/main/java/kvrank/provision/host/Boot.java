package kvrank.provision.host;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How a process starts that finds what a reboot leaves: files on a disk, but no shared memory of
 * earlier processes, and another boot id. Each start is another boot.
 *
 * @param namespace the start of a command that enters the mount namespace with the disk
 * @param disk the folder on the disk, in this namespace
 * @param data the path at which the process finds it
 * @param hidden a folder that a server finds empty
 */
public record Boot(List<String> namespace, Path disk, Path data, Path hidden) {

  private static final String SCRIPT = script();

  /**
   * Returns the start of a command in a pid namespace, if this machine has one for us.
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

  /** All processes of the pid namespace are in them: each can see what its parent sees. */
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

  private static String script() {
    try (InputStream in =
        requireNonNull(Boot.class.getResourceAsStream("boot.sh"), "boot.sh is missing")) {
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

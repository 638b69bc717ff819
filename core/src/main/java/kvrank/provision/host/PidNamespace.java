package kvrank.provision.host;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import kvrank.input.Reason;

/**
 * A namespace of process ids, pid_namespaces(7), which no process can leave, whatever its parent,
 * session, folder and environment. With its first process, the kernel ends all others. Only the
 * superuser can create one.
 *
 * <p>{@code unshare} starts a shell as the first process, and that the command. Both end after the
 * command with its status.
 */
public final class PidNamespace {

  /** A tracer ends by itself after the traced, so the last process may take 2 s. */
  private static final String FIRST =
      """
      exec 3>&2 2>/dev/null
      echo %d >/proc/sys/kernel/ns_last_pid
      (exec "$@" 2>&3 3>&-)
      status=$?
      tries=0
      while [ $tries -lt 40 ] && kill -0 -1; do
        sleep 0.05 || sleep 1
        tries=$((tries + 1))
      done
      [ $status -ne 1 ] || status=199
      exit $status
      """;

  /**
   * The command's process id is random. With the same one each time, an engine that finds it in the
   * file of an earlier start would take itself for that one, still running.
   */
  private static final int LEAST_PID = 300;

  private static final int MOST_PID = 30_000;

  private static final SecureRandom RANDOM = new SecureRandom();

  /** The first process ends with it if the command ended with 1. */
  private static final int ONE = 199;

  private static final int KILLED = 128 + 9;

  private static final Optional<String> PROBLEM = tried();

  private PidNamespace() {}

  /** Returns the reason why this machine has none for us; empty if it has. */
  public static Optional<String> problem() {
    return PROBLEM;
  }

  private static Optional<String> tried() {
    List<String> command = entry(true);
    command.add("true");
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String words = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
      return process.onExit().join().exitValue() == 0
          ? Optional.empty()
          : Optional.of(words.lines().findFirst().orElse("unshare fails"));
    } catch (IOException e) {
      return Optional.of(Reason.of(e));
    }
  }

  /**
   * Returns the prefix with which a command runs in a new namespace.
   *
   * @param proc whether {@code /proc} shows the processes by their ids there, as programs expect
   *     that read their own entry; otherwise it stays, with the ids outside
   */
  public static List<String> entry(boolean proc) {
    List<String> entry = new ArrayList<>(List.of("unshare", "--pid", "--fork", "--kill-child"));
    if (proc) {
      entry.addAll(List.of("--mount-proc", "--propagation", "slave"));
    }
    String first = FIRST.formatted(RANDOM.nextInt(LEAST_PID, MOST_PID));
    entry.addAll(List.of("sh", "-c", first, "kvrank-first"));
    return entry;
  }

  /** Returns the process of the command in the namespace of {@code process}, once it has one. */
  public static Optional<ProcessHandle> command(Process process) {
    // Its orphans have the same parent, and are younger.
    return process
        .children()
        .flatMap(ProcessHandle::children)
        .min(
            Comparator.comparing(
                    (ProcessHandle each) -> each.info().startInstant().orElse(Instant.MAX))
                .thenComparing(ProcessHandle::pid));
  }

  /**
   * Returns the status of the command of an ended namespace. {@code unshare} 2.38 ends with 1 if
   * the first process was killed, which no process in the namespace can do.
   *
   * @param status of the process that holds the namespace
   */
  public static int status(int status) {
    return status == ONE ? 1 : status == 1 ? KILLED : status;
  }

  /** Kills all processes in the namespace, whose shell then ends with the command's status. */
  public static void kill(Process process) {
    if (process.children().findAny().isEmpty()) {
      process.destroyForcibly();
    }
    process.children().flatMap(ProcessHandle::descendants).forEach(ProcessHandle::destroyForcibly);
  }
}

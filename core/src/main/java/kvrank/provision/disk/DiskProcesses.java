package kvrank.provision.disk;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import kvrank.failure.Cause;
import kvrank.input.Reason;
import kvrank.machine.MachineCheck;
import kvrank.provision.host.Children;
import kvrank.provision.host.CommandOutput;
import kvrank.provision.host.ProvisionException;
import kvrank.provision.host.Reaper;
import kvrank.provision.host.Script;

/**
 * The processes of a disk: one holds the mount namespace, and its child is the disk. Steps in the
 * namespace are done by {@code disk.sh}.
 */
final class DiskProcesses implements AutoCloseable {

  private static final String SCRIPT = Script.text(DiskProcesses.class, "disk.sh");

  /** Replaces itself by a shell in a new mount namespace, with its own one as file 5. */
  private static final String START =
      "exec unshare --mount --propagation slave \"$@\" 5</proc/self/ns/mnt";

  private static final Duration ANSWER = Duration.ofSeconds(5);
  private static final Duration UNMOUNT = Duration.ofSeconds(3);
  private static final Duration END = Duration.ofSeconds(2);
  private static final Duration KILL = Duration.ofSeconds(5);
  private static final Duration LOOK = Duration.ofMillis(200);
  private static final int LAST_WORDS = 500;

  /** What ends the answers. */
  private static final String ENDED = "";

  private final Process process;
  private final Path folder;
  private final Reaper reaper;
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
  private volatile String trouble = "";
  private volatile Optional<ProcessHandle> disk = Optional.empty();
  private long asked;

  private DiskProcesses(Process process, Path folder, Reaper reaper) {
    this.process = process;
    this.folder = folder;
    this.reaper = reaper;
  }

  /** Starts the processes; {@code command} is the one that is the disk. */
  static DiskProcesses start(Path folder, List<String> command, Reaper reaper)
      throws ProvisionException {
    List<String> start = new ArrayList<>(reaper.session());
    start.addAll(List.of("sh", "-c", START, "sh"));
    start.addAll(List.of("sh", "-c", SCRIPT, "kvrank-disk", "run", folder.toString()));
    start.addAll(command);
    try {
      ProcessBuilder builder = Children.builder(start, Children.mark()).redirectErrorStream(true);
      builder.environment().keySet().removeIf(name -> name.matches("_?JAVA_(TOOL_)?OPTIONS"));
      builder.environment().remove("JDK_JAVA_OPTIONS");
      Process process = builder.start();
      DiskProcesses processes = new DiskProcesses(process, folder, reaper);
      Thread reader = new Thread(processes::read, "disk-answers");
      reader.setDaemon(true);
      reader.start();
      try {
        reaper.register(Reaper.Kind.PID, Long.toString(process.pid()));
      } catch (ProvisionException e) {
        processes.close();
        throw e;
      }
      return processes;
    } catch (IOException e) {
      throw new ProvisionException(
          "the simulated disk cannot be started: %s".formatted(Reason.of(e)), e);
    }
  }

  /** Guards the process that is the disk: it may lose its parent. */
  void guard(long pidOfDisk) throws ProvisionException {
    disk = ProcessHandle.of(pidOfDisk);
    if (disk.isEmpty()) {
      throw failure("its process ended");
    }
    reaper.register(Reaper.Kind.PID, Long.toString(pidOfDisk));
    Thread watchdog = new Thread(this::watch, "disk-watchdog");
    watchdog.setDaemon(true);
    watchdog.start();
  }

  /**
   * Ends the disk if the process that watches it has ended, or both were stopped: every {@code
   * sync} of the machine waits for a disk that stands still.
   */
  private void watch() {
    try {
      for (int stopped = 0; stopped < 2; ) {
        if (process.waitFor(LOOK.toNanos(), TimeUnit.NANOSECONDS)) {
          break;
        }
        stopped = stopped(process.toHandle()) && stopped(disk.orElseThrow()) ? stopped + 1 : 0;
      }
      if (process.isAlive()) {
        report("it and the process that watches it were stopped");
      }
      kill();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean stopped(ProcessHandle each) {
    return MachineCheck.stopped(OptionalLong.of(each.pid()));
  }

  private void read() {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("= ") || line.startsWith("! ")) {
          answers.add(line);
        } else {
          report(line.startsWith("? ") ? line.substring(2) : line);
        }
      }
    } catch (IOException e) {
      // It ends like the output of a killed process.
    }
    answers.add(ENDED);
  }

  private void report(String words) {
    if (!trouble.contains(words) && trouble.length() < LAST_WORDS) {
      trouble = trouble.isEmpty() ? words : trouble + "; " + words;
    }
  }

  /** The pid of the process that holds the namespace. */
  long pid() {
    return process.pid();
  }

  /** Throws if the process has ended, or reported trouble. */
  void requireSound() throws ProvisionException {
    if (!process.isAlive()) {
      throw failure("its process ended with status " + process.exitValue());
    }
    if (trouble().isPresent()) {
      throw failure("its data cannot be relied on");
    }
  }

  /** What went wrong with the disk so far: its own words, and those of the system. */
  private Optional<String> trouble() {
    return Optional.of(trouble).filter(words -> !words.isEmpty());
  }

  /** Sends a command of {@link kvrank.disk} and returns the words of its answer. */
  String[] ask(String command) throws ProvisionException, InterruptedException {
    return ask(command, ANSWER);
  }

  synchronized String[] ask(String command, Duration limit)
      throws ProvisionException, InterruptedException {
    asked++;
    try {
      process.getOutputStream().write("%d %s\n".formatted(asked, command).getBytes(UTF_8));
      process.getOutputStream().flush();
    } catch (IOException e) {
      // It has ended, or been closed, which the missing answer shows.
    }
    String number = Long.toString(asked);
    long deadline = System.nanoTime() + limit.toNanos();
    while (true) {
      String answer = answers.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (answer == null) {
        kill();
        throw failure("'%s' got no answer within %d s".formatted(command, limit.toSeconds()));
      }
      if (answer.equals(ENDED)) {
        answers.add(ENDED);
        throw failure("its process ended with status " + process.waitFor());
      }
      String[] words = answer.split(" ", 3);
      if (words[1].equals(number)) {
        if (words[0].equals("!")) {
          throw failure("'%s': %s".formatted(command, words[2]));
        }
        return words[2].split(" ", -1);
      }
      // Another answers a command whose thread was interrupted.
    }
  }

  ProvisionException failure(String reason) {
    return new ProvisionException(
        Cause.MACHINE,
        "the simulated disk failed: %s%s"
            .formatted(reason, trouble().map("; it reported: "::concat).orElse("")));
  }

  /**
   * Does a step of the script in the namespace, and returns its output; ends the disk if it takes
   * too long.
   */
  String step(Duration limit, String name, String... arguments)
      throws ProvisionException, InterruptedException {
    try {
      Optional<CommandOutput> step = CommandOutput.of(builder(name, List.of(arguments)), limit);
      if (step.isEmpty()) {
        kill();
        throw failure("step '%s' took more than %d s".formatted(name, limit.toSeconds()));
      }
      String words = step.get().text().strip();
      if (step.get().status() != 0) {
        throw failure("step '%s': %s".formatted(name, words.replaceAll("\\s*\n\\s*", "; ")));
      }
      return words;
    } catch (IOException e) {
      throw failure("step '%s': %s".formatted(name, Reason.of(e)));
    }
  }

  private ProcessBuilder builder(String step, List<String> arguments) {
    List<String> command = new ArrayList<>(reaper.session());
    command.addAll(List.of("nsenter", "--mount=" + namespace()));
    command.addAll(List.of("sh", "-c", SCRIPT, "kvrank-disk", step, folder.toString()));
    command.addAll(arguments);
    return Children.builder(command, Children.mark());
  }

  String namespace() {
    return "/proc/%d/ns/mnt".formatted(pid());
  }

  private void kill() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    disk.ifPresent(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  /** Unmounts the disk and ends its processes; also if this thread is interrupted. */
  @Override
  public void close() {
    List<ProcessHandle> all = process.descendants().toList();
    try {
      ended(builder("unmount", List.of()).start().onExit(), UNMOUNT);
      process.getOutputStream().close();
    } catch (IOException e) {
      // It has ended, and what was mounted with it.
    }
    if (!ended(process.onExit(), END)) {
      kill();
      ended(process.onExit(), KILL);
    }
    all.forEach(ProcessHandle::destroyForcibly);
    disk.ifPresent(ProcessHandle::destroyForcibly);
    if (!process.isAlive()) {
      reaper.release(Reaper.Kind.PID, Long.toString(pid()));
    }
    disk.filter(each -> ended(each.onExit(), KILL))
        .ifPresent(each -> reaper.release(Reaper.Kind.PID, Long.toString(each.pid())));
  }

  /** Waits even if this thread is interrupted, and keeps the interrupt. */
  private static boolean ended(CompletableFuture<?> end, Duration limit) {
    return end.thenApply(any -> true)
        .completeOnTimeout(false, limit.toNanos(), TimeUnit.NANOSECONDS)
        .join();
  }
}

package kvrank.run.worker;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import kvrank.failure.Cause;
import kvrank.failure.Ending;
import kvrank.failure.FailureException;
import kvrank.input.Reason;
import kvrank.machine.MachineCheck;
import kvrank.provision.host.PidNamespace;
import kvrank.provision.host.Signal;

/** A worker's JVM as a local process, or the local process that connects to workers elsewhere. */
final class WorkerJvm {

  private static final int END_SECONDS = 5;
  private static final long START_NANOS = 1_000_000;

  /** The JVM writes thread dumps to its log, and no core file. */
  private static final List<String> AFTERMATH =
      List.of("-XX:+DisplayVMOutputToStderr", "-XX:-CreateCoredumpOnCrash");

  private final Process process;

  /** Whether the JVM is in a pid namespace, which {@code process} holds. */
  private final boolean enclosed;

  private final Writer input;
  private final WorkerLog log;
  private final Supplier<String> name;

  private volatile Optional<ProcessHandle> jvm = Optional.empty();

  WorkerJvm(
      ProcessBuilder builder,
      boolean enclosed,
      WorkerLog log,
      Supplier<String> name,
      MessageReader reader)
      throws IOException {
    this.process = start(builder);
    this.enclosed = enclosed;
    this.input = process.outputWriter(StandardCharsets.US_ASCII);
    this.log = log;
    this.name = name;
    reader.start(process);
  }

  private static Process start(ProcessBuilder builder) throws IOException {
    try {
      return builder.start();
    } catch (IOException e) {
      throw new FailureException(Cause.ofStart(builder.command().get(0)), Reason.of(e), e);
    }
  }

  /** Returns the command that starts a worker, without the worker's arguments. */
  static List<String> command(List<String> flags, String classpath) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(AFTERMATH);
    command.addAll(flags);
    command.addAll(List.of("-cp", classpath, "kvrank.worker.Main"));
    return command;
  }

  /** Returns the id of the process that kvrank started: the JVM, or the holder of its namespace. */
  long holder() {
    return process.pid();
  }

  /** Returns the JVM's process id; waits until it has one, unless it cannot start. */
  long pid() {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(END_SECONDS);
    while (enclosed && jvm.isEmpty() && process.isAlive() && System.nanoTime() < deadline) {
      jvm = PidNamespace.command(process);
      LockSupport.parkNanos(START_NANOS);
    }
    return jvm.orElseGet(process::toHandle).pid();
  }

  void write(String line) {
    try {
      input.write(line);
      input.flush();
    } catch (IOException gone) {
      // It has ended, and its ending has the reason.
    }
  }

  boolean ended() {
    return !process.isAlive();
  }

  boolean failed() {
    return ended() && process.exitValue() != 0;
  }

  /** Returns its ending with name and log; {@code own} is to blame if it ended by itself. */
  Ending ending(Cause own) {
    int status = enclosed ? PidNamespace.status(process.exitValue()) : process.exitValue();
    String text = "%s (pid %d) %s%s".formatted(name.get(), pid(), text(status), log.ending());
    return Ending.of(status, own, text);
  }

  private static String text(int status) {
    // ssh ends with 255 if its connection did.
    return status > 128 && status < 255
        ? "was killed by signal " + (status - 128)
        : "ended with exit status " + status;
  }

  /** Returns whether a signal such as SIGSTOP keeps it from running. */
  boolean stopped() {
    return MachineCheck.stopped(OptionalLong.of(pid()));
  }

  /** Makes the JVM write a thread dump to its log, if it can still stop its threads. */
  void dumpThreads() throws InterruptedException {
    try {
      Signal.send("QUIT", pid());
    } catch (IOException e) {
      // Then there is no dump.
    }
  }

  boolean awaitEnd(Duration patience) throws InterruptedException {
    return process.waitFor(patience.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Kills it, runs {@code sent} and waits; returns the ending. */
  String kill(Runnable sent) throws InterruptedException {
    kill();
    sent.run();
    return text(process.waitFor());
  }

  void end(boolean remote) {
    if (remote) {
      // It ends its children, which it cannot if it is killed.
      process.destroy();
      awaitEnd();
    }
    kill();
  }

  private void kill() {
    if (enclosed) {
      PidNamespace.kill(process);
    } else {
      process.destroyForcibly();
    }
  }

  /** Waits a while for its end, also in a shutdown hook. */
  void awaitEnd() {
    process.onExit().completeOnTimeout(process, END_SECONDS, TimeUnit.SECONDS).join();
  }
}

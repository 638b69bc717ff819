package kvrank.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * One start of {@code ./kvrank}, as a user would start it.
 *
 * @param process the program
 * @param out what it prints as results
 * @param err what it prints beside them
 */
record Execution(Process process, Path out, Path err) {

  /** Far beyond what a slow machine needs; only a hang reaches it. */
  private static final long PATIENCE_SECONDS = 300;

  private static final Path TARGET =
      Path.of(System.getProperty("kvrank.home"), "launcher", "target");

  /** Its lock is in it: the tests' JVMs each have their own, and run beside each other. */
  private static final Path TEMPORARY = temporary();

  /** A step of a test. */
  interface Step {
    void run() throws Exception;
  }

  /** Starts {@code home/kvrank} in {@code directory}; it does not wait for a quiet machine. */
  static Execution start(Path home, Path directory, String... arguments) throws IOException {
    return start(home, directory, Map.of(), arguments);
  }

  /** Starts {@code home/kvrank} in {@code directory}, with more variables. */
  static Execution start(
      Path home, Path directory, Map<String, String> variables, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(List.of(home.resolve("kvrank").toString()));
    command.addAll(List.of(arguments));
    if (arguments[0].equals("run") && !List.of(arguments).contains("--resume")) {
      command.add("--no-wait");
    }
    return start(directory, "-Djava.io.tmpdir=" + TEMPORARY, variables, command);
  }

  /** Runs a script of bash in {@code directory}, which is also the user's home. */
  static Execution shell(Path directory, String script) throws IOException {
    return start(
        directory,
        "-Djava.io.tmpdir=%s -Duser.home=%s".formatted(TEMPORARY, directory),
        Map.of("HOME", directory.toString()),
        List.of("bash", "-c", script));
  }

  private static Execution start(
      Path directory, String java, Map<String, String> variables, List<String> command)
      throws IOException {
    Path out = Files.createTempFile(directory, "out", ".txt");
    Path err = Files.createTempFile(directory, "err", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().put("JDK_JAVA_OPTIONS", java);
    builder.environment().putAll(variables);
    return new Execution(builder.start(), out, err);
  }

  /** Gives what a test starts in another way the tests' lock, too. */
  static ProcessBuilder withLock(ProcessBuilder builder) {
    builder.environment().put("JDK_JAVA_OPTIONS", "-Djava.io.tmpdir=" + TEMPORARY);
    return builder;
  }

  private static Path temporary() {
    try {
      return Files.createTempDirectory(TARGET, "tmp");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Runs steps that would disturb each other in the tests' JVMs, one at a time: those that kill a
   * kvrank, and those that remove what any kvrank on this machine has left.
   */
  static void oneAtATime(Step step) throws Exception {
    Path file = TARGET.resolve("leftovers.lock");
    try (FileChannel lock =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      lock.lock();
      step.run();
    }
  }

  /** Waits for the end and returns the exit status. */
  int status() throws InterruptedException {
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("kvrank did not end: " + text());
    }
    return process.exitValue();
  }

  /** Everything that it printed so far. */
  String text() {
    try {
      return Files.readString(out, StandardCharsets.UTF_8)
          + Files.readString(err, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Waits until something is so. */
  void await(String what, BooleanSupplier so) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!so.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("never came: " + what + "\n" + text());
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  /** Processes whose command line mentions {@code word}, this JVM and the program's shell aside. */
  static List<ProcessHandle> mentioning(String word) {
    try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
      return all.filter(handle -> handle.pid() != ProcessHandle.current().pid())
          .filter(
              handle -> handle.info().commandLine().map(line -> line.contains(word)).orElse(false))
          .toList();
    }
  }
}

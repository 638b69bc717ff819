package kvrank.run.measure;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.failure.Cause;
import kvrank.failure.Failure;
import kvrank.input.Reason;
import kvrank.provision.host.Children;

/** The commands of a scenario before each run, such as a trim of the disk. */
public final class Preparation {

  private static final Duration LIMIT = Duration.ofHours(1);

  /** The end of a command's output in which its last line is looked for. */
  private static final int TAIL_BYTES = 4096;

  private static final int LONGEST_LINE = 200;

  private final List<String> commands;
  private final Duration limit;
  private volatile Optional<Process> current = Optional.empty();

  /** Prepares runs by {@code commands} of {@code sh}, which the user has allowed. */
  public Preparation(List<String> commands) {
    this(commands, LIMIT);
  }

  Preparation(List<String> commands, Duration limit) {
    this.commands = List.copyOf(commands);
    this.limit = limit;
  }

  /**
   * Executes the commands one after the other, until one fails.
   *
   * @param folder the working directory: where the run's data will be
   * @param log receives their output
   * @param facts receives each command, its exit status and its last line
   * @return the failure, if there is one
   */
  Optional<Failure> prepare(Path folder, Path log, Facts facts)
      throws IOException, InterruptedException {
    for (int i = 0; i < commands.size(); i++) {
      String command = commands.get(i);
      long before = log.toFile().length();
      Process process = start(command, folder, log);
      current = Optional.of(process);
      boolean ended;
      try {
        ended = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
      } finally {
        abort();
        current = Optional.empty();
      }
      String line = lastLine(log.toFile(), before);
      String end = ended ? Integer.toString(process.exitValue()) : "timed out";
      facts.put(Fact.PREPARE_COMMAND, i + 1, command);
      facts.put(Fact.PREPARE_STATUS, i + 1, end);
      facts.put(Fact.PREPARE_OUTPUT, i + 1, line);
      if (!end.equals("0")) {
        String how =
            ended
                ? "ended with status " + end
                : "had not ended after %d s".formatted(limit.toSeconds());
        return Optional.of(
            new Failure(
                Cause.INPUT,
                "prepare: '%s' %s: %s; see %s"
                    .formatted(command, how, line.isEmpty() ? "no output" : line, log)));
      }
    }
    return Optional.empty();
  }

  private static Process start(String command, Path folder, Path log) throws IOException {
    try {
      return Children.builder(List.of("sh", "-c", command), Children.mark())
          .directory(folder.toFile())
          .redirectInput(new File("/dev/null"))
          .redirectErrorStream(true)
          .redirectOutput(Redirect.appendTo(log.toFile()))
          .start();
    } catch (IOException e) {
      throw new IOException("prepare: sh cannot be started: " + Reason.of(e), e);
    }
  }

  /** Ends the present command with its children, if one is running. */
  void abort() {
    current.ifPresent(
        process -> {
          List<ProcessHandle> children = process.descendants().toList();
          process.destroyForcibly(); // first, as a shell reports that its child was killed
          children.forEach(ProcessHandle::destroyForcibly);
        });
  }

  private static String lastLine(File log, long from) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(log, "r")) {
      byte[] tail = new byte[(int) Math.min(TAIL_BYTES, file.length() - from)];
      file.seek(file.length() - tail.length);
      file.readFully(tail);
      String[] lines = new String(tail, UTF_8).strip().split("\\R", -1);
      String last = lines[lines.length - 1].replaceAll("\\p{Cntrl}", " ").strip();
      return last.length() > LONGEST_LINE ? last.substring(0, LONGEST_LINE) + "…" : last;
    }
  }
}

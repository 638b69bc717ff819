package kvrank.machine;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import kvrank.failure.Cause;
import kvrank.failure.Ending;
import kvrank.failure.Failure;
import kvrank.failure.ProcessCheck;
import kvrank.input.Reason;

/**
 * Checks, right after a failure, whether the machine caused it. An engine's message proves nothing.
 */
public final class MachineCheck {

  /** The size of the next piece that an engine may add to its log. */
  private static final int BLOCK_BYTES = 1 << 20;

  private final Optional<MemoryGroup> group;
  private final long killsBefore = MemoryGroup.killsOfMachine();

  /**
   * Starts to count the processes that the kernel kills for lack of memory.
   *
   * @param group the control group with the memory limit of the scenario, if there is one
   */
  public MachineCheck(Optional<MemoryGroup> group) {
    this.group = group;
  }

  /**
   * Returns the end of a process as a failure. The engine is to blame if the process exceeded the
   * memory limit of the scenario, and the machine if the kernel killed it for lack of memory.
   *
   * @param message how the process ended, for a reader
   */
  public Failure ofEnd(Ending ending, String message) {
    Failure failure = new Failure(ending.cause(), message);
    Optional<String> verdict = group.flatMap(MemoryGroup::verdict);
    if (verdict.isPresent()) {
      return failure.blamedOn(Cause.ENGINE, verdict.get());
    }
    return ending.killed() && starved()
        ? failure.blamedOn(Cause.MACHINE, "killed by the kernel for lack of memory")
        : failure;
  }

  /**
   * Returns {@code reported}; if the engine is to blame for it, but the state of the machine shows
   * otherwise, with the machine or an outsider as its cause.
   *
   * @param folders on this machine that belong to the engine or its log
   * @param server the process id of its server, if that runs on this machine
   */
  public Failure ofReport(Failure reported, List<Path> folders, OptionalLong server) {
    return ofReport(reported, folders, Optional.empty(), server, false);
  }

  /**
   * As {@link #ofReport(Failure, List, OptionalLong)}, but may leave a full disk and a limit of
   * open files to the engine.
   *
   * @param temporary the folder into which an embedded engine unpacks its native library
   * @param own whether the first of the folders is on a short-lived disk that only this engine
   *     uses: what filled the disk, or opened too many files, is the engine itself
   */
  public Failure ofReport(
      Failure reported,
      List<Path> folders,
      Optional<Path> temporary,
      OptionalLong server,
      boolean own) {
    if (reported.cause() != Cause.ENGINE) {
      return reported;
    }
    for (Path folder : folders) {
      if (!Files.exists(folder)) {
        return reported.blamedOn(Cause.OUTSIDER, "'%s' was removed".formatted(folder));
      }
    }
    if (stopped(server)) {
      return reported.blamedOn(Cause.OUTSIDER, "its server was stopped by a signal");
    }
    if (server.isPresent() && ControlGroups.frozen(folder(server.getAsLong()))) {
      return reported.blamedOn(Cause.MACHINE, "its server was frozen in its control group");
    }
    return Stream.concat(
            Stream.concat(
                    folders.stream().skip(own ? 1 : 0).map(Path::getParent), temporary.stream())
                .flatMap(folder -> unwritable(folder).stream()),
            Stream.of(
                    ProcessCheck.refusal("kvrank"),
                    own ? Optional.<String>empty() : outOfFiles(server),
                    killed())
                .flatMap(Optional::stream))
        .findFirst()
        .map(evidence -> reported.blamedOn(Cause.MACHINE, evidence))
        .orElse(reported);
  }

  /**
   * Returns a message if no block can be written to the device of {@code folder}. For an engine's
   * folder, this is its parent, because an engine may not expect other files in its own.
   */
  @SuppressWarnings("try") // a failure of the removal does not hide one of the disk
  private static Optional<String> unwritable(Path folder) {
    try {
      Path file = Files.createTempFile(folder, "machine-check-", ".probe");
      try (Closeable removal = () -> Files.deleteIfExists(file);
          FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES);
        while (block.hasRemaining()) {
          channel.write(block);
        }
        channel.force(false);
      }
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of("nothing can be written to '%s' (%s)".formatted(folder, Reason.of(e)));
    }
  }

  private static Path folder(long process) {
    return Path.of("/proc", Long.toString(process));
  }

  /** Returns whether SIGSTOP or a similar signal keeps {@code process} from running. */
  public static boolean stopped(OptionalLong process) {
    return process.isPresent()
        && SystemFile.text(folder(process.getAsLong()).resolve("status"))
            .filter(status -> status.contains("\nState:\tT"))
            .isPresent();
  }

  /** Returns a message if the server has reached its limit of open files. */
  private static Optional<String> outOfFiles(OptionalLong server) {
    if (server.isEmpty()) {
      return Optional.empty();
    }
    Path process = folder(server.getAsLong());
    OptionalLong limit =
        SystemFile.number(SystemFile.text(process.resolve("limits")).orElse(""), "Max open files");
    String[] open = process.resolve("fd").toFile().list();
    return limit.isPresent() && open != null && open.length >= limit.getAsLong()
        ? Optional.of(
            "its server has reached its limit of %,d open files".formatted(limit.getAsLong()))
        : Optional.empty();
  }

  private Optional<String> killed() {
    // A process over the limit of the scenario is killed for that limit.
    boolean limited = group.flatMap(MemoryGroup::verdict).isPresent();
    return !limited && starved()
        ? Optional.of("the kernel killed a process for lack of memory")
        : Optional.empty();
  }

  private boolean starved() {
    return MemoryGroup.killsOfMachine() > killsBefore;
  }
}

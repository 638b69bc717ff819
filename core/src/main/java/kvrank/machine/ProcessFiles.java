package kvrank.machine;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/** What {@code /proc} has on one process, kept open. */
final class ProcessFiles implements Closeable {

  /** The kernel's unit for CPU times in /proc (USER_HZ), 100 on every Linux that Java runs on. */
  static final double TICKS_PER_SECOND = 100;

  // Fields of /proc/PID/stat, counted from the one after the command's name.
  private static final int USER = 11;
  private static final int SYSTEM = 12;
  private static final int CHILDREN_USER = 13;
  private static final int CHILDREN_SYSTEM = 14;

  private final SystemFile stat;
  private final SystemFile status;
  private final Optional<SystemFile> io;

  /**
   * Opens them.
   *
   * @throws IOException if there is no such process, or no /proc
   */
  ProcessFiles(Path folder) throws IOException {
    this.stat = new SystemFile(folder.resolve("stat"));
    this.status = new SystemFile(folder.resolve("status"));
    this.io = readable(folder.resolve("io"));
  }

  /** Another user's is only for root. */
  private static Optional<SystemFile> readable(Path path) {
    try {
      return Optional.of(new SystemFile(path));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns the process alone, with the CPU time of children that it has waited for.
   *
   * @throws IOException if it has ended
   */
  ProcessSample sample() throws IOException {
    stat.read();
    // The command's name may hold spaces and parentheses.
    int fields = stat.afterLast(')');
    OptionalLong read = OptionalLong.empty();
    OptionalLong written = OptionalLong.empty();
    OptionalLong cancelled = OptionalLong.empty();
    if (counted()) {
      SystemFile counters = io.orElseThrow();
      read = OptionalLong.of(counters.numberOf("read_bytes:"));
      written = OptionalLong.of(counters.numberOf("write_bytes:"));
      cancelled = OptionalLong.of(counters.numberOf("cancelled_write_bytes:"));
    }
    return new ProcessSample(
        (stat.field(fields, USER) + stat.field(fields, CHILDREN_USER)) / TICKS_PER_SECOND,
        (stat.field(fields, SYSTEM) + stat.field(fields, CHILDREN_SYSTEM)) / TICKS_PER_SECOND,
        resident(),
        0,
        read,
        written,
        cancelled);
  }

  private boolean counted() {
    if (io.isEmpty()) {
      return false;
    }
    try {
      io.get().read();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** A process that has ended and was not waited for yet has no memory, and no such line. */
  private long resident() throws IOException {
    status.read();
    try {
      return status.numberOf("VmRSS:") * 1024;
    } catch (IOException e) {
      return 0;
    }
  }

  @Override
  public void close() throws IOException {
    stat.close();
    status.close();
    if (io.isPresent()) {
      io.get().close();
    }
  }
}

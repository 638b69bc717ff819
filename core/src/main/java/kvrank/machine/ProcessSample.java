package kvrank.machine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What Linux counts for one process, from {@code /proc}; see proc(5).
 *
 * @param userSeconds CPU time in user mode since its start
 * @param systemSeconds CPU time in the kernel since its start
 * @param residentBytes resident memory now
 * @param readBytes bytes fetched from the storage layer since its start
 * @param writtenBytes bytes sent to the storage layer since its start
 */
public record ProcessSample(
    double userSeconds,
    double systemSeconds,
    long residentBytes,
    long readBytes,
    long writtenBytes) {

  /** The kernel's unit for CPU times in /proc (USER_HZ), 100 on every Linux that Java runs on. */
  private static final double TICKS_PER_SECOND = 100;

  private static final Path PROC = Path.of("/proc");

  /** The sample, or empty if there is no such process or no /proc. */
  public static Optional<ProcessSample> of(long pid) {
    Path folder = PROC.resolve(Long.toString(pid));
    try {
      String stat = Files.readString(folder.resolve("stat"), StandardCharsets.ISO_8859_1);
      // The command's name may hold spaces and parentheses: count fields after the last one.
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      long readBytes = 0;
      long writtenBytes = 0;
      long residentBytes = 0;
      for (String line : Files.readAllLines(folder.resolve("status"), StandardCharsets.UTF_8)) {
        if (line.startsWith("VmRSS:")) {
          residentBytes = number(line) * 1024;
        }
      }
      for (String line : Files.readAllLines(folder.resolve("io"), StandardCharsets.UTF_8)) {
        if (line.startsWith("read_bytes:")) {
          readBytes = number(line);
        } else if (line.startsWith("write_bytes:")) {
          writtenBytes = number(line);
        }
      }
      return Optional.of(
          new ProcessSample(
              Long.parseLong(fields[11]) / TICKS_PER_SECOND,
              Long.parseLong(fields[12]) / TICKS_PER_SECOND,
              residentBytes,
              readBytes,
              writtenBytes));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static long number(String line) {
    return Long.parseLong(line.replaceAll("[^0-9]", ""));
  }
}

package kvrank.provision.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The process that something belongs to. A pid is given anew; a pid, when its process started and
 * when the machine did are not, and no clock that is set changes them.
 *
 * @param start clock ticks from the machine's start to the process's, and the first digits of the
 *     boot's id; 0 if there is no such process, or it has ended and waits for its parent
 */
public record Owner(long pid, String start) {

  private static final Pattern MARK =
      Pattern.compile("(?<!\\d)(\\d{1,18})-(\\d+(?:\\.[0-9a-f]{8})?)");
  private static final Pattern STAT = Pattern.compile(".*\\) (\\S)(?: \\S+){18} (\\d+) .*");

  /** Returns this process. */
  public static Owner self() {
    return of(ProcessHandle.current().pid());
  }

  /** Returns the process that has {@code pid} now. */
  static Owner of(long pid) {
    try {
      // Its second field is the program's name, which may be of any bytes.
      String stat =
          Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1);
      Matcher fields = STAT.matcher(stat.strip().replace('\n', ' '));
      if (!fields.matches() || fields.group(1).equals("Z")) {
        return new Owner(pid, "0");
      }
      String boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id"));
      return new Owner(pid, fields.group(2) + "." + boot.substring(0, 8));
    } catch (IOException e) {
      // Gone, or a system without /proc, where the clock has to do.
      Optional<String> start =
          ProcessHandle.of(pid)
              .flatMap(process -> process.info().startInstant())
              .map(instant -> Long.toString(instant.getEpochSecond()));
      return new Owner(pid, start.orElse("0"));
    }
  }

  /** Returns the process whose {@link #mark} is the first in {@code text}, if there is one. */
  public static Optional<Owner> marked(String text) {
    Matcher mark = MARK.matcher(text);
    return mark.find()
        ? Optional.of(new Owner(Long.parseLong(mark.group(1)), mark.group(2)))
        : Optional.empty();
  }

  /** Returns what names it, for files and folders. */
  public String mark() {
    return pid + "-" + start;
  }

  /** Returns whether it still runs. */
  public boolean lives() {
    return !start.equals("0") && equals(of(pid));
  }
}

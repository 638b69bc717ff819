package kvrank.provision.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The process that owns something: its pid, which the system reuses, with its start in clock ticks
 * since boot and the start of the boot id; 0 if it does not exist or is a zombie.
 */
public record Owner(long pid, String start) {

  private static final Pattern MARK =
      Pattern.compile("(?<!\\d)(\\d{1,18})-(\\d+(?:\\.[0-9a-f]{8})?)");
  private static final Pattern STAT = Pattern.compile(".*\\) (\\S)(?: \\S+){18} (\\d+) .*");

  public static Owner self() {
    return of(ProcessHandle.current().pid());
  }

  static Owner of(long pid) {
    try {
      // The program's name may be of any bytes.
      String stat =
          Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1);
      Matcher fields = STAT.matcher(stat.strip().replace('\n', ' '));
      if (!fields.matches() || fields.group(1).equals("Z")) {
        return new Owner(pid, "0");
      }
      String boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id"));
      return new Owner(pid, fields.group(2) + "." + boot.substring(0, 8));
    } catch (IOException e) {
      // It is gone, or the system has no /proc, so that only the clock remains.
      Optional<String> start =
          ProcessHandle.of(pid)
              .flatMap(process -> process.info().startInstant())
              .map(instant -> Long.toString(instant.getEpochSecond()));
      return new Owner(pid, start.orElse("0"));
    }
  }

  /** Returns the process of the first {@link #mark} in {@code text}, if any. */
  public static Optional<Owner> marked(String text) {
    Matcher mark = MARK.matcher(text);
    return mark.find()
        ? Optional.of(new Owner(Long.parseLong(mark.group(1)), mark.group(2)))
        : Optional.empty();
  }

  /** Returns an id for names of files and folders. */
  public String mark() {
    return pid + "-" + start;
  }

  public boolean lives() {
    return !start.equals("0") && equals(of(pid));
  }
}

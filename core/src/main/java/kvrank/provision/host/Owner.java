package kvrank.provision.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The process that owns something: its pid, which the system reuses, with its start in clock ticks
 * since boot, the start of the boot id and the pid namespace in which it has that pid; 0 if it does
 * not exist or is a zombie. Versions up to 0.2.0 wrote no namespace, which then matches any.
 */
public record Owner(long pid, String start) {

  /** The pattern of a {@link #mark()}. */
  static final String MARK = "(?<!\\d)(\\d{1,18})-(\\d+(?:\\.[0-9a-f]{8}(?:\\.\\d+)?)?)";

  private static final Pattern MARKED = Pattern.compile(MARK);
  private static final Pattern STAT = Pattern.compile(".*\\) (\\S)(?: \\S+){18} (\\d+) .*");
  private static final Pattern NUMBER = Pattern.compile("pid:\\[(\\d+)]");

  /** The number of the machine's first pid namespace, which sees the processes of all others. */
  private static final String FIRST = "4026531836";

  private static final String OURS = namespace(Path.of("/proc/self")).orElse("");

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
      String namespace = OURS.isEmpty() ? "" : "." + OURS;
      return new Owner(pid, fields.group(2) + "." + boot() + namespace);
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
    Matcher mark = MARKED.matcher(text);
    return mark.find()
        ? Optional.of(new Owner(Long.parseLong(mark.group(1)), mark.group(2)))
        : Optional.empty();
  }

  /** Returns an id for names of files and folders. */
  public String mark() {
    return pid + "-" + start;
  }

  /** Returns whether it is a living process of this namespace. */
  public boolean lives() {
    return !start.equals("0") && (of(pid).start + ".").startsWith(start + ".");
  }

  /**
   * Returns whether it surely has ended. Its pid says nothing in another namespace, but it has
   * ended if the whole machine has no process in its own.
   */
  public boolean hasEnded() {
    String[] parts = start.split("\\.", -1);
    try {
      boolean elsewhere = parts.length == 3 && !parts[2].equals(OURS) && parts[1].equals(boot());
      return elsewhere ? OURS.equals(FIRST) && !inhabited(parts[2]) : !lives();
    } catch (IOException | DirectoryIteratorException e) {
      return false;
    }
  }

  private static String boot() throws IOException {
    return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).substring(0, 8);
  }

  private static boolean inhabited(String namespace) throws IOException {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc"), "[1-9]*")) {
      for (Path process : all) {
        if (namespace(process).filter(namespace::equals).isPresent()
            && !of(Long.parseLong(process.getFileName().toString())).start.equals("0")) {
          return true;
        }
      }
      return false;
    }
  }

  /** Returns the pid namespace of a process that we may examine, as all of this user's. */
  private static Optional<String> namespace(Path process) {
    try {
      Path link = Files.readSymbolicLink(process.resolve("ns/pid"));
      return Optional.of(NUMBER.matcher(link.toString()))
          .filter(Matcher::matches)
          .map(number -> number.group(1));
    } catch (IOException | UnsupportedOperationException e) {
      return Optional.empty();
    }
  }
}

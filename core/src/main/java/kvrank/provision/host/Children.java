package kvrank.provision.host;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Processes that kvrank starts. Their environment has no secrets of the user's shell, but a mark:
 * it shows kvrank a process that left its parent and session, as daemons do.
 */
public final class Children {

  /** The variable with the mark: the owner, a colon and the number of the child. */
  private static final String MARK = "KVRANK_OWNER";

  /** The variable with the names of further variables to pass, separated by commas. */
  static final String PASSED_TOO = "KVRANK_ENVIRONMENT";

  private static final Pattern PASSED =
      Pattern.compile(
          "PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_\\w+|TZ|TMPDIR|JAVA_HOME"
              + "|_JAVA_OPTIONS|JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS"
              // Of libraries and runtimes, for allocators among others.
              + "|(LD|DYLD|MALLOC|TCMALLOC|OMP|RUST|DOTNET)_\\w+|GLIBC_TUNABLES|FAKETIME\\w*"
              + "|GOMAXPROCS|GOGC|GOMEMLIMIT|GODEBUG|GOTRACEBACK");

  private static final Pattern MARKED = Pattern.compile("(?:^|\0)" + MARK + "=([^\0]+)");
  private static final Pattern REAL_USER = Pattern.compile("(?m)^Uid:\\s+(\\d+)");
  private static final AtomicLong COUNT = new AtomicLong();

  private Children() {}

  /** Returns a new mark of a child of this process. */
  public static String mark() {
    return Owner.self().mark() + ":" + COUNT.incrementAndGet();
  }

  /** Returns the builder of a child with {@code mark}. */
  public static ProcessBuilder builder(List<String> command, String mark) {
    ProcessBuilder builder = new ProcessBuilder(command);
    keep(builder.environment());
    builder.environment().put(MARK, mark);
    return builder;
  }

  static void keep(Map<String, String> environment) {
    Set<String> too = Set.of(environment.getOrDefault(PASSED_TOO, "").split(",", -1));
    environment
        .entrySet()
        .removeIf(
            variable ->
                !(PASSED.matcher(variable.getKey()).matches() || too.contains(variable.getKey()))
                    || (variable.getKey().equals("TMPDIR")
                        && !new File(variable.getValue()).isDirectory()));
  }

  /** Returns the living processes of this user with {@code mark}. */
  public static List<ProcessHandle> marked(String mark) {
    return all().stream().filter(child -> child.mark.equals(mark)).map(Child::process).toList();
  }

  /** Returns the living processes of this user whose owner has ended. */
  static List<ProcessHandle> orphans() {
    return all().stream()
        .filter(child -> Owner.marked(child.mark).filter(Owner::hasEnded).isPresent())
        .map(Child::process)
        .toList();
  }

  private record Child(String mark, ProcessHandle process) {}

  private static List<Child> all() {
    List<Child> children = new ArrayList<>();
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[1-9]*")) {
      Object user = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
      for (Path process : processes) {
        Optional<ProcessHandle> handle =
            ProcessHandle.of(Long.parseLong(process.getFileName().toString()));
        Optional<String> mark = handle.isEmpty() ? Optional.empty() : mark(process, user);
        mark.ifPresent(text -> children.add(new Child(text, handle.orElseThrow())));
      }
    } catch (IOException | UnsupportedOperationException e) {
      // The system has no /proc.
    }
    return children;
  }

  private static Optional<String> mark(Path process, Object user) {
    try {
      if (!isOf(user, process)) {
        return Optional.empty();
      }
      String environment = Files.readString(process.resolve("environ"), ISO_8859_1);
      Matcher mark = MARKED.matcher(environment);
      return mark.find() ? Optional.of(mark.group(1)) : Optional.empty();
    } catch (IOException e) {
      // It has ended, or is not ours to read.
      return Optional.empty();
    }
  }

  /** Returns whether this user started {@code process}; false if it has ended. */
  static boolean isOurs(ProcessHandle process) {
    try {
      Object user = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
      return isOf(user, Path.of("/proc/" + process.pid()));
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  /** Another user can give a setuid program any words and environment. */
  private static boolean isOf(Object user, Path process) throws IOException {
    if (!Files.getAttribute(process, "unix:uid").equals(user)) {
      return false;
    }
    Matcher real = REAL_USER.matcher(Files.readString(process.resolve("status"), ISO_8859_1));
    return real.find() && real.group(1).equals(user.toString());
  }
}

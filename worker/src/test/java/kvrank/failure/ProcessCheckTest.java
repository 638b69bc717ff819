package kvrank.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ProcessCheckTest {

  /** A process that prints what it observes, before and after its user reached the limit. */
  static final class Limited {

    private Limited() {}

    public static void main(String[] arguments) throws IOException {
      System.out.println(ProcessCheck.refusal("it").orElse("nothing"));
      if (System.in.read() < 0) {
        return;
      }
      System.out.println(ProcessCheck.refusal("it").orElse("nothing"));
      try {
        new ProcessBuilder("true").start();
      } catch (IOException e) {
        System.out.println(Cause.of(e));
      }
    }
  }

  private static Process asAnotherUser(String... command) throws IOException {
    List<String> whole = new ArrayList<>(List.of("setpriv", "--reuid=65534", "--clear-groups"));
    whole.addAll(List.of(command));
    return new ProcessBuilder(whole).redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }

  @Test
  void nothingIsRefusedWithinTheLimits() {
    assertThat(ProcessCheck.refusal("it")).isEmpty();
  }

  /** Only of another user than root, who has no limit of processes. */
  @Test
  void aUserWithoutMoreProcessesIsNoticed() throws Exception {
    String classpath =
        Stream.of(ProcessCheck.class, Limited.class)
            .map(type -> type.getProtectionDomain().getCodeSource().getLocation().getPath())
            .collect(Collectors.joining(File.pathSeparator));
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> printed = new ArrayList<>();
    try {
      Process process = asAnotherUser(java, "-Xmx64m", "-cp", classpath, Limited.class.getName());
      try (BufferedReader out = process.inputReader();
          Writer in = process.outputWriter()) {
        out.lines().limit(1).forEach(printed::add);
        String pid = Long.toString(process.pid());
        asAnotherUser("prlimit", "--pid", pid, "--nproc=1").waitFor();
        in.write("\n");
        in.flush();
        // The JVM prints a warning of its own.
        out.lines().filter(line -> !line.startsWith("[")).forEach(printed::add);
      }
    } catch (IOException noSuchTool) {
      printed.clear();
    }
    if (printed.isEmpty()) {
      String reason =
          "SKIPPED: the limit of processes was not reached: only root can start a process of another user";
      System.out.println(reason);
      abort(reason);
    }
    assertThat(printed).containsExactly("nothing", "it can start no more threads", "machine");
  }
}

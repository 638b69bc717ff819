package kvrank.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.net.InetSocketAddress;
import java.net.Socket;
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

  /** A process that prints what it observes, before and after all ports are bound. */
  static final class Bound {

    private Bound() {}

    public static void main(String[] arguments) {
      System.out.println(ProcessCheck.refusal("it").orElse("nothing"));
      try {
        while (true) {
          new Socket().bind(new InetSocketAddress(0));
        }
      } catch (IOException e) {
        System.out.println(ProcessCheck.refusal("it").orElse("nothing"));
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
    List<String> printed = new ArrayList<>();
    try {
      Process process = asAnotherUser(java(Limited.class));
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

  /** Another user can bind them all, so that no client can connect. */
  @Test
  void aMachineWithoutMorePortsIsNoticed() throws Exception {
    String few = "echo 40000 40009 >/proc/sys/net/ipv4/ip_local_port_range && exec \"$@\"";
    List<String> command = new ArrayList<>(List.of("unshare", "--net", "sh", "-c", few, "sh"));
    command.addAll(List.of(java(Bound.class)));
    List<String> printed;
    try (BufferedReader out = new ProcessBuilder(command).start().inputReader()) {
      printed = out.lines().toList();
    } catch (IOException noSuchTool) {
      printed = List.of();
    }
    if (printed.isEmpty()) {
      String reason = "SKIPPED: ports did not run out: only root can create a network";
      System.out.println(reason);
      abort(reason);
    }
    assertThat(printed).containsExactly("nothing", "it can get no more ports");
  }

  /** Returns the command that runs {@code main}. */
  private static String[] java(Class<?> main) {
    String classpath =
        Stream.of(ProcessCheck.class, main)
            .map(type -> type.getProtectionDomain().getCodeSource().getLocation().getPath())
            .collect(Collectors.joining(File.pathSeparator));
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return new String[] {java, "-Xmx64m", "-cp", classpath, main.getName()};
  }
}

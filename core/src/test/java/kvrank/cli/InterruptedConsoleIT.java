package kvrank.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import kvrank.plan.Plan;
import kvrank.plan.Planner;
import kvrank.results.ResultsDirectory;
import kvrank.scenario.read.ScenarioReader;
import kvrank.scenario.read.TestHome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ctrl-C on a terminal, which {@code script} makes. */
class InterruptedConsoleIT {

  @TempDir private Path folder;

  /** A library for progress bars replaced the JVM's handler of SIGINT, so no hook ran. */
  @Test
  void anInterruptSaysHowToResume() throws Exception {
    // A shell that starts tests in the background makes them ignore SIGINT.
    String java =
        "env --default-signal=INT %s/bin/java -Dkvrank.home=%s -cp %s '%s' %s"
            .formatted(
                System.getProperty("java.home"),
                System.getProperty("kvrank.home"),
                System.getProperty("java.class.path"),
                Interrupted.class.getName(),
                folder);
    Process process =
        new ProcessBuilder("script", "-qec", java, "/dev/null").redirectErrorStream(true).start();

    String shown = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(shown).isEqualTo(130);
    assertThat(shown).contains("To continue: ./kvrank run --resume");
  }

  /** Shows the bar of an execution, and gets the signal of Ctrl-C; the argument is a folder. */
  static final class Interrupted {

    private Interrupted() {}

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws Exception {
      Path folder = Path.of(arguments[0]);
      Path file =
          Files.writeString(
              folder.resolve("one.yaml"),
              "{question: Which, engines: [redis], fsync: off, phases: [get]}");
      ScenarioReader reader = new ScenarioReader(TestHome.in(folder.resolve("home")));
      Plan plan = Planner.plan(reader.read(file, List.of(), List.of()));
      Terminal terminal = new Terminal(System.out, System.err, true, false, 80);
      ExecutionConsole console = new ExecutionConsole(plan, terminal, () -> {});
      console.began(plan.guaranteedRuns(), Set.of());
      console.started(plan.runs().get(0), 1, 1);
      Runtime.getRuntime()
          .addShutdownHook(new Thread(() -> console.interrupted(ResultsDirectory.at(folder))));
      new ProcessBuilder("kill", "-INT", Long.toString(ProcessHandle.current().pid())).start();
      Thread.currentThread().join();
    }
  }
}

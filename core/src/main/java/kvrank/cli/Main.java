package kvrank.cli;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The program. */
public final class Main {

  private Main() {}

  public static void main(String[] arguments) {
    // Numbers are written and read the same in every language.
    Locale.setDefault(Locale.US);
    boolean person = System.getenv("CI") == null && !"dumb".equals(System.getenv("TERM"));
    Terminal terminal =
        new Terminal(
            new PrintStream(System.out, true, StandardCharsets.UTF_8),
            new PrintStream(System.err, true, StandardCharsets.UTF_8),
            person && Boolean.getBoolean("kvrank.err.terminal"),
            person
                && Boolean.getBoolean("kvrank.out.terminal")
                && System.getenv("NO_COLOR") == null,
            Integer.getInteger("kvrank.width", 0));
    if (Boolean.parseBoolean(System.getenv("KVRANK_END_WITH_PARENT"))) {
      endWithParent();
    }
    System.exit(Kvrank.run(Installation.locate(System.getenv()), terminal, arguments));
  }

  /** Maven passes no signal on: an execution would outlive a Maven that is ended. */
  private static void endWithParent() {
    ProcessHandle.current()
        .parent()
        .ifPresent(
            parent -> {
              Thread watch =
                  new Thread(
                      () -> {
                        parent.onExit().join();
                        System.exit(ExitStatus.TERMINATED);
                      },
                      "parent-watch");
              watch.setDaemon(true);
              watch.start();
            });
  }
}

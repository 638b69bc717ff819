package kvrank.cli;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.slf4j.LoggerFactory;

/** The program. */
public final class Main {

  private Main() {}

  private static void run(String... arguments) {
    // Numbers look the same whatever the language of the system.
    Locale.setDefault(Locale.US);
    boolean watched = System.getenv("CI") == null && !"dumb".equals(System.getenv("TERM"));
    Terminal terminal =
        new Terminal(
            new PrintStream(System.out, true, StandardCharsets.UTF_8),
            new PrintStream(System.err, true, StandardCharsets.UTF_8),
            watched && Boolean.getBoolean("kvrank.err.terminal"),
            watched
                && Boolean.getBoolean("kvrank.out.terminal")
                && System.getenv("NO_COLOR") == null,
            Integer.getInteger("kvrank.width", 0));
    if (Boolean.parseBoolean(System.getenv("KVRANK_END_WITH_PARENT"))) {
      endWithParent();
    }
    Installation installation = Installation.locate(System.getenv());
    if (Kvrank.debug(installation.environment(), arguments)) {
      // Before the first logger, as simplelogger.properties switches the log off.
      System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "debug");
      LoggerFactory.getLogger(Main.class)
          .debug(
              "kvrank {}, Java {}, home {}, built in {}",
              Kvrank.VERSION,
              Runtime.version(),
              installation.namedFiles().home(),
              installation.namedFiles().built());
    }
    System.exit(Kvrank.run(installation, terminal, arguments));
  }

  /** Runs the program; without file descriptors, the JVM cannot load its classes. */
  public static void main(String[] arguments) {
    try {
      run(arguments);
    } catch (LinkageError e) {
      System.err.println(
          "kvrank: Java cannot load a class: %s; if the limit of open files is low, raise it, for example with 'ulimit -n 1024'"
              .formatted(e));
      System.exit(1);
    }
  }

  /** Ends with its parent, as Maven does not pass signals on. */
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

package kvrank.worker;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The worker's process: {@code java -cp … kvrank.worker.Main [SPECFILE]}. Without the file the
 * first command names it, so that a JVM can start while its server does. Speaks as {@link
 * WorkerMessage} says, on the standard output that it found; whatever else is printed goes to
 * standard error.
 *
 * <p>Exit status: 0 after {@code stop}, 1 after {@link WorkerMessage.Failed}, 2 for a wrong command
 * line, 3 if the controller is gone.
 */
public final class Main {

  private static final int FAILED = 1;
  private static final int USAGE = 2;
  private static final int ABANDONED = 3;

  private Main() {}

  public static void main(String[] arguments) {
    PrintStream protocol = System.out;
    System.setOut(System.err);
    if (arguments.length > 1) {
      System.err.println("usage: java -cp … " + Main.class.getName() + " [SPECFILE]");
      Runtime.getRuntime().halt(USAGE);
    }
    Commands commands = new Commands(System.in, () -> Runtime.getRuntime().halt(ABANDONED));
    commands.listen();
    try {
      String file = arguments.length == 1 ? arguments[0] : commands.specFile();
      WorkerSpec spec = WorkerSpec.read(Path.of(file));
      new Worker(spec, commands, report -> say(protocol, report)).run();
    } catch (WorkerException e) {
      fail(protocol, e.phase(), e);
    } catch (Exception | Error e) {
      fail(protocol, "", e);
    }
    System.exit(0);
  }

  private static void fail(PrintStream protocol, String phase, Throwable thrown) {
    thrown.printStackTrace();
    say(protocol, new WorkerMessage.Failed(phase, WorkerException.summary(thrown)));
    // Without shutdown hooks: threads may be stuck in the binding.
    System.err.flush();
    Runtime.getRuntime().halt(FAILED);
  }

  private static void say(PrintStream protocol, WorkerMessage report) {
    byte[] line = (report.encode() + "\n").getBytes(StandardCharsets.US_ASCII);
    synchronized (protocol) {
      protocol.write(line, 0, line.length);
      protocol.flush();
    }
  }
}

package kvrank.worker;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import kvrank.failure.Cause;
import kvrank.failure.ProcessCheck;
import kvrank.worker.protocol.CommandReader;
import kvrank.worker.protocol.MessageLines;
import kvrank.worker.protocol.WorkerCommand;
import kvrank.worker.protocol.WorkerException;
import kvrank.worker.protocol.WorkerMessage;
import kvrank.worker.protocol.WorkerSpec;
import kvrank.workload.request.Slice;

/**
 * The worker's process: {@code java -cp … kvrank.worker.Main [generator PART/PARTS]}. The first
 * command carries the spec, so the JVM can start while its server does. Messages go to standard
 * output, everything else to standard error.
 *
 * <p>Exit status: 0 after {@link WorkerCommand.Stop}, 1 after {@link WorkerMessage.Failed}, 2 for a
 * wrong command line, 3 if the controller is gone.
 */
public final class Main {

  private static final int FAILED = 1;
  private static final int USAGE = 2;
  private static final int ABANDONED = 3;

  private Main() {}

  public static void main(String[] arguments) {
    // Numbers must not depend on the user's language.
    Locale.setDefault(Locale.US);
    PrintStream protocol = System.out;
    System.setOut(System.err);
    boolean shared = arguments.length == 2 && arguments[0].equals("generator");
    if (arguments.length > 0 && !shared) {
      System.err.println("usage: java -cp … " + Main.class.getName() + " [generator PART/PARTS]");
      Runtime.getRuntime().halt(USAGE);
    }
    CommandReader commands =
        new CommandReader(System.in, () -> Runtime.getRuntime().halt(ABANDONED));
    Optional<Slice> slice = shared ? Optional.of(Slice.of(arguments[1])) : Optional.empty();
    Consumer<WorkerMessage> messages = message -> say(protocol, message);
    if (shared) {
      commands.listen(slice.get(), messages);
    } else {
      commands.listen();
    }
    ProcessCheck.refusal(""); // loads its classes while files can be opened
    try {
      new Worker(spec(commands.next()), slice, commands, messages).run();
    } catch (Exception | Error e) {
      fail(protocol, e);
    }
    System.exit(0);
  }

  private static WorkerSpec spec(WorkerCommand first) throws WorkerException {
    if (first instanceof WorkerCommand.Spec command) {
      return command.spec();
    }
    throw new WorkerException(
        Cause.HARNESS, "", "the controller said '" + first + "' before a spec");
  }

  private static void fail(PrintStream protocol, Throwable thrown) {
    WorkerException failure = WorkerException.of("", thrown);
    thrown.printStackTrace();
    say(
        protocol,
        new WorkerMessage.Failed(
            failure.phase(), failure.failureCause(), WorkerException.summary(failure)));
    // Without shutdown hooks: threads may be stuck in the binding.
    System.err.flush();
    Runtime.getRuntime().halt(FAILED);
  }

  private static void say(PrintStream protocol, WorkerMessage message) {
    String lines = String.join("\n", MessageLines.split(message.encode())) + "\n";
    byte[] line = lines.getBytes(StandardCharsets.US_ASCII);
    synchronized (protocol) {
      protocol.write(line, 0, line.length);
      protocol.flush();
    }
  }
}

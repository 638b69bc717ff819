package kvrank.run.worker;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvrank.worker.protocol.MessageLines;
import kvrank.worker.protocol.WorkerMessage;

/** Reads the messages of the process's only worker, or of several, with their numbers. */
record MessageReader(OptionalInt worker, BiConsumer<Integer, WorkerMessage> heard) {

  /** A line of one of several workers started by one process. */
  private static final Pattern LABELLED = Pattern.compile(" *([0-9]+): (.*)");

  void start(Process process) {
    Thread thread = new Thread(() -> read(process), "worker-messages-" + process.pid());
    thread.setDaemon(true);
    thread.start();
  }

  private void read(Process process) {
    Map<Integer, MessageLines> begun = new HashMap<>();
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        Matcher labelled = LABELLED.matcher(line);
        if (worker.isPresent() || labelled.matches()) {
          int from = worker.orElseGet(() -> Integer.parseInt(labelled.group(1)));
          begun
              .computeIfAbsent(from, any -> new MessageLines())
              .join(worker.isPresent() ? line : labelled.group(2))
              .flatMap(WorkerMessage::decode)
              .ifPresent(message -> heard.accept(from, message));
        }
      }
    } catch (IOException e) {
      // The worker was killed in the middle of a line; its ending has the reason.
    }
  }
}

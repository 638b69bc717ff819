package kvrank.worker.protocol;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** A file that the controller writes: flushes are sent to it. */
public final class ReportedFile extends ByteArrayOutputStream {

  private final String name;
  private final Consumer<WorkerMessage> messages;

  public ReportedFile(String name, Consumer<WorkerMessage> messages) {
    this.name = name;
    this.messages = messages;
  }

  @Override
  public synchronized void flush() {
    if (size() > 0) {
      messages.accept(new WorkerMessage.Written(name, toString(StandardCharsets.UTF_8)));
      reset();
    }
  }

  @Override
  public void close() {
    flush();
  }
}

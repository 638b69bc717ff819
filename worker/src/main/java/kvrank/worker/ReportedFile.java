package kvrank.worker;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** A file that the controller writes: what is flushed goes there. */
final class ReportedFile extends ByteArrayOutputStream {

  private final String name;
  private final Consumer<WorkerMessage> reports;

  ReportedFile(String name, Consumer<WorkerMessage> reports) {
    this.name = name;
    this.reports = reports;
  }

  @Override
  public synchronized void flush() {
    if (size() > 0) {
      reports.accept(new WorkerMessage.Written(name, toString(StandardCharsets.UTF_8)));
      reset();
    }
  }

  @Override
  public void close() {
    flush();
  }
}

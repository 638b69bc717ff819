package kvrank.provision.docker;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import kvrank.input.Reason;
import kvrank.provision.host.ProvisionException;
import org.testcontainers.containers.output.OutputFrame;

/** Copies a container's two outputs to a file. Errors are ignored: the run reports a full disk. */
record ContainerLog(PrintStream out, CountDownLatch ends) implements Consumer<OutputFrame> {

  private static final long SETTLE_MILLIS = 2000;

  static ContainerLog to(Path file) throws ProvisionException {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      OutputStream out = new FileOutputStream(file.toFile(), true);
      return new ContainerLog(new PrintStream(out, false, UTF_8), new CountDownLatch(2));
    } catch (IOException e) {
      throw new ProvisionException(
          "the log '%s' cannot be written: %s".formatted(file, Reason.of(e)), e);
    }
  }

  @Override
  public void accept(OutputFrame frame) {
    if (frame.getType() == OutputFrame.OutputType.END) {
      ends.countDown();
    } else if (frame.getBytes() != null) {
      out.write(frame.getBytes(), 0, frame.getBytes().length);
    }
  }

  /** Waits briefly for the rest of an ended container's output. */
  void settle() {
    try {
      ends.await(SETTLE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

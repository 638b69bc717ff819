package kvrank.provision;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.testcontainers.containers.output.OutputFrame;

/** Follows a container's output into a file. */
final class ContainerLog implements Consumer<OutputFrame>, AutoCloseable {

  private static final long SETTLE_MILLIS = 2000;

  private final OutputStream out;
  // Standard output and standard error end one by one.
  private final CountDownLatch ends = new CountDownLatch(2);
  private boolean closed;

  private ContainerLog(OutputStream out) {
    this.out = out;
  }

  /** Appends to {@code file}. */
  static ContainerLog to(Path file) throws ProvisionException {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      return new ContainerLog(
          Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND));
    } catch (IOException e) {
      throw new ProvisionException("the log '%s' cannot be written: %s".formatted(file, e), e);
    }
  }

  @Override
  public synchronized void accept(OutputFrame frame) {
    if (frame.getType() == OutputFrame.OutputType.END) {
      ends.countDown();
    } else if (frame.getBytes() != null && !closed) {
      try {
        out.write(frame.getBytes());
      } catch (IOException e) {
        // A full disk: the run itself will say so, with more effect.
        closed = true;
      }
    }
  }

  /** Waits a moment for the rest of an ended container's output. */
  void settle() {
    try {
      ends.await(SETTLE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    try {
      out.close();
    } catch (IOException e) {
      // As above.
    }
  }
}

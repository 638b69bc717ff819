package kvrank.provision.host;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * How a short command ended.
 *
 * @param text what it printed, to standard output or error, up to 64 KiB
 */
public record CommandOutput(int status, String text) {

  private static final int MOST_BYTES = 1 << 16;

  /** A process that the command left behind may keep its output open. */
  private static final Duration LEFT_BEHIND = Duration.ofSeconds(1);

  /** Runs a command without input; empty if it had to be killed after {@code limit}. */
  public static Optional<CommandOutput> of(ProcessBuilder command, Duration limit)
      throws IOException, InterruptedException {
    Process process =
        command.redirectErrorStream(true).redirectInput(new File("/dev/null")).start();
    try {
      // Without a reader, a command that prints more than a pipe holds never ends.
      ByteArrayOutputStream text = new ByteArrayOutputStream();
      CompletableFuture<Void> reading =
          CompletableFuture.runAsync(() -> read(process.getInputStream(), text));
      if (!process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)) {
        return Optional.empty();
      }
      reading.completeOnTimeout(null, LEFT_BEHIND.toNanos(), TimeUnit.NANOSECONDS).join();
      return Optional.of(new CommandOutput(process.exitValue(), text.toString(UTF_8)));
    } finally {
      process.destroyForcibly();
    }
  }

  private static void read(InputStream in, ByteArrayOutputStream text) {
    byte[] bytes = new byte[1 << 13];
    try {
      for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
        text.write(bytes, 0, Math.min(count, MOST_BYTES - text.size()));
      }
    } catch (IOException e) {
      // It ends like the output of a killed process.
    }
  }
}

package kvrank.disk;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/**
 * The process that is the disk. Its file descriptor 0 is {@code /dev/fuse}, mounted already. It
 * reads commands, a line each, with a number before, from descriptor 4, and answers each with a
 * line on descriptor 1: {@code =}, the number and the answer, or {@code !}, the number and a
 * reason. A line that starts with {@code ?} reports what goes wrong. At the end of the commands,
 * the controller is gone, and the process aborts the connection to the kernel and ends: all that
 * waits gets an error.
 *
 * <p>Commands: {@code status} returns the number of writes and flushes, the name of the file and
 * the process id, {@code hold}, {@code freeze} the unflushed writes and bytes and for how many
 * nanoseconds it was busy before, {@code cut} whether the power was on, {@code recover some|none
 * SEED SECTOR} the unflushed writes, bytes and sectors, the sectors kept and the name of the new
 * file.
 */
final class DiskProcess {

  private static final Path COMMANDS = Path.of("/dev/fd/4");

  /** Of the cache: that of a large drive. */
  private static final long CAPACITY = 1L << 30;

  /** If an answer takes longer, only the end of the connection to the kernel helps. */
  private static final Duration STUCK = Duration.ofSeconds(4);

  private static final long WATCH_MILLIS = 50;

  /** A read fails once if its request was interrupted, and each time without a connection. */
  private static final int FAILURES = 100;

  private final PrintStream controller =
      new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8);

  private final Disk disk;
  private final Path abort;

  private DiskProcess(Path folder, long size, Duration latency, Path abort) throws IOException {
    FileChannel kernel = new FileOutputStream(FileDescriptor.in).getChannel();
    WriteCache cache = new WriteCache(folder, size, CAPACITY, FuseReplies.LARGEST);
    disk = new Disk(cache, size, latency, new FuseReplies(kernel), this::trouble);
    this.abort = abort;
  }

  /**
   * Runs the disk.
   *
   * @param arguments the folder of the image, its size in bytes, the latency of a flush in
   *     nanoseconds, and the file whose writing aborts the connection to the kernel
   */
  public static void main(String[] arguments) throws IOException {
    DiskProcess process =
        new DiskProcess(
            Path.of(arguments[0]),
            Long.parseLong(arguments[1]),
            Duration.ofNanos(Long.parseLong(arguments[2])),
            Path.of(arguments[3]));
    process.start("requests", process::serve);
    process.start("flushes", process.disk::serveFlushes);
    process.start("watchdog", process::watch);
    process.start("commands", process::obey);
  }

  private interface Work {
    void run() throws IOException, InterruptedException;
  }

  private void start(String name, Work work) {
    new Thread(
            () -> {
              try {
                work.run();
                end(0);
              } catch (IOException | InterruptedException | RuntimeException | Error e) {
                trouble(name + ": " + e);
                end(1);
              }
            },
            name)
        .start();
  }

  private void trouble(String reason) {
    controller.println("? " + reason.replace('\n', ' '));
  }

  private void end(int status) {
    try {
      Files.write(abort, new byte[] {'1'}, StandardOpenOption.WRITE);
    } catch (IOException e) {
      // The end of this process closes the connection, too, unless a thread hangs in the kernel.
    }
    Runtime.getRuntime().halt(status);
  }

  private void serve() throws InterruptedException {
    FileChannel kernel = new FileInputStream(FileDescriptor.in).getChannel();
    ByteBuffer bytes =
        ByteBuffer.allocateDirect(FuseRequest.WRITE_HEADER + FuseReplies.LARGEST + 4096)
            .order(ByteOrder.nativeOrder());
    int failures = 0;
    while (failures < FAILURES) {
      bytes.clear();
      try {
        if (kernel.read(bytes) < 0) {
          return;
        }
        failures = 0;
      } catch (IOException e) {
        failures++;
        continue;
      }
      disk.accept(new FuseRequest(bytes.flip()));
    }
  }

  private void watch() throws IOException, InterruptedException {
    while (true) {
      Thread.sleep(WATCH_MILLIS);
      disk.cutIfStuck(STUCK);
    }
  }

  private void obey() throws IOException {
    try (BufferedReader commands =
        new BufferedReader(new InputStreamReader(Files.newInputStream(COMMANDS), UTF_8))) {
      for (String line = commands.readLine(); line != null; line = commands.readLine()) {
        String[] command = line.split(" ", 2);
        String answer;
        try {
          answer = "= %s %s".formatted(command[0], answer(command[1].split(" ", -1)));
        } catch (IOException | RuntimeException e) {
          answer = "! %s %s".formatted(command[0], e);
        }
        controller.println(answer);
      }
    }
  }

  private String answer(String[] words) throws IOException {
    switch (words[0]) {
      case "status" -> {
        Disk.Served served = disk.served();
        return "%d %d %s %d"
            .formatted(
                served.writes(), served.flushes(), disk.name(), ProcessHandle.current().pid());
      }
      case "hold" -> {
        disk.hold();
        return "";
      }
      case "freeze" -> {
        WriteCache.Unflushed unflushed = disk.freeze();
        return "%d %d %d".formatted(unflushed.writes(), unflushed.bytes(), disk.busyNanos());
      }
      case "cut" -> {
        return Boolean.toString(disk.cut());
      }
      case "recover" -> {
        WriteCache.Recovered recovered =
            disk.recover(
                words[1].equals("some"), Long.parseLong(words[2]), Integer.parseInt(words[3]));
        WriteCache.Unflushed unflushed = recovered.unflushed();
        return "%d %d %d %d %s"
            .formatted(
                unflushed.writes(),
                unflushed.bytes(),
                recovered.sectors(),
                recovered.kept(),
                disk.name());
      }
      default -> throw new IllegalArgumentException("unknown command " + words[0]);
    }
  }
}

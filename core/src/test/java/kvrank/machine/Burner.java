package kvrank.machine;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** A process that uses a given share of a core, reports it, and ends with its input. */
final class Burner {

  private Burner() {}

  /**
   * Uses it.
   *
   * @param arguments CPU seconds, MiB of memory, MiB to write, and the file for that
   */
  public static void main(String[] arguments) throws IOException {
    byte[] memory = new byte[Integer.parseInt(arguments[1]) << 20];
    Arrays.fill(memory, (byte) 1);
    Files.write(Path.of(arguments[3]), new byte[Integer.parseInt(arguments[2]) << 20]);
    var system =
        (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    while (system.getProcessCpuTime() < Double.parseDouble(arguments[0]) * 1e9) {
      for (int i = 0; i < memory.length; i += 4096) {
        memory[i]++;
      }
    }
    System.out.println("done");
    while (System.in.read() >= 0) {
      // Wait.
    }
  }
}

package kvrank.machine;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Reads what went to and from a block device since the system started, by any process: {@code
 * /sys/block/DEVICE/stat}, whose third and seventh fields are sectors of 512 bytes read and written
 * (the kernel's Documentation/block/stat.rst).
 */
public final class DeviceTraffic implements Closeable {

  private static final int SECTOR_BYTES = 512;
  private static final int READ = 2;
  private static final int WRITTEN = 6;

  private final SystemFile stat;

  private DeviceTraffic(SystemFile stat) {
    this.stat = stat;
  }

  /** The device's bytes in both directions, since the system started. */
  public record Sample(long readBytes, long writtenBytes) {}

  /** Returns the device that {@code folder} is on, if it is on one. */
  public static Optional<DeviceTraffic> of(Path folder) {
    try {
      Optional<String> device = Storage.of(folder).device();
      return device.isEmpty()
          ? Optional.empty()
          : Optional.of(
              new DeviceTraffic(
                  new SystemFile(Path.of("/sys/block").resolve(device.get()).resolve("stat"))));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Returns what is counted now, or empty if the device is gone. */
  public Optional<Sample> sample() {
    try {
      stat.read();
      return Optional.of(
          new Sample(stat.field(0, READ) * SECTOR_BYTES, stat.field(0, WRITTEN) * SECTOR_BYTES));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    try {
      stat.close();
    } catch (IOException e) {
      // Nothing was written to it.
    }
  }
}

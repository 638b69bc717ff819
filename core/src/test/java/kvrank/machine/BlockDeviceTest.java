package kvrank.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlockDeviceTest {

  @TempDir Path sys;

  private BlockDevice device;

  @BeforeEach
  void makeFolder() throws IOException {
    Files.createDirectories(sys.resolve("nvme0n1/queue"));
    device = new BlockDevice(sys.resolve("nvme0n1"));
  }

  @Test
  void countsFlushesWithTheSixteenthField() throws IOException {
    // A line of Linux 6.1 with 17 fields.
    Files.writeString(
        sys.resolve("nvme0n1/stat"),
        "  493161    26759 14692210   365424  1993212   317129 81081584   542281        0   164044"
            + "   987193   197309       41 126899200    28733   605049    50754\n");
    assertThat(device.flushes()).hasValue(605_049);
    assertThat(device.name()).isEqualTo("nvme0n1");
  }

  @Test
  void olderKernelsCountNone() throws IOException {
    // Linux 5.4 has 15 fields, those of discards the last.
    Files.writeString(sys.resolve("nvme0n1/stat"), " 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n");
    assertThat(device.flushes()).isEmpty();
  }

  @Test
  void aDiskThatIsNotThereHasNothing() {
    BlockDevice none = new BlockDevice(sys.resolve("sdz"));
    assertThat(none.flushes()).isEmpty();
    assertThat(none.writeCache()).isEmpty();
    assertThat(none.scheduler()).isEmpty();
  }

  @Test
  void readsWhatItsQueueSays() throws IOException {
    Files.writeString(sys.resolve("nvme0n1/queue/write_cache"), "write back\n");
    Files.writeString(sys.resolve("nvme0n1/queue/scheduler"), "none [mq-deadline] kyber\n");
    assertThat(device.writeCache()).contains("write back");
    assertThat(device.scheduler()).contains("mq-deadline");
    Files.writeString(sys.resolve("nvme0n1/queue/scheduler"), "none\n");
    assertThat(device.scheduler()).contains("none");
  }
}

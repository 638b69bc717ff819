package kvrank.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class PageCacheIT {

  private static final int BYTES = 8 << 20;

  @Test
  void whatWasDroppedIsReadFromTheDeviceAgain() throws IOException, InterruptedException {
    Path file = Path.of("target/dropped").toAbsolutePath();
    if (!PageCache.droppable() || Storage.of(file).device().isEmpty()) {
      String reason = "this is not root, or the build is on no device";
      System.out.println("SKIPPED: dropping the page cache: " + reason);
      abort(reason);
    }
    Files.write(file, new byte[BYTES]);
    try {
      long before = read();
      Files.readAllBytes(file);
      assertThat(read() - before).isLessThan(BYTES);

      PageCache.drop();

      before = read();
      Files.readAllBytes(file);
      assertThat(read() - before).isGreaterThanOrEqualTo(BYTES);
    } finally {
      Files.delete(file);
    }
  }

  private static long read() {
    return ProcessSample.of(ProcessHandle.current().pid()).orElseThrow().readBytes().orElseThrow();
  }
}

package kvrank.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import kvrank.OneAtATime;
import org.junit.jupiter.api.Test;

class PageCacheIT {

  private static final int BYTES = 8 << 20;

  @Test
  @OneAtATime(OneAtATime.UNSYNCED)
  void whatWasDroppedIsReadFromTheDeviceAgain() throws IOException, InterruptedException {
    Path folder = Path.of("target/dropped").toAbsolutePath();
    Path file = folder.resolve("file");
    if (!PageCache.droppable() || Storage.of(folder).device().isEmpty()) {
      String reason = "this is not root, or the build is on no device";
      System.out.println("SKIPPED: dropping the page cache: " + reason);
      abort(reason);
    }
    Files.createDirectories(folder);
    Files.write(file, new byte[BYTES]);
    try {
      long before = read();
      Files.readAllBytes(file);
      assertThat(read() - before).isLessThan(BYTES);

      assertThat(PageCache.resident(folder)).isEqualTo(BYTES);

      PageCache.drop();

      assertThat(PageCache.resident(folder)).isZero();
      before = read();
      Files.readAllBytes(file);
      assertThat(read() - before).isGreaterThanOrEqualTo(BYTES);
    } finally {
      Files.delete(file);
      Files.delete(folder);
    }
  }

  private static long read() {
    return ProcessSample.of(ProcessHandle.current().pid()).orElseThrow().readBytes().orElseThrow();
  }
}

package kvrank.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The memory in which Linux keeps what was read from and written to files. */
public final class PageCache {

  private static final Path DROP = Path.of("/proc/sys/vm/drop_caches");

  /** Pages, and the entries of folders and files too; see proc(5). */
  private static final String EVERYTHING = "3";

  private PageCache() {}

  /** Returns whether it can be dropped from here, which takes root and a machine of one's own. */
  public static boolean droppable() {
    return Files.isWritable(DROP);
  }

  /** Writes back all that is dirty, drops all that is clean; throws if that is not ours to do. */
  public static void drop() throws IOException, InterruptedException {
    Process sync = new ProcessBuilder("sync").start();
    if (sync.waitFor() != 0) {
      throw new IOException("sync failed, and the page cache was not dropped");
    }
    Files.writeString(DROP, EVERYTHING);
  }
}

package kvrank.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The memory in which Linux caches the contents of files. */
public final class PageCache {

  private static final Path DROP = Path.of("/proc/sys/vm/drop_caches");

  /** Drops pages, directory entries and inodes; see proc(5). */
  private static final String EVERYTHING = "3";

  private PageCache() {}

  /** Returns whether this process can drop it, which needs root outside of a container. */
  public static boolean droppable() {
    return Files.isWritable(DROP);
  }

  /** Writes back dirty pages and drops clean ones; throws if this process may not. */
  public static void drop() throws IOException, InterruptedException {
    Process sync = new ProcessBuilder("sync").start();
    if (sync.waitFor() != 0) {
      throw new IOException("sync failed, so the page cache was not dropped");
    }
    Files.writeString(DROP, EVERYTHING);
  }
}

package kvrank.machine;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** The memory in which Linux caches the contents of files. */
public final class PageCache {

  private static final Path DROP = Path.of("/proc/sys/vm/drop_caches");

  /** Drops pages, directory entries and inodes; see proc(5). */
  private static final String EVERYTHING = "3";

  private static final int PAGE = 4096;

  /** The most of a file that one buffer maps. */
  private static final long MOST_MAPPED = 1 << 30;

  /** The most pages of a file that are checked. */
  private static final long SAMPLE = 16_384;

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

  /**
   * Returns the bytes of the files in {@code folder} that are in the page cache, by mincore(2); of
   * large files, estimated from a sample of their pages.
   */
  public static long resident(Path folder) throws IOException {
    long[] bytes = {0};
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            try {
              bytes[0] += attributes.isRegularFile() ? residentIn(file) : 0;
              return FileVisitResult.CONTINUE;
            } catch (NoSuchFileException e) {
              return visitFileFailed(file, e);
            }
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException && !file.equals(folder)) {
              // A running engine removes files, which then have no pages.
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }
        });
    return bytes[0];
  }

  private static long residentIn(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      long size = channel.size();
      // A power of two, like the size of a part.
      int step = PAGE * (int) Math.max(1, Long.highestOneBit(size / PAGE / SAMPLE) * 2);
      long found = 0;
      for (long from = 0; from < size; from += MOST_MAPPED) {
        int part = (int) Math.min(MOST_MAPPED, size - from);
        MappedByteBuffer pages = channel.map(MapMode.READ_ONLY, from, part);
        for (int at = 0; at < part; at += step) {
          int length = Math.min(step, part - at);
          found += pages.slice(at, Math.min(PAGE, length)).isLoaded() ? length : 0;
        }
      }
      return found;
    }
  }
}

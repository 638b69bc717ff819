package kvrank.worker.phase;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * The processor time of this JVM's compiler threads, from Linux. {@link
 * java.lang.management.CompilationMXBean} counts a compilation only when it ends, a second after
 * its start if it is large, and counts time without a processor.
 */
final class CompilerThreads {

  private final Path tasks;

  /** By thread; those that ended are kept, since a JVM ends idle compiler threads. */
  private final Map<Path, Long> nanos = new HashMap<>();

  CompilerThreads() {
    this(Path.of("/proc/self/task"));
  }

  CompilerThreads(Path tasks) {
    this.tasks = tasks;
  }

  /** Returns the time so far in nanoseconds; 0 if Linux does not report it. */
  synchronized long nanos() {
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
      threads.forEach(this::read);
    } catch (IOException | DirectoryIteratorException e) {
      // The threads that were seen before still count.
    }
    return nanos.values().stream().mapToLong(Long::longValue).sum();
  }

  private void read(Path thread) {
    try {
      // HotSpot's are "C1 CompilerThre" and "C2 CompilerThre"; Linux keeps 15 characters.
      if (Files.readString(thread.resolve("comm")).contains(" Compiler")) {
        String time = Files.readString(thread.resolve("schedstat"));
        nanos.put(thread, Long.parseLong(time.substring(0, time.indexOf(' '))));
      }
    } catch (IOException e) {
      // It has ended.
    }
  }
}

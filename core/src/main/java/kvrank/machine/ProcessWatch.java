package kvrank.machine;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Watches a process and those that it starts, such as the fork with which Redis rewrites its log.
 * The usage of a child is not lost when it ends: Linux adds its CPU time and I/O to its parent's
 * when the parent waits for it.
 */
public final class ProcessWatch {

  private static final Path PROC = Path.of("/proc");

  private final long pid;
  private final Set<Long> descendants = new TreeSet<>();
  private String newestSeen = "";

  /** Watches {@code pid} and its descendants; a process without any needs no watch. */
  public ProcessWatch(long pid) {
    this.pid = pid;
  }

  /** Returns the current counters; empty if the process does not exist, or without /proc. */
  public Optional<ProcessSample> sample() {
    while (true) {
      Optional<ProcessSample> own = ProcessSample.of(pid);
      if (own.isEmpty()) {
        return own;
      }
      findDescendants();
      ProcessSample sum = own.get();
      Set<Long> ended = new HashSet<>();
      for (long descendant : descendants) {
        Optional<ProcessSample> child = ProcessSample.of(descendant);
        sum = child.map(sum::with).orElse(sum);
        if (child.isEmpty()) {
          ended.add(descendant);
        }
      }
      // A child that has ended since its parent was read is in its parent's times only now.
      if (!descendants.removeAll(ended)) {
        return Optional.of(sum);
      }
    }
  }

  /**
   * Searches for children only if the system has created a process or thread since the last time.
   */
  private void findDescendants() {
    String load = SystemFile.text(PROC.resolve("loadavg")).orElse("");
    String newest = load.substring(load.lastIndexOf(' ') + 1);
    if (newest.isEmpty() || !newest.equals(newestSeen)) {
      newestSeen = newest;
      find(pid);
    }
  }

  private void find(long parent) {
    for (Path thread : SystemFile.threads(PROC.resolve(Long.toString(parent)))) {
      Optional<String> children = SystemFile.text(thread.resolve("children"));
      for (String child : children.map(all -> all.split(" ", -1)).orElse(new String[0])) {
        descendants.add(Long.valueOf(child));
        find(Long.parseLong(child));
      }
    }
  }
}

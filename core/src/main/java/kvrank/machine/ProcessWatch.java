package kvrank.machine;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Watches one process, and if asked those that it starts, such as the fork with which Redis
 * rewrites its log. What a child has used is not lost when it ends: Linux adds its CPU time and its
 * I/O to its parent's when that waits for it.
 */
public final class ProcessWatch implements Closeable {

  private static final Path PROC = Path.of("/proc");

  private final long pid;
  private final boolean following;
  private final Map<Long, ProcessFiles> files = new TreeMap<>();
  private final Optional<SystemFile> load;
  private long newestSeen = -1;

  private ProcessWatch(long pid, boolean following) {
    this.pid = pid;
    this.following = following;
    this.load = following ? load() : Optional.empty();
  }

  /** Watches {@code pid} alone. */
  public static ProcessWatch alone(long pid) {
    return new ProcessWatch(pid, false);
  }

  /** Watches {@code pid} and its descendants. */
  public static ProcessWatch withDescendants(long pid) {
    return new ProcessWatch(pid, true);
  }

  private static Optional<SystemFile> load() {
    try {
      return Optional.of(new SystemFile(PROC.resolve("loadavg")));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Returns what is counted now, or empty if there is no such process or no /proc. */
  public Optional<ProcessSample> sample() {
    try {
      ProcessSample sum = open(pid).sample();
      if (following) {
        findDescendants();
        sum = withDescendants(sum);
      }
      return Optional.of(sum);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private ProcessSample withDescendants(ProcessSample own) {
    ProcessSample sum = own;
    Iterator<Map.Entry<Long, ProcessFiles>> all = files.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<Long, ProcessFiles> each = all.next();
      if (each.getKey() != pid) {
        try {
          sum = sum.with(each.getValue().sample());
        } catch (IOException ended) {
          close(each.getValue());
          all.remove();
        }
      }
    }
    return sum;
  }

  /** Looks for children only if the system has made a process or a thread since the last look. */
  private void findDescendants() {
    try {
      load.orElseThrow(IOException::new).read();
      long newest = load.get().field(load.get().afterLast(' '), 0);
      if (newest == newestSeen) {
        return;
      }
      newestSeen = newest;
    } catch (IOException e) {
      // Then always.
    }
    find(pid);
  }

  private void find(long parent) {
    Path tasks = PROC.resolve(Long.toString(parent)).resolve("task");
    String[] threads = tasks.toFile().list();
    if (threads == null) {
      return;
    }
    for (String thread : threads) {
      try {
        String children = Files.readString(tasks.resolve(thread).resolve("children"));
        for (String child : children.isBlank() ? new String[0] : children.strip().split(" ", -1)) {
          open(Long.parseLong(child));
          find(Long.parseLong(child));
        }
      } catch (IOException e) {
        // The thread or the child has ended meanwhile.
      }
    }
  }

  private ProcessFiles open(long process) throws IOException {
    ProcessFiles open = files.get(process);
    if (open == null) {
      open = new ProcessFiles(PROC.resolve(Long.toString(process)));
      files.put(process, open);
    }
    return open;
  }

  private static void close(Closeable file) {
    try {
      file.close();
    } catch (IOException e) {
      // Nothing was written to it.
    }
  }

  @Override
  public void close() {
    files.values().forEach(ProcessWatch::close);
    files.clear();
    load.ifPresent(ProcessWatch::close);
  }
}

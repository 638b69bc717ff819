package kvrank.provision;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * What kvranks left that were killed together with their guards: servers, data folders, workers and
 * their temporary folders; and keys on servers that are not kvrank's, of which it tells. Each names
 * its owner, in its name or in the owner's {@link Journal}; what belongs to a process that runs, or
 * to another user, is left alone.
 */
public final class Leftovers {

  private static final String WORKER = "kvrank-worker-";
  private static final String JOURNAL = "kvrank-owns-";
  private static final long KILL_SECONDS = 5;

  private final Path temporary;
  private final List<String> removed = new ArrayList<>();

  private Leftovers(Path temporary) {
    this.temporary = temporary;
  }

  /** Makes a temporary folder for a worker of this process. */
  public static Path workerFolder() throws IOException {
    return Files.createTempDirectory(WORKER + Owner.self().mark() + "-");
  }

  /** What this process has on this machine, in a file that outlives it. */
  static final class Journal {

    private final Map<String, String> live = new HashMap<>();
    private Path file;

    /** Notes a process that runs from now on. */
    synchronized void addProcess(String pid) throws IOException {
      add(pid, "process " + Owner.of(Long.parseLong(pid)).mark());
    }

    /** Notes a folder that is there from now on. */
    synchronized void addFolder(String path) throws IOException {
      add(path, folder(Path.of(path)));
    }

    private void add(String name, String entry) throws IOException {
      live.put(name, entry);
      append("+" + entry);
    }

    /** Notes keys that are on a server that is not kvrank's, which only its owner may remove. */
    synchronized void addKeys(String keys) throws IOException {
      add(keys, "keys " + keys);
    }

    /** Notes that the process, folder or keys are gone. */
    synchronized void remove(String name) throws IOException {
      String entry = live.remove(name);
      if (entry != null) {
        append("-" + entry);
      }
    }

    private void append(String line) throws IOException {
      if (file == null) {
        file = Files.createTempFile(JOURNAL + Owner.self().mark() + "-", "");
      }
      Files.writeString(file, line + "\n", StandardOpenOption.APPEND);
    }

    /** Removes the file if nothing is left of what was noted. */
    synchronized void close() throws IOException {
      if (file != null && live.isEmpty()) {
        Files.deleteIfExists(file);
      }
    }
  }

  /** Returns the journal's entry of a folder; one that is made anew under its name is another. */
  private static String folder(Path path) throws IOException {
    return "folder %s %s".formatted(Files.getAttribute(path, "unix:ino"), path);
  }

  /** Ends and removes what is left in this machine's temporary files; returns what that was. */
  public static List<String> remove() {
    return remove(Path.of(System.getProperty("java.io.tmpdir")));
  }

  static List<String> remove(Path temporary) {
    Leftovers all = new Leftovers(temporary);
    if (!Files.exists(Path.of("/proc/self"))) {
      return List.of();
    }
    try {
      for (Path journal : all.ours(JOURNAL)) {
        for (String entry : entries(journal)) {
          all.remove(entry);
        }
        Files.deleteIfExists(journal);
      }
      for (Path folder : all.ours(WORKER)) {
        all.endWorker(folder);
        all.delete(folder, "temporary folder");
      }
    } catch (IOException | UnsupportedOperationException e) {
      all.removed.add("not all could be removed: " + e.getMessage());
    }
    return all.removed;
  }

  /** Returns files of this user whose names say that their owner has ended. */
  private List<Path> ours(String prefix) throws IOException {
    List<Path> ours = new ArrayList<>();
    Object user = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    try (DirectoryStream<Path> all = Files.newDirectoryStream(temporary, prefix + "*")) {
      for (Path each : all) {
        Optional<Owner> owner =
            Owner.marked(each.getFileName().toString().substring(prefix.length()));
        if (owner.isPresent()
            && !owner.get().lives()
            && Files.getAttribute(each, "unix:uid", LinkOption.NOFOLLOW_LINKS).equals(user)
            && !Files.isSymbolicLink(each)) {
          ours.add(each);
        }
      }
    }
    return ours;
  }

  /** Returns what a journal says is there, processes first. */
  private static List<String> entries(Path journal) throws IOException {
    Set<String> live = new LinkedHashSet<>();
    for (String line : Files.readAllLines(journal)) {
      if (line.startsWith("+")) {
        live.add(line.substring(1));
      } else if (line.startsWith("-")) {
        live.remove(line.substring(1));
      }
    }
    return live.stream().sorted(Comparator.reverseOrder()).toList();
  }

  private void remove(String entry) throws IOException {
    String[] words = entry.split(" ", 3);
    if (words[0].equals("process")) {
      Optional<Owner> process = Owner.marked(words[1]);
      if (process.isPresent() && process.get().lives()) {
        kill(process.get().pid(), "server");
      }
    } else if (words[0].equals("folder")) {
      Path path = Path.of(words[2]);
      if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS) && folder(path).equals(entry)) {
        delete(path, "data");
      }
    } else if (words[0].equals("keys")) {
      removed.add("not removed, as others may use that server: " + entry);
    }
  }

  /** A worker ends with its controller, unless it hangs. */
  private void endWorker(Path folder) {
    ProcessHandle.allProcesses()
        .filter(
            process ->
                process.info().commandLine().orElse("").contains("java.io.tmpdir=" + folder + " "))
        .forEach(process -> kill(process.pid(), "worker"));
  }

  private void kill(long pid, String what) {
    ProcessHandle.of(pid)
        .ifPresent(
            process -> {
              List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
              all.add(process);
              all.forEach(ProcessHandle::destroyForcibly);
              process.onExit().completeOnTimeout(process, KILL_SECONDS, TimeUnit.SECONDS).join();
              removed.add("%s (pid %d) is ended".formatted(what, pid));
            });
  }

  private void delete(Path folder, String what) throws IOException {
    new DataFolder(folder).delete();
    removed.add("%s '%s' is removed".formatted(what, folder));
  }
}

package kvrank.provision.host;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvrank.input.Reason;
import kvrank.input.TrustedPath;

/**
 * Servers, folders and workers that killed kvrank processes of this user left, which are removed,
 * keys on external servers, which are only reported, and the reasons for failures.
 */
public record Leftovers(List<String> removed, List<String> left) {

  private static final String WORKER = "kvrank-worker-";
  private static final String JOURNAL = "kvrank-owns-";
  private static final long KILL_SECONDS = 5;

  /** The bits of a mode that let others read, write or execute. */
  private static final int OF_OTHERS = 0077;

  private static final int LARGEST_JOURNAL = 1 << 20;

  private static final Pattern ENTRY =
      Pattern.compile(
          "process (?<process>" + Owner.MARK + ")|folder \\d+ (?<folder>/[^\\x00]*)|keys .*");

  /** Creates a temporary folder for a worker of this process. */
  public static Path workerFolder() throws IOException {
    Path temporary = TemporaryFolder.path();
    TrustedPath.createFolder(temporary); // it may have been removed
    return Files.createTempDirectory(temporary, WORKER + Owner.self().mark() + "-");
  }

  /** What this process has on this machine, in a file that outlives it. */
  static final class Journal {

    private final Path temporary;
    private final Map<String, String> live = new HashMap<>();
    private Path file;

    Journal(Path temporary) {
      this.temporary = temporary;
    }

    Path temporary() {
      return temporary;
    }

    /** Records something; a container's labels name its owner instead. */
    synchronized void add(Reaper.Kind kind, String value) throws IOException {
      switch (kind) {
        case PID -> add(value, "process " + Owner.of(Long.parseLong(value)).mark());
        case FOLDER -> add(value, folder(Path.of(value)));
        case KEYS -> add(value, "keys " + value);
        case CONTAINER -> {}
      }
    }

    private void add(String name, String entry) throws IOException {
      live.put(name, entry);
      append("+" + entry);
    }

    synchronized void remove(String name) throws IOException {
      String entry = live.remove(name);
      if (entry != null) {
        append("-" + entry);
      }
    }

    private void append(String line) throws IOException {
      if (file != null && Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
        Files.write(file, List.of(line), StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS);
        return;
      }
      // It is the first line, or the file was removed.
      TrustedPath.createFolder(temporary);
      file = Files.createTempFile(temporary, JOURNAL + Owner.self().mark() + "-", "");
      Files.write(file, live.values().stream().map("+"::concat).toList());
    }

    /** Removes the file if everything in it is gone. */
    synchronized void close() throws IOException {
      if (file != null && live.isEmpty()) {
        Files.deleteIfExists(file);
      }
    }
  }

  /** Returns the journal entry of a folder, with its inode: a later folder of that name differs. */
  private static String folder(Path path) throws IOException {
    return "folder %s %s".formatted(Files.getAttribute(path, "unix:ino"), path);
  }

  /** Ends and removes the leftovers in this machine's temporary files. */
  public static Leftovers remove() {
    return remove(TemporaryFolder.path());
  }

  static Leftovers remove(Path temporary) {
    Leftovers leftovers = new Leftovers(new ArrayList<>(), new ArrayList<>());
    Optional<String> problem = Optional.empty();
    try {
      problem = TrustedPath.problem(temporary);
    } catch (IOException e) {
      problem = Optional.of(Reason.located(e));
    }
    problem.ifPresent(leftovers.left::add);
    if (problem.isEmpty() && Files.exists(Path.of("/proc/self"))) {
      leftovers.attemptAll(temporary, JOURNAL + "*", leftovers::removeJournal);
      leftovers.attemptAll(temporary, WORKER + "*", leftovers::removeWorker);
      Children.orphans().forEach(daemon -> leftovers.kill(daemon.pid(), "process"));
    }
    return leftovers;
  }

  /** A step on a file or an entry that may fail without affecting the next. */
  private interface Removal {
    void of(Path file) throws IOException;
  }

  private void attemptAll(Path temporary, String names, Removal removal) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(temporary, names)) {
      for (Path file : files) {
        attempt(file, removal);
      }
    } catch (NoSuchFileException e) {
      // Nothing is left in a folder that is missing.
    } catch (IOException | DirectoryIteratorException e) {
      left.add("'%s' cannot be read: %s".formatted(temporary, Reason.of(e)));
    }
  }

  private boolean attempt(Path file, Removal removal) {
    try {
      removal.of(file);
      return true;
    } catch (NoSuchFileException e) {
      return true; // someone else removed it meanwhile
    } catch (IOException | UnsupportedOperationException e) {
      left.add("'%s' could not be removed: %s".formatted(file, Reason.located(e)));
      return false;
    }
  }

  /**
   * Returns whether {@code file} belongs to this user only and its name to an ended owner. Another
   * user may link a file of ours that all may write, such as the lock of the machine, to that name.
   */
  private static boolean ours(Path file) throws IOException {
    Object user = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    Map<String, Object> attributes =
        Files.readAttributes(file, "unix:uid,mode,nlink", LinkOption.NOFOLLOW_LINKS);
    boolean linked =
        !attributes.get("nlink").equals(1) && !Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS);
    return attributes.get("uid").equals(user)
        && ((int) attributes.get("mode") & OF_OTHERS) == 0
        && !linked
        && Owner.marked(file.getFileName().toString()).filter(Owner::hasEnded).isPresent();
  }

  private void removeJournal(Path journal) throws IOException {
    if (Files.isRegularFile(journal, LinkOption.NOFOLLOW_LINKS) && ours(journal)) {
      boolean done = true;
      for (String entry : entries(journal)) {
        done &= attempt(journal, file -> remove(entry, file));
      }
      if (done) {
        Files.deleteIfExists(journal);
      }
    }
  }

  private void removeWorker(Path folder) throws IOException {
    if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS) && ours(folder)) {
      endWorker(folder);
      delete(folder, "temporary folder");
    }
  }

  /** Returns the live entries of a journal, processes first. */
  private static List<String> entries(Path journal) throws IOException {
    String text;
    try (InputStream in = Files.newInputStream(journal, LinkOption.NOFOLLOW_LINKS)) {
      text = new String(in.readNBytes(LARGEST_JOURNAL), UTF_8);
    }
    Set<String> live = new LinkedHashSet<>();
    for (String line : text.lines().toList()) {
      if (line.startsWith("-")) {
        live.remove(line.substring(1));
      } else if (!line.isEmpty()) {
        live.add(line.startsWith("+") ? line.substring(1) : line);
      }
    }
    return live.stream().sorted(Comparator.reverseOrder()).toList();
  }

  /** Removes what an entry names, and reports one truncated by a full disk or power cut. */
  private void remove(String entry, Path journal) throws IOException {
    Matcher words = ENTRY.matcher(entry);
    if (!words.matches()) {
      left.add("'%s' is broken; its files or processes may remain".formatted(journal));
    } else if (words.group("process") != null) {
      Owner process = Owner.marked(words.group("process")).orElseThrow();
      if (process.lives()) {
        kill(process.pid(), "server");
      }
    } else if (words.group("folder") != null) {
      Path path = Path.of(words.group("folder"));
      if (Files.isSymbolicLink(path)) {
        throw new FileSystemException(
            path.toString(), null, "is a link now, and is not followed; remove both by hand");
      }
      if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS) && folder(path).equals(entry)) {
        TrustedPath.require(path);
        delete(path, "data");
      }
    } else {
      removed.add("not removed, as others may use that server: " + entry);
    }
  }

  /** A worker ends with its controller unless it hangs. Others may use its words. */
  private void endWorker(Path folder) {
    ProcessHandle.allProcesses()
        .filter(
            process ->
                process.info().commandLine().orElse("").contains("java.io.tmpdir=" + folder + " "))
        .filter(Children::isOurs)
        // Its pid namespace ends with any of the three.
        .findFirst()
        .ifPresent(process -> kill(process.pid(), "worker"));
  }

  private void kill(long pid, String what) {
    ProcessHandle.of(pid)
        .ifPresent(
            process -> {
              List<ProcessHandle> processes = new ArrayList<>(process.descendants().toList());
              processes.add(process);
              processes.forEach(ProcessHandle::destroyForcibly);
              // What a server started may write to the data that is removed next.
              CompletableFuture.allOf(
                      processes.stream()
                          .map(ProcessHandle::onExit)
                          .toArray(CompletableFuture<?>[]::new))
                  .completeOnTimeout(null, KILL_SECONDS, TimeUnit.SECONDS)
                  .join();
              removed.add("%s (pid %d) is ended".formatted(what, pid));
            });
  }

  private void delete(Path folder, String what) throws IOException {
    new DataFolder(folder).delete();
    removed.add("%s '%s' is removed".formatted(what, folder));
  }
}

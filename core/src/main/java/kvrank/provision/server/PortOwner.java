package kvrank.provision.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Finds the owner of a port or a Unix socket: after a lost race for a port, kvrank would measure
 * another server.
 */
record PortOwner(Path proc) {

  private static final String LISTENING = "0A";
  private static final String ACCEPTS = "00010000";

  /** Returns the listening one among {@code process} and its descendants; itself without /proc. */
  OptionalLong among(ProcessHandle process, ServerAddress place) {
    if (!Files.isReadable(proc.resolve("net/tcp"))) {
      return OptionalLong.of(process.pid());
    }
    try {
      return among(process, listening(place).keySet());
    } catch (IOException e) {
      return OptionalLong.of(process.pid());
    }
  }

  private OptionalLong among(ProcessHandle process, Set<String> sockets) {
    return Stream.concat(Stream.of(process), process.descendants())
        .mapToLong(ProcessHandle::pid)
        .filter(pid -> holds(pid, sockets, true))
        .findFirst();
  }

  /**
   * Returns whether {@code process} or a descendant listens at {@code place}; true without /proc.
   *
   * @param daemons those that left the process, which are not ready, but no strangers either
   * @throws PortTakenException if another program listens there
   */
  boolean answers(ServerAddress place, ProcessHandle process, Supplier<List<ProcessHandle>> daemons)
      throws PortTakenException {
    if (!Files.isReadable(proc.resolve("net/tcp"))) {
      return true;
    }
    try {
      SortedMap<String, String> sockets = listening(place);
      if (sockets.isEmpty() || among(process, sockets.keySet()).isPresent()) {
        return !sockets.isEmpty();
      }
      if (place.socket().isPresent() // in a folder that only this user opens
          || daemons.get().stream().anyMatch(each -> holds(each.pid(), sockets.keySet(), true))) {
        return false;
      }
      // Our process may have ended since its socket was seen.
      sockets.keySet().retainAll(listening(place).keySet());
      if (sockets.isEmpty()) {
        return false;
      }
      throw new PortTakenException(place, program(sockets));
    } catch (IOException e) {
      return true;
    }
  }

  /** Returns the program that listens at {@code place}, as far as it is known. */
  String program(ServerAddress place) {
    try {
      SortedMap<String, String> sockets = listening(place);
      return sockets.isEmpty() ? "another program" : program(sockets);
    } catch (IOException e) {
      return "another program";
    }
  }

  private String program(SortedMap<String, String> sockets) {
    OptionalLong pid =
        ProcessHandle.allProcesses()
            .mapToLong(ProcessHandle::pid)
            .filter(each -> holds(each, sockets.keySet(), false))
            .findFirst();
    return "a program of user %s%s"
        .formatted(
            sockets.get(sockets.firstKey()),
            pid.isPresent() ? " (pid " + pid.getAsLong() + ")" : "");
  }

  /** Returns those that listen at {@code place} and work in {@code folder}; none without /proc. */
  List<Long> in(Path folder, ServerAddress place) {
    List<Long> found = new ArrayList<>();
    try {
      Set<String> sockets = listening(place).keySet();
      Path real = folder.toRealPath();
      if (!sockets.isEmpty()) {
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[1-9]*")) {
          for (Path process : processes) {
            long pid = Long.parseLong(process.getFileName().toString());
            if (worksIn(process, real) && holds(pid, sockets, true)) {
              found.add(pid);
            }
          }
        }
      }
    } catch (IOException e) {
      // There is no /proc, or the folder is gone.
    }
    return found;
  }

  private static boolean worksIn(Path process, Path folder) {
    try {
      return Files.readSymbolicLink(process.resolve("cwd")).startsWith(folder);
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Returns the sockets that answer at {@code place}, as {@code /proc/PID/fd} links name them, with
   * the user of each. One at the very address answers before one at all addresses.
   */
  SortedMap<String, String> listening(ServerAddress place) throws IOException {
    SortedMap<String, String> sockets = new TreeMap<>();
    if (place.socket().isPresent()) {
      String path = place.socket().get().toString();
      for (String[] columns : table("net/unix")) {
        if (columns.length > 7 && columns[3].equals(ACCEPTS) && columns[7].equals(path)) {
          sockets.put("socket:[" + columns[6] + "]", "");
        }
      }
      return sockets;
    }
    List<String[]> listeners =
        Stream.concat(table("net/tcp").stream(), table("net/tcp6").stream())
            .filter(columns -> columns.length > 9 && columns[3].equals(LISTENING))
            .toList();
    for (String address : KernelAddress.listening(place)) {
      for (String[] columns : sockets.isEmpty() ? listeners : List.<String[]>of()) {
        if (columns[1].equals(address)) {
          sockets.put("socket:[" + columns[9] + "]", columns[7]);
        }
      }
    }
    return sockets;
  }

  /** Returns the columns of each line; the last of {@code net/unix} is a path with its spaces. */
  private List<String[]> table(String name) throws IOException {
    Path file = proc.resolve(name);
    int columns = name.equals("net/unix") ? 8 : -1;
    return Files.isReadable(file)
        ? Files.readAllLines(file, ISO_8859_1).stream()
            .map(line -> line.strip().split("\\s+", columns))
            .toList()
        : List.of();
  }

  /** Returns whether a process holds one; {@code unreadable} if its sockets cannot be read. */
  private boolean holds(long pid, Set<String> sockets, boolean unreadable) {
    try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(proc.resolve(pid + "/fd"))) {
      for (Path descriptor : descriptors) {
        try {
          if (sockets.contains(Files.readSymbolicLink(descriptor).toString())) {
            return true;
          }
        } catch (IOException closed) {
          // The next one may match.
        }
      }
      return false;
    } catch (NoSuchFileException | DirectoryIteratorException e) {
      return false;
    } catch (IOException e) {
      // Processes with capabilities are not readable: assume that ours is the owner.
      return unreadable && !sockets.isEmpty();
    }
  }
}

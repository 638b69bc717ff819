package kvrank.provision.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
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
      Set<String> sockets = listening(place);
      return Stream.concat(Stream.of(process), process.descendants())
          .mapToLong(ProcessHandle::pid)
          .filter(pid -> holds(pid, sockets))
          .findFirst();
    } catch (IOException e) {
      return OptionalLong.of(process.pid());
    }
  }

  /** Returns those that listen at {@code place} and work in {@code folder}; none without /proc. */
  List<Long> in(Path folder, ServerAddress place) {
    List<Long> found = new ArrayList<>();
    try {
      Set<String> sockets = listening(place);
      Path real = folder.toRealPath();
      if (!sockets.isEmpty()) {
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[1-9]*")) {
          for (Path process : processes) {
            long pid = Long.parseLong(process.getFileName().toString());
            if (worksIn(process, real) && holds(pid, sockets)) {
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

  /** Returns the sockets that listen at {@code place}, as {@code /proc/PID/fd} links name them. */
  Set<String> listening(ServerAddress place) throws IOException {
    Set<String> sockets = new HashSet<>();
    if (place.socket().isPresent()) {
      String path = place.socket().get().toString();
      for (String[] columns : table("net/unix")) {
        if (columns.length > 7 && columns[3].equals(ACCEPTS) && columns[7].equals(path)) {
          sockets.add("socket:[" + columns[6] + "]");
        }
      }
      return sockets;
    }
    String suffix = ":%04X".formatted(place.port());
    for (String table : List.of("net/tcp", "net/tcp6")) {
      for (String[] columns : table(table)) {
        if (columns.length > 9 && columns[1].endsWith(suffix) && columns[3].equals(LISTENING)) {
          sockets.add("socket:[" + columns[9] + "]");
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

  private boolean holds(long pid, Set<String> sockets) {
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
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException e) {
      // Processes with capabilities are not readable: assume that it is the owner.
      return !sockets.isEmpty();
    }
  }
}

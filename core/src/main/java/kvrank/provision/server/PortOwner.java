package kvrank.provision.server;

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

/** Finds a port's owner: after a lost race for it, kvrank would measure another server. */
record PortOwner(Path proc) {

  private static final String LISTENING = "0A";

  /** Returns the listening one among {@code process} and its descendants; itself without /proc. */
  OptionalLong among(ProcessHandle process, int port) {
    if (!Files.isReadable(proc.resolve("net/tcp"))) {
      return OptionalLong.of(process.pid());
    }
    try {
      Set<String> sockets = listening(port);
      return Stream.concat(Stream.of(process), process.descendants())
          .mapToLong(ProcessHandle::pid)
          .filter(pid -> holds(pid, sockets))
          .findFirst();
    } catch (IOException e) {
      return OptionalLong.of(process.pid());
    }
  }

  /** Returns those that listen on {@code port} and work in {@code folder}; none without /proc. */
  List<Long> in(Path folder, int port) {
    List<Long> found = new ArrayList<>();
    try {
      Set<String> sockets = listening(port);
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

  /** Returns the sockets that listen on {@code port}, as {@code /proc/PID/fd} links name them. */
  Set<String> listening(int port) throws IOException {
    String suffix = ":%04X".formatted(port);
    Set<String> sockets = new HashSet<>();
    for (String table : List.of("net/tcp", "net/tcp6")) {
      Path file = proc.resolve(table);
      for (String line : Files.isReadable(file) ? Files.readAllLines(file) : List.<String>of()) {
        String[] columns = line.strip().split("\\s+", -1);
        if (columns.length > 9 && columns[1].endsWith(suffix) && columns[3].equals(LISTENING)) {
          sockets.add("socket:[" + columns[9] + "]");
        }
      }
    }
    return sockets;
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

package kvrank.provision.server;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds which process listens on a port. Whoever lost the race for a free port would otherwise
 * measure the server that won it.
 *
 * @param proc {@code /proc}, or what stands for it
 */
record PortOwner(Path proc) {

  private static final String LISTENING = "0A";

  /** Returns which of these listens, if any; {@code process} where the system does not say. */
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
          // Meanwhile; the next one may do.
        }
      }
      return false;
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException e) {
      // Not ours to look into, as a process with capabilities is: it gets the benefit of the doubt.
      return !sockets.isEmpty();
    }
  }
}

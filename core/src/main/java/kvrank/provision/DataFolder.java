package kvrank.provision;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.SortedMap;

/** The fresh folder of one server, and its end. */
final class DataFolder {

  private final Path path;

  private DataFolder(Path path) {
    this.path = path;
  }

  /**
   * Makes the folder.
   *
   * @throws ProvisionException if it exists already or cannot be made
   */
  static DataFolder create(Path path) throws ProvisionException {
    Path absolute = path.toAbsolutePath().normalize();
    try {
      if (absolute.getParent() != null) {
        Files.createDirectories(absolute.getParent());
      }
      Files.createDirectory(absolute);
      return new DataFolder(absolute);
    } catch (FileAlreadyExistsException e) {
      throw new ProvisionException(
          "the data folder '%s' exists already; a run needs a fresh one".formatted(e.getFile()), e);
    } catch (IOException e) {
      throw new ProvisionException(
          "the data folder '%s' cannot be made: %s".formatted(absolute, e), e);
    }
  }

  /** Returns the folder, absolute. */
  Path path() {
    return path;
  }

  /** Writes the files that the server wants to find, by their names below the folder. */
  void write(SortedMap<String, String> files) throws ProvisionException {
    for (Map.Entry<String, String> each : files.entrySet()) {
      Path file = path.resolve(each.getKey()).normalize();
      if (!file.startsWith(path)) {
        throw new ProvisionException(
            "the file '%s' would be outside the data folder".formatted(each.getKey()));
      }
      try {
        Files.createDirectories(file.getParent());
        Files.writeString(file, each.getValue());
      } catch (IOException e) {
        throw new ProvisionException("'%s' cannot be written: %s".formatted(file, e), e);
      }
    }
  }

  /**
   * Deletes the folder and all in it; does nothing if it is gone.
   *
   * @throws IOException if something is left; it names the first such file, the rest is suppressed
   */
  void delete() throws IOException {
    Deletion deletion = new Deletion();
    Files.walkFileTree(path, deletion);
    if (deletion.failure != null) {
      throw new IOException(
          "'%s' is not all deleted: %s".formatted(path, deletion.failure), deletion.failure);
    }
  }

  /** Goes on after a failure, so that as little as possible is left. */
  private static final class Deletion extends SimpleFileVisitor<Path> {

    private IOException failure;

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      return delete(file);
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) {
      return e instanceof NoSuchFileException ? FileVisitResult.CONTINUE : failed(e);
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, IOException e) {
      return delete(folder);
    }

    private FileVisitResult delete(Path file) {
      try {
        Files.deleteIfExists(file);
        return FileVisitResult.CONTINUE;
      } catch (IOException e) {
        return failed(e);
      }
    }

    private FileVisitResult failed(IOException e) {
      if (failure == null) {
        failure = e;
      } else {
        failure.addSuppressed(e);
      }
      return FileVisitResult.CONTINUE;
    }
  }
}

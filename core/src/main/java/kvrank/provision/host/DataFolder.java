package kvrank.provision.host;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import kvrank.failure.Cause;
import kvrank.input.Reason;
import kvrank.input.TrustedPath;

/** The data folder of one server, by its absolute path. */
public record DataFolder(Path path) {

  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private static final FileAttribute<?> PRIVATE_FOLDER =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  /** Creates the folder, into which only this user can look. */
  public static DataFolder create(Path path) throws ProvisionException {
    Path absolute = path.toAbsolutePath().normalize();
    try {
      TrustedPath.createFolder(absolute.getParent());
      Files.createDirectory(absolute, PRIVATE_FOLDER);
      return new DataFolder(absolute);
    } catch (FileAlreadyExistsException e) {
      throw new ProvisionException(
          "the data folder '%s' exists already; a run needs a fresh one".formatted(e.getFile()), e);
    } catch (IOException e) {
      throw new ProvisionException(
          "the data folder '%s' cannot be created: %s".formatted(absolute, Reason.located(e)), e);
    }
  }

  /** Writes files into the folder, readable only by this user if {@code secret}. */
  public void write(SortedMap<String, String> files, boolean secret) throws ProvisionException {
    for (Map.Entry<String, String> entry : files.entrySet()) {
      Path file = path.resolve(entry.getKey()).normalize();
      if (!file.startsWith(path)) {
        throw new ProvisionException(
            Cause.INPUT,
            "the file '%s' would be outside the data folder".formatted(entry.getKey()));
      }
      try {
        Files.createDirectories(file.getParent());
        if (secret) {
          Files.deleteIfExists(file);
          Files.createFile(file, OWNER_ONLY);
        }
        Files.writeString(file, entry.getValue());
      } catch (IOException e) {
        throw new ProvisionException("'%s' cannot be written: %s".formatted(file, Reason.of(e)), e);
      }
    }
  }

  /** Removes files with secrets, which the server has read. */
  public void forget(Set<String> files) throws ProvisionException {
    for (String name : files) {
      try {
        Files.deleteIfExists(path.resolve(name));
      } catch (IOException e) {
        throw new ProvisionException(
            "'%s' cannot be removed: %s".formatted(path.resolve(name), Reason.of(e)), e);
      }
    }
  }

  /** Deletes the folder if it exists; throws if something remains, and names the first. */
  public void delete() throws IOException {
    IOException failure = delete(path, null);
    if (failure != null) {
      throw new IOException(
          "'%s' was not fully deleted: %s".formatted(path, Reason.located(failure)), failure);
    }
  }

  /** Continues after a failure, so that little remains; returns the first failure. */
  private static IOException delete(Path file, IOException before) {
    IOException failure = before;
    try {
      if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
        try (DirectoryStream<Path> children = Files.newDirectoryStream(file)) {
          for (Path child : children) {
            failure = delete(child, failure);
          }
        }
      }
      Files.deleteIfExists(file);
    } catch (NoSuchFileException gone) {
      // Engines remove files, too.
    } catch (IOException | DirectoryIteratorException e) {
      IOException cause =
          e instanceof DirectoryIteratorException in ? in.getCause() : (IOException) e;
      if (failure == null) {
        return cause;
      }
      failure.addSuppressed(cause);
    }
    return failure;
  }
}

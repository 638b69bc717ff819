package kvrank.input;

import java.io.FileNotFoundException;
import java.io.UncheckedIOException;
import java.net.UnknownHostException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Explains failures of files, programs or the network to a reader, as text. */
public final class Reason {

  /** Messages of the system, with a meaning or a next step for a user. */
  private static final Map<String, String> ADVICE =
      Map.of(
          "No space left on device",
          "free some space",
          "Disk quota exceeded",
          "free some space",
          "Read-only file system",
          "mount it for writing",
          "Not a directory",
          "a folder in the path is a file",
          "Connection reset",
          "maybe the server needs TLS ('tls: true')",
          "Too many open files",
          "run 'ulimit -n' with a higher number in this shell, before kvrank",
          "Resource temporarily unavailable",
          "run 'ulimit -u' with a higher number in this shell, before kvrank",
          "Cannot allocate memory",
          "the machine has too little free memory");

  /** The meaning of failures, independent of their message. */
  private static final Map<Class<?>, String> MEANINGS =
      Map.of(
          NoSuchFileException.class, "it does not exist",
          NotDirectoryException.class, "it is not a folder",
          DirectoryNotEmptyException.class, "another process has added something to it",
          AccessDeniedException.class, "no permission",
          UnknownHostException.class, "unknown host");

  private static final Pattern PROGRAM =
      Pattern.compile(
          "Cannot run program \"(.*?)\"(?: \\(in directory \"(.*)\"\\))?: "
              + "(?:error=\\d+, |Exec failed, error: \\d+ \\()(.*?)\\)?");

  /** The form of messages from classes older than {@code java.nio}. */
  private static final Pattern FILE = Pattern.compile("(.*) \\(([^()]*)\\)");

  private Reason() {}

  /** Returns the reason, for a caller that names the file. */
  public static String of(Exception failure) {
    Exception cause = cause(failure);
    if (MEANINGS.containsKey(cause.getClass())) {
      return MEANINGS.get(cause.getClass());
    } else if (cause instanceof FileAlreadyExistsException exists) {
      return Files.isDirectory(Path.of(exists.getFile())) ? "it exists already" : "it is a file";
    } else if (cause instanceof CharacterCodingException) {
      return "it is not UTF-8 text";
    } else if (cause instanceof FileSystemException system && system.getReason() != null) {
      return advised(system.getReason());
    }
    String message = cause.getMessage();
    if (message == null) {
      return cause instanceof RuntimeException ? defect(cause) : "the system gives no reason";
    }
    if (cause instanceof FileNotFoundException) {
      Matcher old = FILE.matcher(message);
      return old.matches() ? advised(old.group(2)) : message;
    }
    Matcher program = PROGRAM.matcher(message);
    if (program.matches()) {
      String folder = program.group(2) == null ? "" : " in '" + program.group(2) + "'";
      return "'%s' cannot be run%s: %s"
          .formatted(program.group(1), folder, advised(program.group(3)));
    }
    return cause instanceof RuntimeException ? defect(cause) : advised(message);
  }

  /** Returns the reason, with the file if there is one. */
  public static String located(Exception failure) {
    Exception cause = cause(failure);
    String file = null;
    if (cause instanceof FileSystemException system) {
      file = system.getFile();
    } else if (cause instanceof FileNotFoundException && cause.getMessage() != null) {
      Matcher old = FILE.matcher(cause.getMessage());
      file = old.matches() ? old.group(1) : null;
    }
    return file == null ? of(cause) : "'%s': %s".formatted(file, of(cause));
  }

  private static Exception cause(Exception failure) {
    return failure instanceof UncheckedIOException unchecked
        ? unchecked.getCause()
        : failure instanceof DirectoryIteratorException in ? in.getCause() : failure;
  }

  private static String advised(String said) {
    String advice = ADVICE.get(said);
    return advice == null ? said : said + "; " + advice;
  }

  private static String defect(Exception e) {
    return "a defect of kvrank: %s; please report it".formatted(e);
  }
}

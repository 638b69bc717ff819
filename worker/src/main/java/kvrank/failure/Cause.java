package kvrank.failure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Who is to blame for a failure: decided by types, exit statuses and the state of the machine,
 * never by the words of a message.
 */
public enum Cause {
  /** The engine or its server failed, or refused a request. */
  ENGINE,

  /** A full or read-only disk, no more files, memory or processes, or a suspended machine. */
  MACHINE,

  /** A defect of kvrank, or a failure of its worker or its load generators. */
  HARNESS,

  /** A setting of the user made it impossible. */
  INPUT,

  /** Someone else ended a process or removed a file. */
  OUTSIDER;

  /**
   * Returns the cause of an exception in kvrank's code: an outsider removed a missing file, the
   * machine caused other failures of files and processes, and the rest are defects.
   */
  public static Cause of(Throwable thrown) {
    if (thrown instanceof FailureException known) {
      return known.failureCause();
    }
    if (thrown instanceof UncheckedIOException || thrown instanceof DirectoryIteratorException) {
      return of(thrown.getCause());
    }
    if (thrown instanceof NoSuchFileException) {
      return OUTSIDER;
    }
    return thrown instanceof IOException ? MACHINE : HARNESS;
  }

  /** Returns the cause if {@code program}, which was present earlier, cannot be started. */
  public static Cause ofStart(String program) {
    return program.contains("/") && !Files.exists(Path.of(program)) ? OUTSIDER : MACHINE;
  }

  /** Returns whether {@code --resume} repeats a run that failed for this cause. */
  public boolean worthAnotherTry() {
    return switch (this) {
      case ENGINE, INPUT -> false;
      case MACHINE, HARNESS, OUTSIDER -> true;
    };
  }

  /** Returns the name in lower case, as in files. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}

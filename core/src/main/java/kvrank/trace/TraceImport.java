package kvrank.trace;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import kvrank.workload.trace.TraceException;
import kvrank.workload.trace.TraceWriter;

/** Makes a trace of what was recorded. */
public final class TraceImport {

  private TraceImport() {}

  /**
   * Imports what messages call {@code name}, of its stated format or the one that it begins as, to
   * {@code file}, whole or not at all; returns what was imported, in a sentence.
   */
  public static String of(
      String name, InputStream recorded, Optional<TraceFormat> format, Path file)
      throws IOException {
    Path part = Path.of(file + ".part");
    try {
      Files.createFile(part);
    } catch (FileAlreadyExistsException e) {
      throw new TraceException(
          part + ": is what another import writes, or one that was killed left; remove it");
    }
    part.toFile().deleteOnExit();
    try (TraceInput in = TraceInput.open(name, recorded);
        TraceWriter out = new TraceWriter(part)) {
      TraceBuilder builder = new TraceBuilder(in, out);
      TraceFormat found = TraceFormat.of(in, format);
      found.read(in, builder);
      String imported = builder.end(found.label());
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
      return imported;
    } finally {
      Files.deleteIfExists(part);
    }
  }
}

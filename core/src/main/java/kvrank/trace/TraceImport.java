package kvrank.trace;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import kvrank.workload.trace.TraceException;
import kvrank.workload.trace.TraceWriter;

/** Imports a recording as a trace. */
public final class TraceImport {

  private TraceImport() {}

  /**
   * Imports a recording, which messages call {@code name}, to {@code file}, completely or not at
   * all. The format is the given one, or detected from the start; {@code columns} names those of
   * {@link TraceFormat#CSV}, empty for its header line. Returns a sentence that sums up the import.
   */
  @SuppressWarnings("try") // a failure of the removal does not hide one of the import
  public static String of(
      String name,
      InputStream recorded,
      Optional<TraceFormat> format,
      List<String> columns,
      Path file)
      throws IOException {
    Path part = Path.of(file + ".part");
    try {
      Files.createFile(part);
    } catch (FileAlreadyExistsException e) {
      throw new TraceException(
          part
              + ": another import is writing it, or a killed import left it; in that case, remove"
              + " it");
    }
    part.toFile().deleteOnExit();
    try (Closeable removal = () -> Files.deleteIfExists(part);
        TraceInput in = TraceInput.open(name, recorded);
        TraceWriter out = new TraceWriter(part)) {
      TraceBuilder builder = new TraceBuilder(in, out);
      TraceFormat found = TraceFormat.of(in, format);
      found.read(in, builder, columns);
      String imported = builder.end(found.label());
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
      return imported;
    }
  }
}

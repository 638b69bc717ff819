package kvrank.results.pack;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import kvrank.input.InputFile;
import kvrank.input.Reason;
import kvrank.input.TrustedPath;
import kvrank.results.ExecutionResults;
import kvrank.results.ResultsDirectory;
import kvrank.results.UnreadableException;
import org.apache.commons.codec.digest.DigestUtils;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/**
 * A pack in a temporary folder, which closing it removes. An archive may come from a stranger: it
 * can write nowhere else, and neither take more than a limited amount of storage nor of memory.
 */
public final class OpenedPack implements AutoCloseable {

  /** A file of results may have 64 MiB; an entry's own headers take some more. */
  private static final long MOST_OF_ENTRY = (64L + 1) << 20;

  private static final long MOST_OF_ALL = 2L << 30;

  /** The longest name takes 2 KiB of headers, and the end of an archive up to 11 KiB. */
  private static final long MOST_OF_HEADERS = 16L << 10;

  private static final int MOST_FILES = 100_000;

  private final Path archive;
  private final Path folder;

  /** Removes the files if the JVM ends before {@link #close}. */
  private final Thread atExit = new Thread(this::remove, "pack-remover");

  private boolean removed;

  /** The SHA-256 by name of each file. */
  private final SortedMap<String, String> sums = new TreeMap<>();

  private OpenedPack(Path archive, Path folder) {
    this.archive = archive;
    this.folder = folder;
  }

  /** Returns whether {@code path} is named like an archive. */
  public static boolean isNamed(String path) {
    return path.endsWith(".tar.gz") || path.endsWith(".tgz");
  }

  /**
   * Unpacks an archive.
   *
   * @throws UnreadableException if it is broken, too large, or has other files than a pack
   */
  public static OpenedPack of(Path archive) throws UnreadableException, IOException {
    return of(archive, Path.of(System.getProperty("java.io.tmpdir")));
  }

  static OpenedPack of(Path archive, Path temporary) throws UnreadableException, IOException {
    TrustedPath.createFolder(temporary);
    OpenedPack pack = new OpenedPack(archive, Files.createTempDirectory(temporary, "kvrank-pack-"));
    Runtime.getRuntime().addShutdownHook(pack.atExit);
    try {
      pack.unpack();
      pack.requireSums();
      return pack;
    } catch (UnreadableException | IOException | RuntimeException | Error e) {
      try {
        pack.close();
      } catch (UncheckedIOException left) {
        e.addSuppressed(left);
      }
      throw e;
    }
  }

  /** Returns the executions in it, in the order of their names. */
  public List<ResultsDirectory> executions() {
    return sums.keySet().stream()
        .filter(name -> name.endsWith("/" + PackLayout.PLAN))
        .map(name -> name.substring(0, name.length() - PackLayout.PLAN.length() - 1))
        .sorted()
        .map(name -> new ResultsDirectory(folder.resolve(name)))
        .toList();
  }

  /**
   * Reads one of {@link #executions}. Messages have the places in the archive, and no command that
   * needs a folder.
   */
  public ExecutionResults read(ResultsDirectory execution) throws UnreadableException {
    String unpacked = folder + "/";
    try {
      ExecutionResults read = execution.read("");
      return read.with(read.unreadable().stream().map(text -> text.replace(unpacked, "")).toList());
    } catch (UnreadableException e) {
      throw new UnreadableException(archive + ": " + e.getMessage().replace(unpacked, ""));
    }
  }

  SortedMap<String, String> sums() {
    return sums;
  }

  Path folder() {
    return folder;
  }

  private void unpack() throws UnreadableException, IOException {
    try (Bounded file = new Bounded(new BufferedInputStream(InputFile.open(archive)));
        Bounded bounded = new Bounded(new GZIPInputStream(file));
        TarArchiveInputStream tar = new TarArchiveInputStream(bounded, UTF_8.name())) {
      while (true) {
        bounded.next(MOST_OF_HEADERS);
        TarArchiveEntry entry = tar.getNextEntry();
        if (entry == null) {
          break;
        }
        file.next(MOST_OF_ENTRY);
        bounded.next(MOST_OF_ENTRY);
        // The reader keeps global headers until the end: other keys would fill the memory.
        if (!entry.getExtraPaxHeaders().isEmpty()) {
          throw refused(entry.getName(), "has headers with other keys");
        }
        if (!entry.isDirectory()) {
          extract(entry, tar);
        }
      }
    } catch (TooLargeException e) {
      throw new UnreadableException(archive + ": " + e.getMessage());
    } catch (IOException | IllegalArgumentException e) {
      if (Files.isReadable(archive)) {
        throw new UnreadableException(
            "%s: is not an archive of 'kvrank pack', or is broken: %s; copy it again"
                .formatted(archive, e.getMessage() == null ? "it ends too early" : e.getMessage()));
      }
      throw new UnreadableException(archive + ": cannot be read: " + Reason.of(e));
    } catch (StackOverflowError e) {
      // Both readers call themselves after an empty member, and after a header of a header.
      throw new UnreadableException(
          archive + ": is not an archive of 'kvrank pack': too many of its parts are empty");
    }
  }

  private synchronized void extract(TarArchiveEntry entry, InputStream content)
      throws UnreadableException, IOException {
    if (removed) {
      throw new IOException("kvrank was interrupted");
    }
    String name = entry.getName().replaceFirst("^\\./", "");
    if (entry.getLinkFlag() != TarConstants.LF_NORMAL || entry.isSparse()) {
      throw refused(name, "is not a plain file");
    }
    if (!PackLayout.has(name)) {
      throw refused(name, "is not a file of results");
    }
    if (sums.containsKey(name)) {
      throw refused(name, "occurs twice");
    }
    if (sums.size() >= MOST_FILES) {
      throw refused(name, "is one of more than %,d".formatted(MOST_FILES));
    }
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    MessageDigest digest = DigestUtils.getSha256Digest();
    try (OutputStream out =
        new DigestOutputStream(
            Files.newOutputStream(file, StandardOpenOption.CREATE_NEW), digest)) {
      content.transferTo(out);
    }
    sums.put(name, HexFormat.of().formatHex(digest.digest()));
  }

  private UnreadableException refused(String name, String why) {
    String shown = name.length() > 100 ? name.substring(0, 99) + "…" : name;
    return new UnreadableException(
        "%s: the entry '%s' %s; 'kvrank pack' never writes that"
            .formatted(archive, shown.replaceAll("\\p{Cntrl}", "\uFFFD"), why));
  }

  /** Throws unless the list of sums has every file with its sum, and no other. */
  private void requireSums() throws UnreadableException, IOException {
    if (sums.remove(PackLayout.SUMS) == null) {
      throw new UnreadableException(
          "%s: has no %s; make it with 'kvrank pack'".formatted(archive, PackLayout.SUMS));
    }
    Map<String, String> listed =
        new String(Files.readAllBytes(folder.resolve(PackLayout.SUMS)), UTF_8)
            .lines()
            .filter(line -> line.matches("[0-9a-f]{64} [ *].+"))
            .collect(
                Collectors.toMap(
                    line -> line.substring(66),
                    line -> line.substring(0, 64),
                    (first, second) -> second));
    Set<String> names = new TreeSet<>(sums.keySet());
    names.addAll(listed.keySet());
    for (String name : names) {
      if (!sums.getOrDefault(name, "").equals(listed.getOrDefault(name, ""))) {
        throw new UnreadableException(
            "%s: '%s' %s; make the archive again with 'kvrank pack'"
                .formatted(
                    archive,
                    name,
                    !sums.containsKey(name)
                        ? "is missing"
                        : listed.containsKey(name)
                            ? "was changed: its SHA-256 is not that in " + PackLayout.SUMS
                            : "is not listed in " + PackLayout.SUMS));
      }
    }
    if (executions().isEmpty()) {
      throw new UnreadableException(archive + ": has no execution");
    }
  }

  /** Removes the files. */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      return; // the JVM ends, and does it
    }
    remove();
  }

  private synchronized void remove() {
    removed = true;
    try (Stream<Path> left = Files.walk(folder)) {
      for (Path path : (Iterable<Path>) left.sorted(Comparator.reverseOrder())::iterator) {
        Files.delete(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An archive inflates beyond the limits. */
  private static final class TooLargeException extends IOException {

    private static final long serialVersionUID = 1L;

    private TooLargeException(String most) {
      super("has more than " + most);
    }
  }

  /** Ends a stream that gives more than an entry or an archive may have. */
  private static final class Bounded extends FilterInputStream {

    private long most = MOST_OF_ENTRY;
    private long ofPart;
    private long ofAll;

    private Bounded(InputStream in) {
      super(in);
    }

    /** Begins a part of at most {@code most} bytes: the headers of an entry, or its content. */
    private void next(long most) {
      this.most = most;
      ofPart = 0;
    }

    private long count(long read) throws TooLargeException {
      ofPart += Math.max(0, read);
      ofAll += Math.max(0, read);
      if (ofAll > MOST_OF_ALL) {
        throw new TooLargeException("%,d MiB".formatted(MOST_OF_ALL >> 20));
      } else if (ofPart > most) {
        throw new TooLargeException(
            most == MOST_OF_HEADERS
                ? "%d KiB of headers for one file".formatted(most >> 10)
                : "%d MiB for one file".formatted(most >> 20));
      }
      return read;
    }

    @Override
    public int read() throws IOException {
      int read = super.read();
      count(read < 0 ? 0 : 1);
      return read;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      return (int) count(super.read(bytes, offset, length));
    }

    @Override
    public long skip(long bytes) throws IOException {
      return count(super.skip(bytes));
    }
  }
}

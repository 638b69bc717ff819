package kvrank.provision;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNullElse;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import kvrank.input.Reason;
import kvrank.provision.MethodStatus.State;
import kvrank.provision.host.Executables;

/**
 * An engine's native library by its absolute path, with the reason for its absence.
 *
 * <p>A module's build puts it into {@code target/native/<platform>}, or a file with the reason:
 * {@code NAME.missing} if something must be installed, {@code NAME.broken} otherwise.
 */
record NativeLibrary(Path file, State state, Optional<String> absence) {

  /** This JVM's executable, on Linux. */
  private static final Path SELF = Path.of("/proc/self/exe");

  private static final int HEAD = 64;

  /** Traces of the module's name in libraries built by Go and Rust. */
  private static final Pattern MADE_OF =
      Pattern.compile("path\tkvrank/([a-z0-9-]+)\n|\\b([a-z0-9_]+)_engine\\.[0-9a-f]{16}-cgu");

  private static final ContentCache<Optional<String>> MODULES =
      new ContentCache<>(NativeLibrary::module);

  static NativeLibrary of(Path named) {
    Path file = named.toAbsolutePath().normalize();
    return of(
        file,
        Files.isRegularFile(file)
            ? unloadable(file)
            : Optional.of("library '%s' does not exist".formatted(file)));
  }

  private static NativeLibrary of(Path file, Optional<String> absence) {
    return new NativeLibrary(file, absence.isEmpty() ? State.AVAILABLE : State.MISSING, absence);
  }

  /** Returns this, or a missing library if kvrank built it for another engine than {@code name}. */
  NativeLibrary requireOf(String name) {
    if (absence.isPresent()) {
      return this;
    }
    try {
      String made = MODULES.of(file).orElse(name);
      return made.equals(name)
          ? this
          : of(file, Optional.of("library '%s' belongs to %s".formatted(file, made)));
    } catch (IOException e) {
      return of(file, Optional.of(unreadable(file, e)));
    }
  }

  /** Returns the name of the module that {@code file} was made of, if it has one. */
  private static Optional<String> module(Path file) throws IOException {
    Matcher engine = MADE_OF.matcher(Files.readString(file, ISO_8859_1));
    return engine.find()
        ? Optional.of(requireNonNullElse(engine.group(1), engine.group(2)).replace('_', '-'))
        : Optional.empty();
  }

  private static String unreadable(Path file, IOException e) {
    return "library '%s' cannot be read: %s".formatted(file, Reason.of(e));
  }

  /**
   * Returns the reason why loading a library would fail or crash the JVM, according to its elf(5)
   * header.
   */
  private static Optional<String> unloadable(Path file) {
    if (!Files.exists(SELF)) {
      return Optional.empty();
    }
    try {
      ByteBuffer jvm = head(SELF);
      ByteBuffer library = head(file);
      if (library.limit() < HEAD || library.getInt(0) != jvm.getInt(0)) {
        return Optional.of("'%s' is not a Linux library".formatted(file));
      }
      if (library.getShort(4) != jvm.getShort(4) || library.getShort(18) != jvm.getShort(18)) {
        return Optional.of("library '%s' is for another processor".formatted(file));
      }
      // The section table is at the end of the file.
      long end = library.getLong(40) + (long) library.getShort(58) * library.getShort(60);
      return Files.size(file) >= end
          ? Optional.empty()
          : Optional.of(
              "library '%s' is cut off: it has %d of %d bytes"
                  .formatted(file, Files.size(file), end));
    } catch (IOException e) {
      return Optional.of(unreadable(file, e));
    }
  }

  private static ByteBuffer head(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return ByteBuffer.wrap(in.readNBytes(HEAD)).order(ByteOrder.nativeOrder());
    }
  }

  /** Returns the library {@code name} that {@code module} built for this platform. */
  static NativeLibrary built(Path module, String name) {
    Path libraries = module.resolve("target").resolve("native");
    Path folder = libraries.resolve(Executables.platform());
    Path file = folder.resolve(name + ".so");
    if (Files.isRegularFile(file)) {
      return of(file);
    }
    Path broken = folder.resolve(name + ".broken");
    State state = Files.exists(broken) ? State.BROKEN : State.MISSING;
    Path line = state == State.BROKEN ? broken : folder.resolve(name + ".missing");
    String reason;
    try {
      reason = Files.exists(line) ? Files.readString(line).strip() : notBuilt(libraries, name);
    } catch (IOException e) {
      reason = "the reason why it was not built cannot be read: " + Reason.of(e);
    }
    return new NativeLibrary(file.toAbsolutePath().normalize(), state, Optional.of(reason));
  }

  private static String notBuilt(Path libraries, String name) throws IOException {
    List<String> others = platforms(libraries, name);
    return others.isEmpty()
        ? "its library '%s' is not built; run 'mvn -DskipTests package' in kvrank's folder first"
            .formatted(name)
        : "its library is built for %s, and this is %s; run 'mvn -DskipTests package' here"
            .formatted(String.join(", ", others), Executables.platform());
  }

  private static List<String> platforms(Path libraries, String name) throws IOException {
    if (!Files.isDirectory(libraries)) {
      return List.of();
    }
    try (Stream<Path> folders = Files.list(libraries)) {
      return folders
          .filter(folder -> Files.exists(folder.resolve(name + ".so")))
          .map(folder -> folder.getFileName().toString())
          .sorted()
          .toList();
    }
  }
}

package kvrank.scenario;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The folders in which scenarios, workloads, engines and tables are found by name.
 *
 * @param home has {@code bindings/}, {@code workloads/}, {@code scenarios/} and {@code tables/}
 * @param built has the outputs of the build: {@code home}, or a copy that no later build changes
 * @param bindings further folders of engines; they need not exist
 */
public record NamedFiles(Path home, Path built, List<Path> bindings) {

  /** A kind of file, each in a folder of its own. */
  public enum Kind {
    SCENARIOS("scenarios", ".yaml"),
    WORKLOADS("workloads", ".yaml"),
    ENGINES("bindings", "/engine.yaml"),
    TABLES("tables", ".yaml");

    public final String folder;
    private final String ending;

    /** Returns the end of a file's path, after its name. */
    public String ending() {
      return ending;
    }

    Kind(String folder, String ending) {
      this.folder = folder;
      this.ending = ending;
    }

    /** Returns the name of this kind, as users write it. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Uses the outputs of the build in {@code home}. */
  public NamedFiles(Path home, List<Path> bindings) {
    this(home, home, bindings);
  }

  /** Returns the folder with the build outputs of {@code folder}. */
  public Path built(Path folder) {
    return folder.startsWith(home) ? built.resolve(home.relativize(folder)) : folder;
  }

  /** Returns the folders of {@code kind}; if several have a name, the first one counts. */
  public List<Path> folders(Kind kind) {
    List<Path> folders = new ArrayList<>(kind == Kind.ENGINES ? bindings : List.of());
    folders.add(0, home.resolve(kind.folder));
    return folders;
  }

  /** Returns the names of all files of {@code kind}, sorted. */
  public List<String> names(Kind kind) {
    Set<String> names = new TreeSet<>();
    for (Path folder : folders(kind)) {
      if (Files.isDirectory(folder)) {
        try (Stream<Path> files = Files.list(folder)) {
          files
              .map(file -> file.getFileName().toString().replaceFirst("\\.yaml$", ""))
              .filter(name -> Files.isRegularFile(file(kind, name)))
              .forEach(names::add);
        } catch (IOException e) {
          throw new UncheckedIOException("cannot list " + folder, e);
        }
      }
    }
    return List.copyOf(names);
  }

  /** Returns the file of {@code kind} with this name; it need not exist. */
  public Path file(Kind kind, String name) {
    for (Path folder : folders(kind)) {
      if (Files.exists(folder.resolve(name + kind.ending))) {
        return folder.resolve(name + kind.ending);
      }
    }
    return home.resolve(kind.folder).resolve(name + kind.ending);
  }
}
